#!/usr/bin/env python3
"""Compares two verticals as onion marks them, line by line.

    onion-differences.py OURS THEIRS

Both have "0" or "1" and a tab in front of each line. Prints each paragraph whose
mark differs, with its line, and at last the numbers of lines and paragraphs and
of those that differ. Ends with 1 if the lines behind the marks are not the same.
"""
import itertools
import sys


def text(para):
    return " ".join(line[2:].rstrip("\n") for line in para if not line[2:].startswith("<"))


def main():
    lines = paras = other_lines = other_paras = 0
    para, first, marks = [], 0, None
    with open(sys.argv[1], encoding="utf-8") as a, open(sys.argv[2], encoding="utf-8") as b:
        for x, y in itertools.zip_longest(a, b):
            if x is None or y is None or x[2:] != y[2:]:
                print(f"line {lines + 1}: not the same text: {x!r}, {y!r}")
                return 1
            lines += 1
            if x[2:].startswith(("<p>", "<p ", "<doc>", "<doc ")):
                if marks:
                    other_paras += 1
                    print(f"line {first}: {marks}: {text(para)}")
                paras += x[2:].startswith("<p")
                para, first, marks = [], lines, None
            para.append(x)
            if x != y:
                other_lines += 1
                marks = marks or f"{x[0]} {y[0]}"
    if marks:
        other_paras += 1
        print(f"line {first}: {marks}: {text(para)}")
    print(f"{lines} lines, {other_lines} differ; {paras} paragraphs, {other_paras} differ ({100 - 100 * other_paras / max(paras, 1):.4f} % the same)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
