"""Measures the Python package: see run.sh."""

import argparse
import json
import multiprocessing
import os
import random
import resource
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import chaffinch
import psutil
from chaffinch import _pool
from chaffinch._worker import Request


def processor(whose=resource.RUSAGE_SELF):
    """Return the processor seconds of this process or of its children that have ended."""
    r = resource.getrusage(whose)
    return r.ru_utime + r.ru_stime


def used(tree):
    """Return the processor seconds of processes so far."""
    return sum(sum(p.cpu_times()[:2]) for p in tree)


def transport(_):
    """Time requests that are refused at once: what is left is the way there and back."""
    with _pool.Pool(1) as pool:
        pool.call(Request(b"POST /healthz", b""))
        tree = [psutil.Process(), *(psutil.Process(w.process.pid) for w in pool._idle)]
        for size in (5_000, 50_000, 156_000):
            ask = Request(b"POST /healthz\nContent-Type: text/html", b"x" * size)
            pool.call(ask)
            times, before = [], used(tree)
            for _ in range(10_000):
                start = time.perf_counter()
                pool.call(ask)
                times.append(time.perf_counter() - start)
            us = [f"{1e6 * t:.0f}" for t in (min(times), statistics.median(times), (used(tree) - before) / len(times))]
            print(f"transport, {size} bytes: minimum {us[0]}, median {us[1]}, in the mean {us[2]} of processor time, microseconds")


def command(files, form, out):
    """Clean files by the command; return seconds and processor seconds."""
    start, before = time.perf_counter(), processor(resource.RUSAGE_CHILDREN)
    args = [
        os.environ["CHAFFINCH_PROGRAM"],
        "clean",
        "-q",
        "-f",
        form,
        "-o",
        out,
        "--force",
        *map(str, files),
    ]
    subprocess.run(args, check=False, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start, processor(resource.RUSAGE_CHILDREN) - before


def same(folders):
    """Compare the texts with those of the command."""
    for folder in folders:
        files = sorted(folder.glob("*.html"))
        with tempfile.TemporaryDirectory() as tmp:
            command(files, "jsonl", f"{tmp}/out.jsonl")
            records = map(json.loads, Path(tmp, "out.jsonl").read_text().splitlines())
            theirs = {r["id"]: r["text"] for r in records}
        docs = chaffinch.clean_many(f.read_bytes() for f in files)
        equal = sum(theirs.get(str(f), "") == d.text for f, d in zip(files, docs, strict=True))
        print(f"same text as the command: {equal} of {len(files)} pages of {folder.parent.name}")


def kill(folders):
    """Kill workers 50 times while 5,000 pages run, or as many more as that takes."""
    files = sorted(folders[0].glob("*.html"))
    wanted = [chaffinch.extract(f.read_bytes()) for f in files]
    cleaner = chaffinch.Cleaner(workers=2)
    pool = cleaner._pool()
    stop, kills = threading.Event(), 0

    def killer():
        nonlocal kills
        draw = random.Random(1)
        while kills < 50 and not stop.wait(draw.uniform(0.1, 0.4)):
            for worker in list(pool._lent)[: draw.randint(1, 2)]:
                kills += 1
                os.kill(worker.process.pid, signal.SIGKILL)

    thread = threading.Thread(target=killer)
    thread.start()

    def pages():
        i = 0
        while i < 5000 or kills < 50:
            yield chaffinch.Page(files[i % len(files)].read_bytes(), id=str(i))
            i += 1

    ids, right, reported = [], 0, 0
    for page, answer in cleaner._many(pages(), "text", False, None):
        ids.append(page.id)
        if isinstance(answer, Exception):
            reported += 1
        else:
            right += (answer.body.decode().rstrip("\n") or None) == wanted[int(page.id) % len(files)]
    stop.set()
    thread.join()
    n = len(ids)
    once = ids == [str(i) for i in range(n)]
    print(
        f"{kills} kills while {n} pages ran: each answered once and in order: {once}; {right} with their text, {reported} reported as that workers died on"
    )


def many(folders):
    """Compare pages a second with the command, in turn."""
    files = [f for folder in folders for f in sorted(folder.glob("*.html"))]
    pages = [f.read_bytes() for f in files]
    list(chaffinch.extract_many(pages[:50]))
    pool = _pool.default_pool()
    tree = [psutil.Process(), *(psutil.Process(w.process.pid) for w in pool._idle)]
    ours, theirs = [], []
    for _ in range(5):
        start, before = time.perf_counter(), used(tree)
        for _ in chaffinch.extract_many(pages):
            pass
        ours.append((len(pages) / (time.perf_counter() - start), len(pages) / (used(tree) - before)))
        seconds, worked = command(files, "text", "/dev/null")
        theirs.append((len(pages) / seconds, len(pages) / worked))
    for i, unit in enumerate(["second", "processor second"]):
        a, b = max(x[i] for x in ours), max(x[i] for x in theirs)
        print(f"{len(pages)} pages, best of 5 in turn: extract_many {a:.0f} pages a {unit}, the command {b:.0f}: {100 * a / b:.0f} %")


def _trafilatura(html):
    import trafilatura

    return trafilatura.extract(html)


def _resiliparse(html):
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    return extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True)


