#!/usr/bin/env python3
"""Reads and writes the texts of silver.sh.

    silver.py words CONLLU          prints the words, one sentence a line
    silver.py agree CONLLU TAGGED   prints the sentences of more than three words
                                    whose parts of speech agree with TAGGED: words
                                    and parts of speech, separated by tabs, and an
                                    empty line after each sentence
"""
import sys


def sentences(path):
    rows = []
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line and line[0] != "#":
            rows.append(line.split("\t"))
        elif not line and rows:
            yield rows
            rows = []
    if rows:
        yield rows


def words(rows):
    return [r for r in rows if r[0].isdigit()]


def main():
    if sys.argv[1] == "words":
        for s in sentences(sys.argv[2]):
            print(" ".join(r[1].replace(" ", "_").replace("\u00a0", "_") for r in words(s)))
        return
    kept = total = 0
    for s, other in zip(sentences(sys.argv[2]), sentences(sys.argv[3]), strict=True):
        total += 1
        if len(words(s)) > 3 and [r[3] for r in words(s)] == [r[1] for r in other]:
            kept += 1
            print("\n".join("\t".join(x or "_" for x in r) for r in s), end="\n\n")
    print(f"silver.py: {kept} of {total} sentences agree", file=sys.stderr)


if __name__ == "__main__":
    main()
