"""Builds indexes of growing parts of two verticals and prints what they cost:
see run.sh."""

import argparse
import json
import math
import mmap
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import threading
import time

p = argparse.ArgumentParser()
for name in ("chaffinch", "work", "sizes", "memory"):
    p.add_argument("--" + name, required=True)
a = p.parse_args()
work = pathlib.Path(a.work)

QUERIES = [
    '"water"', '"of" "the"', '"inter.*"', '".*ing" ".*ed"', '"the" []{0,3} "of"', '[lc="however"] within <p heading="1"/>',
    '1:[] "by" 2:[] & 1.lc = 2.lc', '<s/> containing "water"', '[word="xyzzyqq"]', '[]',
]
TAG = re.compile(rb"^</?[A-Za-z_]")


def documents(file):
    """The documents of a vertical as (first byte, end, tokens), in random order."""
    docs, start, tokens, at = [], 0, 0, 0
    with open(file, "rb") as f:
        for line in f:
            if line.startswith(b"<doc"):
                start, tokens = at, 0
            at += len(line)
            if line.startswith(b"</doc"):
                docs.append((start, at, tokens))
            elif not TAG.match(line):
                tokens += 1
    random.Random(1).shuffle(docs)
    return docs


def cut(out, limit):
    """Writes documents until there are limit tokens; returns tokens, documents."""
    total = n = 0
    with open(out, "wb") as o:
        for file, docs in sources:
            with open(file, "rb") as f:
                m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
                for start, end, tokens in docs:
                    if total >= limit:
                        return total, n
                    o.write(m[start:end])
                    total += tokens
                    n += 1
    return total, n


def timed(command, watch=None):
    """Runs a command; returns wall and processor seconds, peak memory in MB, its
    output and the most bytes seen in files of the folder watch."""
    peak, ended = 0, threading.Event()

    def look():
        nonlocal peak
        while not ended.wait(0.02):
            size = 0
            for f in pathlib.Path(watch).rglob("*"):
                try:
                    size += f.stat().st_size
                except FileNotFoundError:
                    pass
            peak = max(peak, size)

    if watch:
        threading.Thread(target=look).start()
    r = subprocess.run(["time", "-o", work / "time", "-f", "%e %U %S %M", *command], stdout=subprocess.PIPE, text=True)
    ended.set()
    if r.returncode:
        sys.exit(f"{command}: exit code {r.returncode}")
    wall, user, system, kb = (work / "time").read_text().split()[-4:]
    return float(wall), float(user) + float(system), int(kb) * 1024 / 1e6, r.stdout, peak


def sections(file):
    """Bytes of each section of an index: docs/reference/formats/model.md."""
    with open(file, "rb") as f:
        f.seek(-28, 2)
        offset, size = struct.unpack("<QQ", f.read(16))
        f.seek(offset)
        return {s["name"]: s["size"] for s in json.loads(f.read(size))["sections"]}


PARTS = [
    ("text as numbers", r"attr/word/ids"),
    ("places of the words", r"attr/word/(lists|at)"),
    ("lexicon of the words", r"attr/word/(text|ends|freq)"),
    ("lower case", r"attr/lc/.*"),
    ("glue", r"glue"),
    ("sentences, paragraphs, documents, white space", r"struct/[^/]*/(starts|ends)"),
    ("attributes of structures", r"struct/[^/]*/attr/.*"),
]


def values(name, index):
    info = json.loads(subprocess.run([a.chaffinch, "corpus", "info", "--json", index], stdout=subprocess.PIPE, text=True, check=True).stdout)
    return next(x["values"] for x in info["attributes"] if x["name"] == name)


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


def table(head, rows):
    row(*head)
    print("|" + "---|" * len(head))
    for r in rows:
        row(*r)
    print(flush=True)


sources = [(work / f, documents(work / f)) for f in ("pages.vert", "texts.vert")]
pages = sources[0][1]
print(f"pages: {len(pages)}, {sum(d[2] for d in pages)} tokens, {sum(d[2] for d in pages) / len(pages):.0f} a page, "
      f"{sum(d[1] - d[0] for d in pages) / len(pages):.0f} bytes of vertical a page\n", flush=True)

built = []
for s in a.sizes.split(","):
    vert, index = work / "part.vert", work / f"index-{s}"
    tokens, docs = cut(vert, math.inf if s == "all" else float(s) * 1e6)
    shutil.rmtree(index, ignore_errors=True)
    wall, cpu, mb, _, disk = timed([a.chaffinch, "corpus", "index", "-q", "--memory", a.memory, "-o", index, vert], index)
    built.append({"index": index, "tokens": tokens, "docs": docs, "vert": vert.stat().st_size, "wall": wall, "cpu": cpu, "mb": mb, "disk": disk,
                  "parts": sections(index / "index.chf"), "bytes": (index / "index.chf").stat().st_size, "values": values("word", index)})
    vert.unlink()

head = ["million tokens"] + [f"{b['tokens'] / 1e6:.2f}" for b in built]
table(head, [
    ["documents"] + [b["docs"] for b in built],
    ["different words"] + [b["values"] for b in built],
    ["vertical, bytes a token"] + [f"{b['vert'] / b['tokens']:.2f}" for b in built],
    ["build, processor s"] + [f"{b['cpu']:.2f}" for b in built],
    ["build, wall s"] + [f"{b['wall']:.2f}" for b in built],
    ["million tokens a processor second"] + [f"{b['tokens'] / b['cpu'] / 1e6:.2f}" for b in built],
    ["peak memory MB"] + [f"{b['mb']:.0f}" for b in built],
    ["peak memory, MB a million tokens"] + [f"{b['mb'] / b['tokens'] * 1e6:.1f}" for b in built],
    ["files while building, bytes a token"] + [f"{b['disk'] / b['tokens']:.1f}" for b in built],
    ["index MB"] + [f"{b['bytes'] / 1e6:.1f}" for b in built],
])
rows = []
for name, pattern in PARTS:
    rows.append([name] + [f"{sum(n for k, n in b['parts'].items() if re.fullmatch(pattern, k)) / b['tokens']:.3f}" for b in built])
rows.append(["all"] + [f"{b['bytes'] / b['tokens']:.3f}" for b in built])
table(["index, bytes a token"] + head[1:], rows)

rows = []
for q in QUERIES:
    cells = []
    for b in built:
        best, n = (math.inf, 0, 0), ""
        for _ in range(3):
            began = time.perf_counter()
            t = timed([a.chaffinch, "corpus", "concordance", "--count", b["index"], q])
            best = min(best, ((time.perf_counter() - began) * 1e3, t[1] * 1e3, t[2]))
            n = re.match(r"[\d,]*", t[3]).group()
        cells.append(f"{best[0]:.0f} ms, {best[2]:.0f} MB ({n})")
    rows.append(["`" + q.replace("|", "\\|") + "`"] + cells)
table(["query: time and memory of the whole process (matches)"] + head[1:], rows)
