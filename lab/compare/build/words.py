#!/usr/bin/env python3
"""Trains word models on as many English words of each of the corpora that run.sh has
built, and prints the perplexity of other text, by words, and the share of its words
that the corpus does not have.

  words.py CHAFFINCH OUT HELD.jsonl

OUT is that of run.sh. HELD has the fields lang, set and text, as model/data/nontext.py
writes them; its sets that begin with en- are taken, which are no part of the corpora."""

import collections
import json
import math
import os
import subprocess
import sys
import zlib

WORDS = 4_000_000
HELD = 3_000_000  # characters of a set


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, out, held = sys.argv[1:]
    sets = collections.defaultdict(str)
    with open(held, encoding="utf-8") as f:
        for d in map(json.loads, f):
            if d["set"].startswith("en-") and len(sets[d["set"]]) < HELD:
                sets[d["set"]] += d["text"] + "\n"
    print(f"{'':10}", *(f"{s[3:]:>16}" for s in sorted(sets)))
    for way in ("text", "body", "filtered"):
        packed = subprocess.run(["zstd", "-dc", f"{out}/{way}/corpus.jsonl.zst"], stdout=subprocess.PIPE, check=True).stdout
        docs = [d for d in map(json.loads, packed.splitlines()) if d.get("lang") == "en"]
        docs.sort(key=lambda d: zlib.crc32(d["id"].encode()))
        text, words, known = f"{out}/{way}.txt", 0, set()
        with open(text, "w", encoding="utf-8") as f:
            for d in docs:
                f.write(d["text"] + "\n\n")
                words += len(d["text"].split())
                known.update(d["text"].lower().split())
                if words >= WORDS:
                    break
        model = f"{out}/{way}.chf"
        subprocess.run([program, "train", "words", text, "-o", model, "-q"], check=True)
        os.remove(text)
        row = []
        for _, t in sorted(sets.items()):
            lines = [line for line in t.splitlines() if line.strip()]
            ppl = subprocess.run([program, "perplexity", "--model", model], input="\n".join(lines).encode(), stdout=subprocess.PIPE, check=True).stdout.split()
            if len(ppl) != len(lines):
                sys.exit(f"{len(ppl)} figures for {len(lines)} lines")
            n = [len(line.split()) for line in lines]
            mean = math.exp(sum(k * math.log(float(p)) for k, p in zip(n, ppl) if math.isfinite(float(p))) / sum(n))
            unknown = sum(w not in known for w in t.lower().split()) / sum(n)
            row.append(f"{mean:8.0f} {100 * unknown:5.1f} %")
        print(f"{way:10}", *(f"{r:>16}" for r in row))


if __name__ == "__main__":
    main()
