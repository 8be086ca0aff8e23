#!/usr/bin/env python3
"""Compares the ARPA file of lmplz with ours.

  arpa.py LMPLZ.arpa OURS.arpa LMPLZ.log INFO.json"""
import json, re, sys


def read(path):
    grams, order = {}, 0
    for line in open(path, encoding="utf-8", errors="surrogateescape", newline="\n"):
        line = line.rstrip("\n")
        if m := re.fullmatch(r"\\(\d+)-grams:", line):
            order = int(m[1])
        elif order and line and not line.startswith("\\end"):
            f = line.split("\t")
            grams[f[1]] = (float(f[0]), float(f[2]) if len(f) > 2 else 0.0)
    return grams


theirs, ours = read(sys.argv[1]), read(sys.argv[2])
log = open(sys.argv[3]).read()
card = json.load(open(sys.argv[4]))["card"]
worst_discount = 0.0
for order, d in re.findall(r"^(\d+) \d+(?:/\d+)? D1=(\S+ D2=\S+ D3\+=\S+)$", log, re.M):
    values = [float(x) for x in re.split(r" D[23]\+?=", d)]
    worst_discount = max(worst_discount, *(abs(a - b) for a, b in zip(values, card["discounts"][int(order) - 1])))
both = theirs.keys() & ours.keys()
p = max(abs(theirs[g][0] - ours[g][0]) for g in both)
b = max(abs(theirs[g][1] - ours[g][1]) for g in both)
print(f"{len(theirs)} n-grams, only lmplz {len(theirs) - len(both)}, only ours {len(ours) - len(both)}; "
      f"largest difference: discounts {worst_discount:.2g}, log10 probability {p:.2g}, back-off {b:.2g}")
