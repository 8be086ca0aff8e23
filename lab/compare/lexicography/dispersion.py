"""Compares DP and DPnorm of chaffinch corpus words with an independent computation from the vertical.

    python3 lab/compare/lexicography/dispersion.py CHAFFINCH INDEX VERTICAL [ATTRIBUTE]

The parts are the documents, or the values of ATTRIBUTE of doc. The words are all values of the first column.
"""

import csv
import re
import subprocess
import sys
from collections import Counter, defaultdict
from xml.sax import saxutils

program, index, vertical, *attribute = sys.argv[1:]
tokens, hits, part = Counter(), defaultdict(Counter), None
with open(vertical, encoding="utf-8", newline="\n") as lines:
    for n, line in enumerate(lines):
        if line.startswith("<doc "):
            found = attribute and re.search(rf' {attribute[0]}="([^"]*)"', line)
            part = (found[1] if found else "") if attribute else n
        elif "\t" in line:
            tokens[part] += 1
            hits[saxutils.unescape(line.split("\t")[0], {"&quot;": '"'})][part] += 1
size = sum(tokens.values())
by = "doc." + attribute[0] if attribute else "doc"
out = subprocess.run([program, "corpus", "words", index, "--dp", by, "-n", "0", "-f", "tsv"], check=True, capture_output=True, text=True)
worst, words = 0.0, 0
for row in csv.DictReader(out.stdout.split("\n")[:-1], delimiter="\t", quoting=csv.QUOTE_NONE):
    found = hits[row["word"]]
    freq = sum(found.values())
    assert freq == int(row["freq"]), row
    dp = sum(abs(found[p] / freq - n / size) for p, n in tokens.items()) / 2
    norm = dp / (1 - min(tokens.values()) / size)
    worst, words = max(worst, abs(dp - float(row["dp"])), abs(norm - float(row["dpnorm"]))), words + 1
assert words == len(hits), (words, len(hits))
print(f"{by}: {words:,} words in {len(tokens):,} parts, {size:,} tokens: largest difference {worst:.1e}")
sys.exit(worst > 1e-9)
