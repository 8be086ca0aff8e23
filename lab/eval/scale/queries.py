"""Measures eleven types of queries on a large index, with different queries of each type.

    python3 lab/eval/scale/queries.py --chaffinch ./chaffinch --index DIR [--number 40] [--seed 1] [--only TYPE;TYPE] [--cold N]

The index is read into the cache of the system. For each type a server is started, which answers each query once,
after one that is not counted. All hits are counted: no answer is in the server's cache.

Words are drawn with the seed from five bands of frequency in turn, so that each type has rare and common words. The
words of a phrase are neighbours in the corpus. The table has wall and processor times of the queries in milliseconds,
and the peak memory of the server (VmHWM). --cold N adds the first N queries of each type as commands, with the index
dropped from the cache of the system before each."""

import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import time
import urllib.parse
import urllib.request

p = argparse.ArgumentParser()
p.add_argument("--chaffinch", required=True)
p.add_argument("--index", required=True)
p.add_argument("--number", type=int, default=40)
p.add_argument("--seed", type=int, default=1)
p.add_argument("--only", default="", help="types to measure, separated by semicolons")
p.add_argument("--cold", type=int, default=0, help="queries of a type that are also run as commands")
a = p.parse_args()

BANDS = [(1, 5), (5, 25), (25, 125), (125, 625), (625, 100_000)]  # hits per million tokens
ENDS = ["ing", "ed", "ly", "ness", "tion", "able", "ful", "er", "est", "ous", "ment", "ity", "al", "ive", "ish", "ism", "ist", "ize", "ship", "less"]


class Server:
    """A server of the index."""

    def __enter__(self):
        self.process = subprocess.Popen([a.chaffinch, "serve", "c=" + a.index, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.base, token = re.match(r"(http://[^/]+)/\?token=(\S+)", self.process.stdout.readline()).groups()
        self.head = {"Authorization": "Bearer " + token}
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def get(self, kind, params):
        r = urllib.request.Request(f"{self.base}/v1/corpora/c/{kind}?" + urllib.parse.urlencode(params), headers=self.head)
        with urllib.request.urlopen(r) as f:
            return json.load(f)

    def peak(self):
        """Peak memory in MB."""
        return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text()).group(1)) / 1024

    def used(self):
        """Processor seconds of all threads."""
        return sum(int(f.read_text().split()[0]) for f in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")) / 1e9


def draw():
    """Returns words and a frequent neighbour of each."""
    r = random.Random(a.seed)
    with Server() as s:
        tokens = s.get("words", {"number": 1})["tokens"]
        found = []
        for low, high in BANDS:
            params = {"pattern": "[a-z]{2,}", "min_freq": int(low * tokens / 1e6), "max_freq": int(high * tokens / 1e6), "number": 2000}
            found.append(sorted(x["word"] for x in s.get("words", params)["rows"]))
        words = []
        while len(words) < a.number + 1:
            word = r.choice(found[len(words) % len(found)])
            if word not in words:
                words.append(word)
        pairs = []
        for word in words:
            rows = s.get("freq", {"patt": f'"{word}"', "group": "word@1", "number": 20})["rows"]
            rows = [x["values"][0] for x in rows if x["values"][0].isalpha()]
            pairs.append((word, rows[0] if rows else "the"))
    ends = r.sample([(x, y) for x in ENDS for y in ENDS], a.number + 1)
    return words, pairs, ends


def hits(q, **more):
    return "hits", {"patt": q, "waitfortotal": "true", "number": "20", **more}


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
    return ["words", a.index, "-w", "-p", params["pattern"]]


def cold(kind, params):
    """Returns wall seconds, processor seconds and peak MB of a command without a cache."""
    for f in pathlib.Path(a.index).iterdir():
        fd = os.open(f, os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)
    r = subprocess.run(["time", "-f", "%e %U %S %M", a.chaffinch, "corpus", *command(kind, params)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if r.returncode:
        raise SystemExit(r.stderr)
    wall, user, system, kb = r.stderr.split()[-4:]
    return float(wall), float(user) + float(system), int(kb) / 1024


def figures(times):
    """Median, p95 and maximum in milliseconds."""
    times = sorted(times)
    return [f"{1000 * t:.0f}" for t in (statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.95))], times[-1])]


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


words, pairs, ends = draw()
TYPES = {
    "a word": lambda i: hits(f'"{words[i]}"'),
    "a phrase": lambda i: hits('"%s" "%s"' % pairs[i]),
    "a gap": lambda i: hits('"%s" []{0,3} "%s"' % pairs[i]),
    "a beginning": lambda i: hits(f'"{words[i][:4]}.*"'),
    "two endings": lambda i: hits('".*%s" ".*%s"' % ends[i]),
    "two words in a sentence, any case": lambda i: hits(f'[lc="{words[i]}"] []{{0,5}} [lc="and"] within <s/>'),
    "a word in a year": lambda i: hits(f'"{words[i]}"', filter=f"doc.year={2000 + i % 25}"),
    "a word sorted to the right": lambda i: hits(f'"{words[i]}"', sort="right"),
    "a word by year": lambda i: ("freq", {"patt": f'"{words[i]}"', "group": "doc.year"}),
    "collocations": lambda i: ("collocations", {"patt": f'"{words[i]}"', "words": "true", "number": "50"}),
    "word list": lambda i: ("words", {"words": "true", "pattern": f"{words[i][:4]}.*", "number": "50"}),
}
for f in pathlib.Path(a.index).iterdir():
    with open(f, "rb") as lines:
        while lines.read(1 << 24):
            pass
row("query", "processor ms: median", "p95", "maximum", "wall ms: median", "p95", "maximum", "peak MB", *(["cold, processor ms: median", "p95", "maximum", "cold, wall ms: median", "p95", "maximum", "peak MB"] if a.cold else []))
print("|---" * (15 if a.cold else 8) + "|")
for name, make in TYPES.items():
    if a.only and name not in a.only.split(";"):
        continue
    wall, cpu = [], []
    with Server() as s:
        s.get(*make(a.number))  # opens the index
        for q in map(make, range(a.number)):
            began, before = time.monotonic(), s.used()
            s.get(*q)
            wall.append(time.monotonic() - began)
            cpu.append(s.used() - before)
        peak = s.peak()
    cells = [*figures(cpu), *figures(wall), f"{peak:.0f}"]
    if a.cold:
        runs = [cold(*make(i)) for i in range(a.cold)]
        cells += [*figures([x[1] for x in runs]), *figures([x[0] for x in runs]), f"{max(x[2] for x in runs):.0f}"]
    row(name, *cells)
print(f"\nload {os.getloadavg()[0]:.0f}")
