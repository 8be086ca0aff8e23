"""What taking out duplicates costs as the collection grows: time and disk by
step over several sizes, tables and a drawing. The figures are those of
lab/results/scale.md.

    scale.py --chaffinch PROGRAM [--data DIR] [--sizes 100MB,400MB,1600MB] [--memory 256MiB] [--svg FILE] [--dir DIR] [--method onion,minhash]
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

p = argparse.ArgumentParser()
p.add_argument("--chaffinch", required=True)
p.add_argument("--data", default="../shared/data")
p.add_argument("--sizes", default="100MB,400MB,1600MB")
p.add_argument("--memory", default="256MiB")
p.add_argument("--method", default="onion,minhash")
p.add_argument("--svg")
p.add_argument("--dir", help="folder for the collection, the output and the work folder")
a = p.parse_args()
work = pathlib.Path(tempfile.mkdtemp(prefix="dedup-scale-", dir=a.dir))


def run(command):
    """Wall and processor seconds and peak memory in MB, by GNU time."""
    began = time.perf_counter()
    subprocess.run(["time", "-o", work / "time", "-f", "%U %S %M", *command], check=True)
    user, system, kb = (work / "time").read_text().split()[-3:]
    return time.perf_counter() - began, float(user) + float(system), int(kb) * 1024 / 1e6


def measure(size, method):
    docs, out, summary = work / "docs.jsonl", work / "out.jsonl", work / "summary.json"
    wall, cpu, mb = run([a.chaffinch, "dedup", "-q", "--force", "-m", method, "--memory", a.memory, "-j", "1", "-o", out, "--summary", summary, docs])
    r = json.loads(summary.read_text())
    m = {"bytes": docs.stat().st_size, "docs": r["in"]["docs"], "tokens": r["in"]["tokens"], "wall": wall, "cpu": cpu, "mb": mb,
         "disk": r["disk_bytes"], "out": out.stat().st_size, "steps": r["seconds"]}
    out.unlink()
    return m


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for r in rows:
        print("| " + " | ".join(r) + " |")
    print(flush=True)


def drawing(found):
    """Processor seconds against size, both logarithmic: a straight line of slope 1 is linear cost."""
    points = [(m["bytes"], m["cpu"]) for ms in found.values() for m in ms]
    x0, x1 = (math.floor(math.log10(min(p[0] for p in points)) * 4) / 4, math.ceil(math.log10(max(p[0] for p in points)) * 4) / 4)
    y0, y1 = (math.floor(math.log10(min(p[1] for p in points))), math.ceil(math.log10(max(p[1] for p in points))))
    width, height, left, top = 420, 300, 60, 16
    px = lambda v: left + (math.log10(v) - x0) / (x1 - x0) * width
    py = lambda v: top + (y1 - math.log10(v)) / (y1 - y0) * height
    s = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + left + 110}" height="{height + top + 46}" font-family="sans-serif" font-size="12">',
         "<title>chaffinch dedup: processor time against the size of the collection</title>"]
    for e in range(y0, y1 + 1):
        s.append(f'<line x1="{left}" x2="{left + width}" y1="{py(10 ** e):.1f}" y2="{py(10 ** e):.1f}" stroke="#ddd"/><text x="{left - 6}" y="{py(10 ** e) + 4:.1f}" text-anchor="end">{10 ** e:g} s</text>')
    for b in sorted({m["bytes"] for ms in found.values() for m in ms}):
        s.append(f'<line y1="{top}" y2="{top + height}" x1="{px(b):.1f}" x2="{px(b):.1f}" stroke="#ddd"/><text y="{top + height + 16}" x="{px(b):.1f}" text-anchor="middle">{b / 1e6:.0f} MB</text>')
    for (name, ms), colour in zip(found.items(), ("#0b6", "#06c", "#c60", "#808")):
        base = ms[0]
        s.append(f'<line x1="{px(base["bytes"]):.1f}" y1="{py(base["cpu"]):.1f}" x2="{px(ms[-1]["bytes"]):.1f}" y2="{py(base["cpu"] * ms[-1]["bytes"] / base["bytes"]):.1f}" stroke="{colour}" stroke-dasharray="3 4" stroke-opacity=".6"/>')
        s.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="' + " ".join(f'{px(m["bytes"]):.1f},{py(m["cpu"]):.1f}' for m in ms) + '"/>')
        s += [f'<circle cx="{px(m["bytes"]):.1f}" cy="{py(m["cpu"]):.1f}" r="4" fill="{colour}"><title>{m["bytes"] / 1e6:.0f} MB: {m["cpu"]:.1f} s</title></circle>' for m in ms]
        s.append(f'<text x="{px(ms[-1]["bytes"]) + 10:.1f}" y="{py(ms[-1]["cpu"]) + 4:.1f}" fill="{colour}">{name}</text>')
    s.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">size of the collection; dashed: linear from the first point</text></svg>\n')
    return "\n".join(s)


try:
    found = {m: [] for m in a.method.split(",")}
    for size in a.sizes.split(","):
        subprocess.run([a.chaffinch, "eval", "dedup", "--data", a.data, "--half", "dev", "--grow", size, "--save-docs", work / "docs.jsonl"], check=True)
        for method in found:
            found[method].append(measure(size, method))
    for method, ms in found.items():
        print(f"{method}, --memory {a.memory}, one worker\n")
        steps = [s for s in ms[-1]["steps"] if ms[-1]["steps"][s] >= .005 * sum(ms[-1]["steps"].values())]
        rows = [["documents"] + [f"{m['docs']:,}" for m in ms], ["million words"] + [f"{m['tokens'] / 1e6:.1f}" for m in ms],
                ["wall s"] + [f"{m['wall']:.1f}" for m in ms], ["processor s"] + [f"{m['cpu']:.1f}" for m in ms],
                ["processor s per GB"] + [f"{m['cpu'] / m['bytes'] * 1e9:.1f}" for m in ms],
                ["million words per processor second"] + [f"{m['tokens'] / m['cpu'] / 1e6:.2f}" for m in ms],
                ["peak memory MB"] + [f"{m['mb']:.0f}" for m in ms],
                ["most disk for work, bytes per byte of input"] + [f"{m['disk'] / m['bytes']:.3f}" for m in ms],
                ["output, bytes per byte of input"] + [f"{m['out'] / m['bytes']:.3f}" for m in ms]]
        rows += [[f"{s}: wall s per GB"] + [f"{m['steps'].get(s, 0) / m['bytes'] * 1e9:.2f}" for m in ms] for s in steps]
        table([method] + [f"{m['bytes'] / 1e6:.0f} MB" for m in ms], rows)
    if a.svg:
        pathlib.Path(a.svg).write_text(drawing(found))
finally:
    shutil.rmtree(work)
