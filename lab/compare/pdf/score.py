"""Scores extracted text against known text: python score.py GOLD PREDICTIONS...

GOLD is a folder of gold.py. PREDICTIONS are folders with NAME.html of lab/eval/pdf or NAME.txt of rivals.py. Columns:
characters and words in common with the known text (normalised indel similarity of NFKC, white space and invisible
characters left out), F1 of whole paragraphs (HTML: elements; text: blank lines), files that keep the running head.
"""
import collections, glob, html, os, re, sys, unicodedata

from rapidfuzz.distance import Indel

INVISIBLE = re.compile("[\u200b-\u200f\u00ad]")
BLOCK = re.compile(r"<(p|h[1-6]|li|td|th|figcaption)\b([^>]*)>(.*?)</\1>", re.S)


def norm(text):
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def squeeze(text):
    return "".join(norm(text).split())


def blocks(name):
    if os.path.exists(name + ".txt"):
        return [p for p in re.split(r"\n\s*\n", open(name + ".txt").read()) if p.strip()]
    if not os.path.exists(name + ".html"):
        return []
    found = BLOCK.findall(open(name + ".html").read())
    return [html.unescape(re.sub("<[^>]*>", "", text)) for _, attrs, text in found if "doc-page" not in attrs]


def score(gold, predictions):
    rows = []
    for path in sorted(glob.glob(gold + "/*.txt")):
        name = os.path.basename(path)[:-4]
        want = [line.removeprefix("# ") for line in open(path).read().split("\n") if line]
        got = blocks(f"{predictions}/{name}")
        head = squeeze(open(f"{gold}/{name}.head").read())
        a, b = collections.Counter(map(squeeze, want)), collections.Counter(map(squeeze, got))
        text = squeeze("".join(got))
        rows.append((name, Indel.normalized_similarity(squeeze("".join(want)), text),
                     Indel.normalized_similarity(norm(" ".join(want)).split(), norm(" ".join(got)).split()),
                     2 * (a & b).total() / (a.total() + b.total()), text.count(head) > squeeze("".join(want)).count(head)))
    return rows


def main(gold, *folders):
    for folder in folders:
        rows = score(gold, folder)
        for kind in "untagged", "tagged":
            of = [r[1:] for r in rows if r[0].endswith("-" + kind)]
            chars, words, paragraphs, heads = map(sum, zip(*of))
            print(f"{os.path.basename(folder)}\t{kind}\t{100 * chars / len(of):.1f}\t{100 * words / len(of):.1f}\t{100 * paragraphs / len(of):.1f}\t{heads} of {len(of)}")
        if os.environ.get("EACH"):
            for name, c, w, p, h in rows:
                print(f"  {name}\t{100 * c:.1f}\t{100 * w:.1f}\t{100 * p:.1f}\t{'head' if h else ''}")


main(*sys.argv[1:])
