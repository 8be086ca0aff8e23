#!/usr/bin/env python3
"""Scores sentences by KenLM and compares with ours.

  score.py MODEL.arpa SENTENCES PERPLEXITIES

PERPLEXITIES holds our perplexity of each sentence; the log10 probability is
that of all words and </s>. KenLM's are summed in double precision: its own sum
of float32 is off by some 1e-4 in long sentences."""
import math, re, sys
import kenlm

model = kenlm.Model(sys.argv[1])
lines = open(sys.argv[2], encoding="utf-8", errors="surrogateescape", newline="\n").read().split("\n")[:-1]
ours = [float(x) for x in open(sys.argv[3])]
assert len(lines) == len(ours), (len(lines), len(ours))
worst, words = 0.0, 0
for line, perplexity in zip(lines, ours):
    tokens = re.split(r"[ \t\n]+", line.strip(" \t\n"))
    theirs = sum(p for p, _, _ in model.full_scores(" ".join(tokens).encode("utf-8", "surrogateescape"), bos=True, eos=True))
    mine = -math.log10(perplexity) * (len(tokens) + 1)
    worst, words = max(worst, abs(theirs - mine)), words + len(tokens)
print(f"{len(lines)} sentences, {words} words, largest difference of log10 probability {worst:.2g}")
sys.exit(worst > 1e-4)
