#!/usr/bin/env python3
"""Writes a lexicon for "chaffinch train tagger --lexicon" from a dictionary.

    lexicon.py LANG DICTIONARY TREEBANK... -o OUT [--words N] [--map FILE]

DICTIONARY holds forms, lemmas and tags of a dictionary, separated by tabs
(Dump.java prints them). Each tag is mapped to the full tags (part of speech and
features) that words with this analysis have in the treebanks, in CoNLL-U; tags.tsv
restricts the parts of speech. Words of closed classes are left to the treebank. OUT holds the N most frequent words of the package
wordfreq that the dictionary has: form, lemma, tag and count. --map writes the map.
"""
import argparse, collections, os

SHARE = 0.1  # minimum share of a full tag among the readings of a dictionary tag
SUPPORT = 0.9  # minimum number of words of a pair
OPEN = ("ADJ", "ADV", "NOUN", "PROPN", "VERB")


def treebank(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            c = line.rstrip("\n").split("\t")
            if len(c) == 10 and c[0].isdigit() and c[3] not in ("_", "PUNCT", "SYM"):
                yield c[1], c[2], c[3] + ("|" + c[5] if c[5] != "_" else "")


def fold(lemma):
    return lemma.lower().replace("#", "").replace("_", "").replace("\u0301", "")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("lang")
    p.add_argument("dictionary")
    p.add_argument("treebanks", nargs="+")
    p.add_argument("-o", "--out", required=True)
    p.add_argument("--words", type=int, default=200_000)
    p.add_argument("--map")
    a = p.parse_args()

    coarse = {}
    for line in open(os.path.join(os.path.dirname(__file__), "tags.tsv"), encoding="utf-8"):
        if not line.startswith("#"):
            lang, begin, upos = line.rstrip("\n").split("\t")
            if lang == a.lang:
                coarse[begin] = set(upos.split())

    def allowed(tag):
        for n in range(len(tag), 0, -1):
            if tag[:n] in coarse:
                return coarse[tag[:n]]
        return set()

    gold = collections.Counter()
    for t in a.treebanks:
        gold.update(treebank(t))
    freq = {}
    import wordfreq
    for w in wordfreq.iter_wordlist(a.lang, "best"):
        if len(freq) == a.words:
            break
        if not any(c.isdigit() for c in w):
            freq[w] = len(freq)
    wanted = set(freq) | {form.lower() for form, _, _ in gold}

    words = collections.defaultdict(set)
    with open(a.dictionary, encoding="utf-8") as f:
        for line in f:
            c = line.rstrip("\n").split("\t")
            if len(c) == 3 and c[0].lower() in wanted:
                for tag in c[2].split("+") if a.lang == "pl" else [c[2]]:
                    words[c[0].lower()].add((c[0], c[1], tag))

    # Some treebanks write the lemmas of names in lower case.
    names = [lemma.islower() for (form, lemma, full), _ in gold.items() if full.startswith("PROPN") and form[0].isupper()]
    lower = sum(names) > len(names) / 2

    # Expectation maximization of the full tags of each dictionary tag.
    pairs = []
    for (form, lemma, full), n in gold.items():
        upos = full.split("|")[0]
        tags = {t for _, l, t in words.get(form.lower(), ()) if fold(l) == fold(lemma) and upos in allowed(t)}
        if tags:
            pairs.append((tags, full, n))
    share = {}
    for _ in range(6):
        counts = collections.defaultdict(collections.Counter)
        for tags, full, n in pairs:
            weight = {t: share.get((t, full), 1e-6) if share else 1 for t in tags}
            total = sum(weight.values())
            for t, w in weight.items():
                counts[t][full] += n * w / total
        share = {(t, full): c / sum(by.values()) for t, by in counts.items() for full, c in by.items()}
    tagmap = {}
    for t, by in sorted(counts.items()):
        total = sum(by.values())
        tagmap[t] = [(full, c) for full, c in by.most_common() if c >= SUPPORT and c >= SHARE * total and full.split("|")[0] in OPEN]
    if a.map:
        with open(a.map, "w", encoding="utf-8") as f:
            for t, fulls in tagmap.items():
                for full, c in fulls:
                    f.write(f"{t}\t{full}\t{c:.1f}\n")

    entries = 0
    with open(a.out, "w", encoding="utf-8") as f:
        for w, rank in freq.items():
            readings = {}
            for form, lemma, tag in sorted(words.get(w, ())):
                for full, c in tagmap.get(tag, ()):
                    key = form, lemma.lower() if lower and full.startswith("PROPN") else lemma, full
                    readings[key] = readings.get(key, 0) + c
            for (form, lemma, full), _ in sorted(readings.items(), key=lambda x: -x[1]):
                f.write(f"{form}\t{lemma}\t{full}\t{max(1, 1_000_000 // (rank + 1))}\n")
                entries += 1
    known = sum(n for (form, _, _), n in gold.items() if form.lower() in words)
    print(f"{a.lang}: {len(tagmap)} tags mapped, {entries} entries; {100 * known / max(1, sum(gold.values())):.1f} % of the treebanks' words in the dictionary")


if __name__ == "__main__":
    main()
