"""Compares translation candidates and queries over aligned segments with an independent computation
from the two verticals, whose n-th <align> correspond.

    translations.py PROGRAM FIRST.vert SECOND.vert COLUMNS WORD...

Indexes both verticals in a temporary folder, with COLUMNS such as word,lemma,pos,tag,feats,lempos. For
each word (a value of the attribute lemma, else word) it prints the best candidate of the program, and
compares all candidates, their numbers and the hits with and without the best one. Exit code 1 if one
differs."""

import csv
import html
import io
import math
import pathlib
import subprocess
import sys
import tempfile

FLOOR = 10.83


def segments(name, column):
    """Returns the values of a column in each segment."""
    out = []
    for line in open(name, encoding="utf8"):
        line = line.rstrip("\n")
        if line.startswith("<align"):
            out.append([])
        elif not (line.startswith("<") and len(line) > 1 and (line[1].isalpha() or line[1] in "/!?")):
            out[-1].append(html.unescape(line.split("\t")[column]))
    return out


def likelihood(joint, x, y, n):
    """Returns Dunning's log-likelihood ratio of a table of two by two."""
    cells = [(joint, x * y / n), (x - joint, x * (n - y) / n), (y - joint, (n - x) * y / n), (n - x - y + joint, (n - x) * (n - y) / n)]
    return 2 * sum(o * math.log(o / e) for o, e in cells if o > 0)


def candidates(first, second, word):
    with_word = [word in s for s in first]
    x, n = sum(with_word), len(first)
    freq, joint = {}, {}
    for has, s in zip(with_word, second):
        for w in set(s):
            if any(c.isalpha() for c in w):
                freq[w] = freq.get(w, 0) + 1
                joint[w] = joint.get(w, 0) + has
    rows = []
    for w, f in joint.items():
        if f >= 2 and f * n >= x * freq[w] and likelihood(f, x, freq[w], n) >= FLOOR:
            rows.append((w, f, freq[w], 14 + math.log2(2 * f / (x + freq[w]))))
    return sorted(rows, key=lambda r: (-r[3], -likelihood(r[1], x, r[2], n), r[0]))


def main(program, first, second, columns, *words):
    attr = "lemma" if "lemma" in columns.split(",") else "word"
    column = columns.split(",").index(attr)
    own, other = segments(first, column), segments(second, column)
    if len(own) != len(other):
        sys.exit(f"{len(own)} segments in {first}, {len(other)} in {second}: wanted equal numbers")
    wrong = 0
    with tempfile.TemporaryDirectory() as tmp:
        folders = [str(pathlib.Path(tmp, n)) for n in ("first", "second")]

        def run(*args):
            return subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout

        for vert, folder in zip((first, second), folders):
            run("corpus", "index", vert, "-c", columns, "-o", folder, "-q", "--grammar", "none")
        run("corpus", "align", *folders, "-q")

        def count(query):
            return int(run("corpus", "conc", folders[0], query, "--count").split()[0].replace(",", ""))

        quoted = lambda w: w.replace("\\", "\\\\").replace('"', '\\"')
        for word in words:
            query = f'[{attr}=="{quoted(word)}"]'
            table = run("corpus", "translations", folders[0], query, "--aligned", "second", "-a", attr, "-w", "-n", "0", "-f", "tsv")
            got = [(r["translation"], int(r["hits"]), int(r["freq"]), float(r["logDice"])) for r in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)]
            want = candidates(own, other, word)
            same = len(got) == len(want) and all(a[:3] == b[:3] and abs(a[3] - b[3]) < 1e-9 for a, b in zip(got, want))
            best = got[0][0] if got else ""
            hits = count(query)
            pairs = [(s.count(word), best in t) for s, t in zip(own, other)]
            queries = not best or (
                count(f'{query} within second: [{attr}=="{quoted(best)}"]') == sum(n for n, has in pairs if has)
                and count(f'{query} !within second: [{attr}=="{quoted(best)}"]') == sum(n for n, has in pairs if not has)
            )
            wrong += not (same and queries and hits == sum(n for n, _ in pairs))
            print(f"{word}\t{hits}\t{len(got)}\t{best}\t{f'{got[0][1]}/{got[0][2]}' if got else ''}\t{f'{got[0][3]:.2f}' if got else ''}\t{'equal' if same and queries else 'DIFFERS'}")
    print(f"{len(words)} words, {wrong} differ")
    return wrong > 0


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
