#!/usr/bin/env python3
"""Repeats the documents of a vertical with edits until there are enough.

    onion-vertical.py --docs 20000 --seed 1 < pages.vert > repeated.vert

Every document of standard input comes out once as it is, at a place drawn by
chance; the others are exact copies, copies with 5, 10, 20 or 40 per cent of the
tokens changed, two documents in one, a part of a document, a document with
paragraphs of another, and single short paragraphs. The same seed gives the same
bytes. Tags are those that `chaffinch clean -f vertical` writes; copies get ids
of their own.
"""
import argparse
import random
import re
import sys


def documents(lines):
    doc = []
    for line in lines:
        doc.append(line)
        if line.startswith("</doc>"):
            yield doc
            doc = []
    if doc:
        yield doc


def paragraphs(doc):
    """The body of a document as lists of lines from <p ...> to </p>."""
    paras, para = [], None
    for line in doc[1:-1]:
        if line.startswith(("<p>", "<p ")):
            para = []
        if para is not None:
            para.append(line)
        if line.startswith("</p>"):
            paras.append(para)
            para = None
    return paras


def edited(paras, share, words, rng):
    """Tokens replaced, left out, doubled or swapped."""
    out = []
    for para in paras:
        new = []
        for line in para:
            if line.startswith("<") or rng.random() >= share:
                new.append(line)
                continue
            kind = rng.randrange(4)
            if kind == 0:
                new.append(rng.choice(words))
            elif kind == 1:
                new.extend((line, rng.choice(words)))
            elif kind == 2 and not new[-1].startswith("<"):
                new.append(new[-1])
                new[-2] = line
        out.append(new)
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--docs", type=int, default=20000)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    rng = random.Random(args.seed)
    base = list(documents(sys.stdin))
    heads = [re.sub(r' id="[^"]*"', "", d[0]) for d in base]
    bodies = [paragraphs(d) for d in base]
    words = [w for d in base[::7] for w in d if not w.startswith("<")][:200000]
    docs = list(range(len(base))) + [-1] * max(args.docs - len(base), 0)
    rng.shuffle(docs)
    for num, own in enumerate(docs):
        i = own if own >= 0 else rng.randrange(len(base))
        body = bodies[i]
        if own < 0 and body:
            kind = rng.randrange(9)
            other = bodies[rng.randrange(len(base))]
            cut = rng.randrange(len(body))
            if 1 <= kind <= 4:
                body = edited(body, (0.05, 0.1, 0.2, 0.4)[kind - 1], words, rng)
            elif kind == 5:
                body = body + other
            elif kind == 6:
                body = body[cut : cut + 1 + rng.randrange(len(body))]
            elif kind == 7 and other:
                n = rng.randrange(len(other))
                body = body[:cut] + other[n : n + 3] + body[cut:]
            elif kind == 8:
                body = [p for p in body if len(p) < 25]
        head = heads[i][: heads[i].index("<doc") + 4] + f' id="{num}"' + heads[i][4:]
        sys.stdout.write(head)
        for para in body:
            sys.stdout.writelines(para)
        sys.stdout.write("</doc>\n")


if __name__ == "__main__":
    main()
