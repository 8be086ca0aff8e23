"""Builds both indexes of a vertical, asks both the same queries and prints the
figures as Markdown tables: see run.sh."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

p = argparse.ArgumentParser()
for name in ("chaffinch", "lib", "heap", "format", "work", "vertical", "queries"):
    p.add_argument("--" + name, required=True)
a = p.parse_args()
work = pathlib.Path(a.work)
java = ["java", "-Xmx" + a.heap, "-cp", a.lib, "BlackLabRun"]


def size(folder):
    return sum(f.stat().st_size for f in pathlib.Path(folder).rglob("*") if f.is_file())


def timed(command):
    """Runs a command; returns wall and processor seconds, peak memory in MB."""
    figures = work / "time"
    r = subprocess.run(["time", "-o", figures, "-f", "%e %U %S %M", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if r.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {r.returncode}\n{r.stdout[-3000:]}")
    wall, user, system, kb = figures.read_text().split()[-4:]
    return float(wall), float(user) + float(system), int(kb) * 1024 / 1e6, r.stdout


queries = [(line.rstrip("\n").split("\t") + [""] * 4)[:5] for line in open(a.queries, encoding="utf-8") if line[0] != "#"]

theirs, ours = work / "blacklab", work / "chaffinch.index"
for d in (theirs, ours):
    shutil.rmtree(d, ignore_errors=True)
b = timed(java + ["index", theirs, a.format, a.vertical])
c = timed([a.chaffinch, "corpus", "index", "-o", ours, a.vertical])
documents, tokens = map(int, re.search(r"(\d+) documents, (\d+) tokens", b[3]).groups())
print(f"{tokens:,} tokens, {documents:,} documents, a vertical of {os.path.getsize(a.vertical) / 1e6:.0f} MB\n")
print("| index | wall s | processor s | peak memory MB | index MB |\n|---|---|---|---|---|")
for name, t, d in ((f"BlackLab, heap at most {a.heap}", b, theirs), ("chaffinch corpus", c, ours)):
    print(f"| {name} | {t[0]:.1f} | {t[1]:.1f} | {t[2]:.0f} | {size(d) / 1e6:.0f} |")
print(f"| ratio | {b[0] / c[0]:.1f} | {b[1] / c[1]:.1f} | {b[2] / c[2]:.1f} | {size(theirs) / size(ours):.1f} |\n")
bad = sum(c[i] >= b[i] for i in range(3))

asked = work / "queries"
asked.write_text("".join(f"{q[2] or q[1]}\t{q[3]}\n" for q in queries), encoding="utf-8")
out = subprocess.run(java + ["count", theirs, asked], stdout=subprocess.PIPE, text=True, check=True).stdout
print("| query | CQL | chaffinch | BlackLab | chaffinch ms | BlackLab ms |\n|---|---|---|---|---|---|")
notes = []
for (kind, cql, other, where, why), line in zip(queries, out.splitlines(), strict=True):
    hits, docs, ms = line.split("\t")
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        r = subprocess.run([a.chaffinch, "corpus", "concordance", "--count", ours, cql], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        best = min(best, (time.perf_counter() - began) * 1e3)
    m = re.match(r"[\d,]+", r.stdout)
    n = m.group().replace(",", "") if m else r.stderr.strip()
    both = f"`{cql}`" + (f" / `{other}`" if other else "") + (f", filter `{where}`" if where else "")
    print("| " + " | ".join([kind, both.replace("|", "\\|"), n, hits, f"{best:.0f}", ms]) + " |")
    if n != hits:
        bad += not why
        notes.append(f"{kind}: {why or 'DIFFERS'}")
print("\n" + "\n".join(notes))
print(f"{sum(not q[4] for q in queries)} queries must agree; {bad} failures")
sys.exit(1 if bad else 0)
