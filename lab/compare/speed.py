#!/usr/bin/env python3
"""Time programs that read pages and write their texts, on one core, side by side.

    speed.py --set DIR ... --program NAME COMMAND ... [--rounds N] [--pages N] [--cpu N] [--json FILE]

In a COMMAND {set} stands for a folder with html/<id>.html and {out} for one that
is made anew. A set of fewer than N pages is copied until it has as many. The
programs run in turn, N rounds, bound to one core. First each runs on one small
page: that is its start-up, which is shown, and taken off. Pages a second are

    (pages - 1) / (time of the whole process - start-up), the best of the rounds,

of processor time (user and system, children too) and of wall time. The ratio is
that of the first program's pages a second of processor time to the others'.
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import sys
import tempfile
import time

SMALL = b'<html><head><title>A page</title></head><body><p>' + b'A first page, so that what is loaded late is loaded. ' * 8 + b'</p></body></html>'


def spend(command, folders, cpu):
    """Run the command; return its wall time, processor time (s) and peak memory (MB)."""
    shutil.rmtree(folders['out'], ignore_errors=True)
    folders['out'].mkdir(parents=True)
    words = [w.format(**folders) for w in shlex.split(command)]
    began = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.sched_setaffinity(0, {cpu})
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            os.execvpe(words[0], words, os.environ | {'GOMAXPROCS': '1'})
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 1):  # 1: some pages have no text
        sys.exit(f'{shlex.join(words)}: exit code {code}')
    if not any(folders['out'].rglob('*.txt')):
        sys.exit(f'{shlex.join(words)}: no texts written')
    return {'wall_s': wall, 'cpu_s': usage.ru_utime + usage.ru_stime, 'peak_mb': usage.ru_maxrss / 1000}


def copied(pages, least, to):
    """A folder with the pages, each as often as needed for `least` files; and their bytes."""
    files = sorted((pages / 'html').iterdir())
    times = max(1, -(-least // len(files)))
    (to / 'html').mkdir(parents=True)
    size = 0
    for f in files:
        html = f.read_bytes()
        size += len(html) * times
        for i in range(times):
            name = f.name if times == 1 else f'{f.stem}.{i}{f.suffix}'
            (to / 'html' / name).write_bytes(html)
    return len(files), times, size


def measure(programs, pages, a, tmp):
    """The figures of all programs on one set."""
    folder, out, small = tmp / 'pages', tmp / 'out', tmp / 'small'
    distinct, times, size = copied(pages, a.pages, folder)
    (small / 'html').mkdir(parents=True, exist_ok=True)
    (small / 'html' / 'page.html').write_bytes(SMALL)
    n = distinct * times
    start, runs = {}, {name: [] for name, _ in programs}
    for name, command in programs:
        tries = [spend(command, {'set': small, 'out': out}, a.cpu) for _ in range(3)]
        start[name] = {k: min(t[k] for t in tries) for k in tries[0]}
    for r in range(a.rounds):
        for name, command in programs:
            t = spend(command, {'set': folder, 'out': out}, a.cpu)
            runs[name].append(t)
            print(f'{pages.name}, round {r + 1}: {name}: {t["cpu_s"]:.2f} s processor, {t["wall_s"]:.2f} s wall', file=sys.stderr)
    shutil.rmtree(folder)
    shutil.rmtree(out)
    best = []
    for name, _ in programs:
        row = {'set': pages.name, 'program': name, 'pages': n, 'copies': times, 'bytes': size,
               'start_cpu_s': start[name]['cpu_s'], 'start_wall_s': start[name]['wall_s'], 'peak_mb': max(t['peak_mb'] for t in runs[name])}
        for kind in ('cpu', 'wall'):
            took = min(t[kind + '_s'] for t in runs[name]) - start[name][kind + '_s']
            row[f'pages_per_{kind}_s'] = (n - 1) / took
        best.append(row)
    return best


def table(rows):
    first = rows[0]
    print(f'\n{first["set"]}: {first["pages"]} pages' + (f' ({first["copies"]} copies of each)' if first['copies'] > 1 else '') + f', {first["bytes"] / 1e6:.0f} MB')
    print(f'{"":24} {"pages/s cpu":>12} {"pages/s wall":>13} {"MB/s cpu":>9} {"ratio":>7} {"start-up s":>11} {"peak MB":>8}')
    for r in rows:
        ratio = first['pages_per_cpu_s'] / r['pages_per_cpu_s']
        speed = r['pages_per_cpu_s'] * r['bytes'] / r['pages'] / 1e6
        print(f'{r["program"]:24} {r["pages_per_cpu_s"]:12.1f} {r["pages_per_wall_s"]:13.1f} {speed:9.1f} {ratio:7.2f} {r["start_cpu_s"]:11.2f} {r["peak_mb"]:8.0f}')
    sys.stdout.flush()


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('--set', action='append', required=True, type=pathlib.Path, metavar='DIR')
    a.add_argument('--program', action='append', required=True, nargs=2, metavar=('NAME', 'COMMAND'))
    a.add_argument('--rounds', type=int, default=3, metavar='N', help='default: 3')
    a.add_argument('--pages', type=int, default=900, metavar='N', help='fewest pages of a set (default: 900)')
    a.add_argument('--cpu', type=int, default=0, metavar='N', help='the core (default: 0)')
    a.add_argument('--json', metavar='FILE', help='write the figures there, a JSON object a line')
    a = a.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as tmp:
        for pages in a.set:
            rows.append(measure(a.program, pages, a, pathlib.Path(tmp)))
            table(rows[-1])
    if a.json:
        with open(a.json, 'w') as f:
            for row in sum(rows, []):
                f.write(json.dumps(row) + '\n')


if __name__ == '__main__':
    main()
