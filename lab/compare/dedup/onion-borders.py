#!/usr/bin/env python3
"""What n-grams and smoothing find of paragraphs that were planted as copies.

    onion-borders.py [--seed N] < pages.vert

Half of the pages of a vertical are the corpus; of the other half a sixth each
stays as it is, is replaced by an edited copy of a page of the corpus, gets a run
of its paragraphs, gets some of them here and there, or is replaced by a copy with
paragraphs merged or cut. Paragraphs that stand on several pages beforehand are
not judged. Compared are n-grams that cross the borders of paragraphs, that do not,
and that do not but with short paragraphs as n-grams of their own; and rests that
reach to the edge of a document never, always, or if most of it is copied.
"""
import argparse
import random
import re
import sys
from collections import Counter

N, STUB = 7, 20


def pages(lines):
    docs, para = [], []
    for line in lines:
        if line.startswith("<doc "):
            docs.append([])
        elif line.startswith("<p "):
            para = []
            docs[-1].append(para)
        elif not line.startswith("<"):
            word = re.sub(r"\W", "", line.strip().lower())
            if word:
                para.append(word)
    docs = [[p for p in d if p] for d in docs]
    return [d for d in docs if 5 <= len(d) <= 80]


def edit(para, share, words, rng):
    out = []
    for w in para:
        kind = rng.randrange(3) if rng.random() < share else 3
        if kind in (0, 1):
            out.append(rng.choice(words))
        if kind in (1, 3):
            out.append(w)
    return out


def plant(page, source, count, words, rng):
    """The paragraphs of a document and whether each is own, copied, or not judged."""
    own = [(p, "own" if count[tuple(p)] == 1 else "") for p in page]
    share = rng.choice((0, 0, 0.05, 0.1, 0.2))
    copy = [(edit(p, share, words, rng), "copied") for p in source]
    kind = rng.randrange(6)
    if kind == 0:
        return own
    if kind == 1:
        return copy
    if kind == 2:
        i, k = rng.randrange(len(copy)), rng.randrange(len(own) + 1)
        return own[:k] + copy[i : i + rng.randrange(1, 8)] + own[k:]
    if kind == 3:
        for p in rng.sample(copy, min(4, len(copy))):
            own.insert(rng.randrange(len(own) + 1), p)
        return own
    out = []
    if kind == 4:
        while copy:
            n = rng.randrange(1, 4)
            out.append((sum((p for p, _ in copy[:n]), []), "copied"))
            copy = copy[n:]
        return own[:2] + out
    for p, _ in copy:
        while p:
            n = rng.randrange(3, 12) if len(p) > 8 else len(p)
            out.append((p[:n], "copied"))
            p = p[n:]
    return out + own[:2]


def grams(doc, mode):
    flat, start = [w for p in doc for w in p], 0
    for p in doc:
        end = start + len(p)
        first = max(N - 1, start if mode == "cross" else start + N - 1)
        found = [(tuple(flat[e - N + 1 : e + 1]), e) for e in range(first, end)]
        if mode == "whole" and len(p) < N:
            found = [(("",) + tuple(p), end - 1)]
        yield start, end, found
        start = end


def judge(doc, seen, mode, edge):
    bad = []
    for start, end, found in grams(doc, mode):
        covered = {t for g, e in found if g in seen for t in range(max(start, e - N + 1), e + 1)}
        bad.append(len(covered) > 0 and 2 * len(covered) >= end - start)
    if edge == "raw":
        return bad
    length = [len(p) for p in doc]
    most = 2 * sum(n for n, b in zip(length, bad) if b) > sum(length)
    bounds = any(bad) and {"never": False, "always": True, "most": most}[edge]
    out, begin, left = list(bad), 0, bounds
    for i in range(len(doc) + 1):
        if i < len(doc) and not bad[i]:
            continue
        right = bounds if i == len(doc) else True
        if left and right and sum(length[begin:i]) <= STUB:
            out[begin:i] = [True] * (i - begin)
        begin, left = i + 1, True
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seed", type=int, default=5)
    rng = random.Random(ap.parse_args().seed)
    docs = pages(sys.stdin)
    rng.shuffle(docs)
    count = Counter(t for d in docs for t in {tuple(p) for p in d})
    half = len(docs) // 2
    corpus, rest = docs[:half], docs[half:]
    words = [w for d in corpus[:200] for p in d for w in p]
    tests = [[(p, t) for p, t in plant(d, rng.choice(corpus), count, words, rng) if p] for d in rest]
    print("n-grams  edges   words P      R   paragraphs of < n words P      R")
    for mode in ("cross", "stop", "whole"):
        seen = {g for d in corpus for _, _, found in grams(d, mode) for g, _ in found}
        for edge in ("raw", "never", "always", "most"):
            tally = Counter()
            for doc in tests:
                if doc:
                    for (p, truth), bad in zip(doc, judge([p for p, _ in doc], seen, mode, edge)):
                        tally[truth, bad, "words"] += len(p)
                        tally[truth, bad, "short"] += len(p) < N
            cells = []
            for what in ("words", "short"):
                hit = tally["copied", True, what]
                cells.append((hit / max(1, hit + tally["own", True, what]), hit / max(1, hit + tally["copied", False, what])))
            print(f"{mode:8} {edge:6}  {cells[0][0]:.4f} {cells[0][1]:.4f}   {cells[1][0]:24.4f} {cells[1][1]:.4f}")


if __name__ == "__main__":
    main()