def _readability(html):
    from readability import Document

    return Document(html).summary()


def _justext(html):
    import justext

    return [p.text for p in justext.justext(html, justext.get_stoplist("English")) if not p.is_boilerplate]


def _chaffinch(html):
    return chaffinch.extract(html)


RIVALS = {
    "chaffinch": _chaffinch,
    "resiliparse": _resiliparse,
    "trafilatura": _trafilatura,
    "readability-lxml": _readability,
    "jusText": _justext,
}


def _quiet(f, html):
    try:
        return bool(f(html))
    except Exception:
        return False


def _measured(name, files, queue):
    """Time a package in a process of its own, with the processes that it starts."""
    f, pages = RIVALS[name], [p.read_bytes() for p in files]
    for p in pages[:5]:
        _quiet(f, p)
    tree = [psutil.Process(), *psutil.Process().children(recursive=True)]

    times, before = [], used(tree)
    for p in pages:
        start = time.perf_counter()
        _quiet(f, p)
        times.append(time.perf_counter() - start)
    seconds = used(tree) - before
    times.sort()
    memory = sum(p.memory_info().rss for p in tree)
    queue.put(
        (
            1e3 * times[len(times) // 2],
            1e3 * times[len(times) * 99 // 100],
            len(pages) / seconds,
            memory / 1e6,
        )
    )


def _batch(name):
    return {"chaffinch": lambda pages: sum(1 for _ in chaffinch.extract_many(pages))}.get(name)


def _work(args):
    name, html = args
    return _quiet(RIVALS[name], html)


def rivals(folders):
    """Time packages: single calls, then many pages with all processors."""
    files = [f for folder in folders for f in sorted(folder.glob("*.html"))][::4][:300]
    pages = [f.read_bytes() for f in files]
    context = multiprocessing.get_context("spawn")
    print(f"{len(files)} pages of {sum(map(len, pages)) // len(pages) // 1000} kB")
    print("| | median, ms | 99th percentile, ms | pages a processor second | memory, MB | many, pages/s |")
    print("|---|---|---|---|---|---|")
    for name in RIVALS:
        queue = context.Queue()
        p = context.Process(target=_measured, args=(name, files, queue))
        p.start()
        median, worst, speed, memory = queue.get()
        p.join()
        if batch := _batch(name):
            batch(pages[:20])
            start = time.perf_counter()
            batch(pages)
            took = time.perf_counter() - start
        else:
            with context.Pool() as pool:
                list(pool.imap(_work, [(name, p) for p in pages[:20]]))
                start = time.perf_counter()
                for _ in pool.imap(_work, [(name, p) for p in pages], chunksize=4):
                    pass
                took = time.perf_counter() - start
        print(f"| {name} | {median:.1f} | {worst:.0f} | {speed:.0f} | {memory:.0f} | {len(pages) / took:.0f} |")


def main():
    """Run what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="transport,same,kill,many,rivals")
    parser.add_argument("folders", nargs="+", type=Path)
    args = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}, {_pool.processors()} processors")
    for name in args.only.split(","):
        {
            "transport": transport,
            "same": same,
            "kill": kill,
            "many": many,
            "rivals": rivals,
        }[name](args.folders)


if __name__ == "__main__":
    main()
