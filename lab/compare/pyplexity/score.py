#!/usr/bin/env python3
"""Scores sentences with PyPlexity's own code.

  score.py MODEL.st SENTENCES [--time]

SENTENCES holds one JSON string a line, or one sentence a line as it is. Prints
one perplexity a line; with --time the number of words (white space) a second
instead, best of three.

Only PyPlexity's model and tokeniser run: its other dependencies, which do not
install together any more, are replaced by empty modules."""
import json, sys, time
from unittest.mock import MagicMock

for name in ("nltk", "pandas", "cached_path", "pyplexity.dataset_processor", "pyplexity.dataset_processor.dataset_processor"):
    sys.modules[name] = MagicMock()
sys.modules["pyplexity.dataset_processor.dataset_processor"].ContentProcessor = object
import contextlib, io
from pyplexity.perpl_model import PerplexityModel

model_file, sentences = sys.argv[1:3]
with contextlib.redirect_stdout(io.StringIO()):
    model = PerplexityModel.from_str(model_file)
lines = open(sentences, encoding="utf-8", newline="\n").read().split("\n")[:-1]
if all(line.startswith('"') and line.endswith('"') for line in lines):
    lines = [json.loads(line) for line in lines]
if "--time" in sys.argv:
    words, best = sum(len(line.split()) for line in lines), float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for line in lines:
            model.compute_sentence(line)
        best = min(best, time.perf_counter() - start)
    print(round(words / best))
else:
    for line in lines:
        print(repr(model.compute_sentence(line)))
