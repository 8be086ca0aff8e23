"""Measures queries of ten types on a large index: with a cold cache (a process for each query,
the index dropped from the cache of the system before it) and with a warm cache (a running server).

    python3 lab/eval/scale/queries.py --chaffinch ./chaffinch --index DIR [--rounds 10] [--only TYPE;TYPE]

Prints a table of times in milliseconds and the peak memory of the processes."""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import time
import urllib.parse
import urllib.request

p = argparse.ArgumentParser()
p.add_argument("--chaffinch", required=True)
p.add_argument("--index", required=True)
p.add_argument("--rounds", type=int, default=10)
p.add_argument("--only", default="", help="types to measure, separated by semicolons")
a = p.parse_args()

WORDS = ["water", "house", "government", "night", "system", "people", "study", "money", "company", "letter"]
PAIRS = [("of", "the"), ("in", "order"), ("at", "least"), ("for", "example"), ("as", "well"), ("United", "States"), ("have", "been"), ("the", "first"), ("one", "of"), ("on", "the")]
STEMS = ["inter", "un", "over", "electr", "photo", "super", "bio", "comp", "trans", "anti"]
ENDS = [("ing", "ed"), ("ly", "ing"), ("ness", "of"), ("tion", "s"), ("able", "er"), ("ful", "ly"), ("ed", "ly"), ("er", "ing"), ("al", "ity"), ("ous", "ment")]


def hits(q, **more):
    return "hits", {"patt": q, "waitfortotal": "true", "number": "20", **more}


# name: (a query of the server for a round, the arguments of the command)
TYPES = {
    "word": lambda i: hits(f'"{WORDS[i]}"'),
    "phrase": lambda i: hits('"%s" "%s"' % PAIRS[i]),
    "gap": lambda i: hits('"%s" []{0,3} "%s"' % PAIRS[i]),
    "regular expression, beginning": lambda i: hits(f'"{STEMS[i]}.*"'),
    "regular expressions, ends": lambda i: hits('".*%s" ".*%s"' % ENDS[i]),
    "in sentences, without case": lambda i: hits(f'[lc="{WORDS[i]}"] []{{0,5}} [lc="and"] within <s/>'),
    "part of the corpus": lambda i: hits(f'"{WORDS[i]}"', filter=f"doc.year={2000 + i}"),
    "sorted to the right": lambda i: hits(f'"{WORDS[i]}"', sort="right"),
    "frequencies by year": lambda i: ("freq", {"patt": f'"{WORDS[i]}"', "group": "doc.year"}),
    "collocations": lambda i: ("collocations", {"patt": f'"{WORDS[i]}"', "words": "true", "number": "50"}),
    "word list": lambda i: ("words", {"words": "true", "pattern": f"{STEMS[i]}.*", "number": "50"}),
    "keywords of a year": lambda i: ("keywords", {"filter": f"doc.year={2000 + i}", "words": "true", "number": "50"}) if i == 0 else None,
}


def command(kind, params):
    """The arguments of the command for a query of the server."""
    more = ["--where", params["filter"]] if "filter" in params else []
    q = params.get("patt")
    if kind == "hits":
        return ["conc", a.index, q, "--limit", "20", *(["--sort", params["sort"]] if "sort" in params else []), *more]
    if kind == "freq":
        return ["freq", a.index, q, "--by", params["group"]]
    if kind == "collocations":
        return ["colloc", a.index, q, "-w"]
    if kind == "words":
        return ["words", a.index, "-w", "-p", params["pattern"]]
    return ["keywords", a.index, a.index, "-w", *more]


def drop():
    """Drops the index from the cache of the system."""
    for f in pathlib.Path(a.index).iterdir():
        fd = os.open(f, os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def cold(kind, params):
    drop()
    start = time.monotonic()
    r = subprocess.run(["time", "-f", "%U %S %M", a.chaffinch, "corpus", *command(kind, params)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    took = time.monotonic() - start
    if r.returncode:
        raise SystemExit(r.stderr)
    user, system, kb = r.stderr.split()[-3:]
    return took, float(user) + float(system), int(kb) / 1024


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def p95(times):
    return f"{1000 * sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]:.0f}"


def median(times):
    return f"{1000 * statistics.median(times):.0f}"


server = subprocess.Popen([a.chaffinch, "serve", "c=" + a.index, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
try:
    address = server.stdout.readline().strip()
    base, _, token = re.match(r"(http://[^/]+)/?(.*?token=)?(\S*)", address).groups()
    head = {"Authorization": "Bearer " + token} if token else {}

    def get(kind, params):
        start = time.monotonic()
        r = urllib.request.Request(f"{base}/v1/corpora/c/{kind}?" + urllib.parse.urlencode(params), headers=head)
        with urllib.request.urlopen(r) as f:
            json.load(f)
        return time.monotonic() - start

    def resident():
        return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{server.pid}/status").read_text()).group(1)) / 1024

    def used():
        """Processor seconds of the server."""
        fields = pathlib.Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def warm(kind, params):
        """Asks twice. Totals are cached by query: a space makes another one."""
        get(kind, params)
        if "patt" in params:
            params = {**params, "patt": params["patt"] + " "}
        before = used()
        took = get(kind, params)
        return took, used() - before

    row("query", "cold, wall ms: median", "p95", "processor ms: p95", "peak MB of a process", "warm, wall ms: median", "p95", "processor ms: p95", "peak MB of the server so far")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, make in TYPES.items():
        if a.only and name not in a.only.split(";"):
            continue
        asked = [q for q in map(make, range(a.rounds)) if q]
        first, second = [cold(*q) for q in asked], [warm(*q) for q in asked]
        row(name, median([t for t, _, _ in first]), p95([t for t, _, _ in first]), p95([c for _, c, _ in first]), f"{max(m for _, _, m in first):.0f}", median([t for t, _ in second]), p95([t for t, _ in second]), p95([c for _, c in second]), f"{resident():.0f}")
finally:
    server.terminate()
    server.wait()
