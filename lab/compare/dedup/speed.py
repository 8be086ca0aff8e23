"""Measures chaffinch dedup and the rivals on the same documents, one after the
other, each on one core.

    speed.py --chaffinch PROGRAM [--docs FILE.jsonl] [--vertical FILE.vert] [--core N] [--rounds N] [RIVAL ...]

Prints two tables: documents a second of processor time and of wall time for
MinHash (those of rivals without their imports), and tokens a second for onion
on the vertical. Of several rounds the fastest counts, for all programs. Grow
the files with chaffinch eval dedup --grow 40MB --save-docs FILE.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

OURS = {
    "chaffinch": [],
    "chaffinch, verified": ["--verify", "0.7"],
    "chaffinch fineweb": ["--preset", "fineweb"],
    "chaffinch text-dedup": ["--preset", "text-dedup"],
    "chaffinch data-juicer": ["--preset", "data-juicer"],
    "chaffinch nemo": ["--preset", "nemo"],
}

p = argparse.ArgumentParser()
p.add_argument("--chaffinch", required=True)
p.add_argument("--docs")
p.add_argument("--vertical")
p.add_argument("--core", type=int, default=0)
p.add_argument("--rounds", type=int, default=1)
p.add_argument("rival", nargs="*")
a = p.parse_args()
here = pathlib.Path(__file__).parent
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {a.core})
tmp = tempfile.mkdtemp(prefix="dedup-speed-")


def timed(command):
    """Wall and processor seconds of a command."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, env=dict(os.environ, GOMAXPROCS="1"))
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(command):
    return min((timed(command) for _ in range(a.rounds)), key=lambda t: t[1])


def ours(docs, *options):
    """Best wall and processor seconds of chaffinch dedup, and its report."""
    summary = os.path.join(tmp, "summary.json")
    t = best([a.chaffinch, "dedup", "-q", "-j", "1", "--force", "-o", os.path.join(tmp, "out" + pathlib.Path(docs).suffix), "--summary", summary, *options, docs])
    return *t, json.loads(pathlib.Path(summary).read_text())


if a.docs:
    rows = []
    for name, options in OURS.items():
        wall, cpu, r = ours(a.docs, "-m", "minhash", *options)
        n = r["in"]["docs"]
        rows.append((name, r["in"]["docs"] - r["out"]["docs"], wall, cpu))
        print(name, wall, cpu, file=sys.stderr)
    for name in a.rival:
        runs = []
        for _ in range(a.rounds):
            subprocess.run([sys.executable, here / "rivals.py", "--docs", a.docs, "--out", tmp, "--core", str(a.core), name], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            m = json.loads(pathlib.Path(tmp, name, "system.json").read_text())
            runs.append((m["seconds"] - m["load_seconds"], m["cpu_seconds"] - m["load_cpu_seconds"], m))
        wall, cpu, m = min(runs, key=lambda t: t[1])
        gone = sum(line.endswith("\t1\n") for line in open(pathlib.Path(tmp, name, "documents.tsv")))
        rows.append((f"{name} {m['version']}", gone, wall, cpu))
        print(name, wall, cpu, file=sys.stderr)
    print(f"{n} documents, {r['in']['tokens'] / n:.0f} words a document, {os.path.getsize(a.docs) / 1e6:.1f} MB\n")
    print("| program | documents dropped | wall s | processor s | documents a second of processor time | chaffinch is faster by |\n|---|---|---|---|---|---|")
    for name, gone, wall, cpu in rows:
        print(f"| {name} | {gone} | {wall:.2f} | {cpu:.2f} | {n / cpu:,.0f} | {cpu / rows[0][3]:.1f} |")
    print(flush=True)
if a.vertical:
    print("| onion | tokens | wall s | processor s | million tokens a second of processor time | sketch alone |\n|---|---|---|---|---|---|")
    for name, options in {"default": [], "--compat onion": ["--compat", "onion", "--rank", "input"], "minhash": ["-m", "minhash"]}.items():
        wall, cpu, r = ours(a.vertical, *options)
        tokens = r["in"]["tokens"]
        sketch = r["seconds"].get("sketch", 0)
        print(f"| {name} | {tokens} | {wall:.2f} | {cpu:.2f} | {tokens / cpu / 1e6:.2f} | {sketch:.2f} s |", flush=True)
