"""Compare the word sketches of chaffinch with an independent computation.

It computes sketches of a treebank by the same grammar with a naive matcher, which enumerates
all ways to match in each sentence, and compares the counts of frequent words with the output
of "chaffinch corpus sketch".

Usage: sketch.py --chaffinch PROGRAM --grammar GRAMMAR.txt --lang LANG TREEBANK.conllu
"""

import argparse
import collections
import functools
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

COLUMNS = ["word", "lemma", "pos", "tag", "feats", "lempos"]
LETTERS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "j", "ADV": "a", "PRON": "d", "ADP": "i", "CCONJ": "c", "SCONJ": "c", "NUM": "m"}


def given(value):
    return "" if value == "_" else value


def sentences(path):
    """Yield the sentences of a treebank, as lists of dictionaries. A multiword token whose words
    do not spell it is one token, with the values of its words joined by "+"."""
    words, parts = [], None
    for line in path.open(encoding="utf-8"):
        line = line.rstrip("\n")
        if not line:
            if words:
                yield words
            words, parts = [], None
            continue
        f = line.split("\t")
        if line[0] == "#" or "." in f[0]:
            continue
        if "-" in f[0]:
            parts = (int(f[0].split("-")[1]), f[1], [])
            continue
        lemma = f[2] if f[2] != "_" or f[1] == "_" else ""
        row = [f[1], lemma, given(f[3]), given(f[4]), given(f[5]), lemma + "-" + LETTERS.get(f[3], "x") if lemma else ""]
        rows = [row]
        if parts:
            parts[2].append(row)
            if int(f[0]) < parts[0]:
                continue
            rows = parts[2]
            if "".join(r[0] for r in rows) != parts[1]:
                rows = [[parts[1]] + ["+".join(r[i] for r in rows) for i in range(1, len(COLUMNS))]]
            parts = None
        words.extend(dict(zip(COLUMNS, r)) for r in rows)
    if words:
        yield words


def write_vertical(path, sents, lang):
    def escaped(value):
        return value.replace("&", "&amp;").replace("<", "&lt;").replace("\t", " ")

    with path.open("w", encoding="utf-8") as out:
        print(f'<doc lang="{lang}">', file=out)
        for s in sents:
            print("<s>", file=out)
            for t in s:
                print("\t".join(escaped(t[c]) for c in COLUMNS), file=out)
            print("</s>", file=out)
        print("</doc>", file=out)


def relations(text):
    """Return (names, flags, default attribute, query) of each query of a grammar."""
    macros = {}

    def define(m):
        macros[m[1]] = m[2]
        return ""

    text = re.sub(r"define\(`(\w+)',\s*`(.*?)'\)", define, text)
    for _ in range(5):
        text = re.sub(r"[A-Za-z_]\w*", lambda m: macros.get(m[0], m[0]), text)
    out, flags, names, attr = [], set(), None, "word"
    for line in text.splitlines():
        line = line.strip()
        if not line or line[0] == "#" or line.startswith("divert"):
            continue
        if line[0] == "=":
            dual = "DUAL" in flags
            names = line[1:].split("/") if dual else [line[1:]]
            current, flags = flags, set()
        elif line[0] == "*":
            name, _, value = line[1:].partition(" ")
            if name == "DEFAULTATTR":
                attr = value
            elif name == "SYMMETRIC":
                current = current | {name}
            elif name in ("DUAL", "UNARY", "TRINARY"):
                flags = flags | {name}
        else:
            out.append((names, current, attr, line))
    return out


LEXEME = re.compile(r'\s*("(?:[^"\\]|\\.)*"|!=|</?s>|\{\d*,?\d*\}|[\[\]()|&!=?*+:.]|\w+)')


class Query:
    """A parsed query: a function from (sentence, position, labels) to the ways to match."""

    def __init__(self, text, attr):
        self.attr = attr
        self.lexemes, at = [], 0
        text = text.strip()
        while at < len(text):
            m = LEXEME.match(text, at)
            if not m:
                sys.exit(f"query {text!r}: {text[at:]!r} is not understood")
            self.lexemes.append(m[1])
            at = m.end()
        self.i = 0
        self.match = self.choice()
        self.same = []
        while self.peek() == "&":
            self.take()
            a, _, b = self.take(), self.take(), self.take()
            assert self.take() == "="
            c, _, d = self.take(), self.take(), self.take()
            self.same.append((a, b, c, d))
        assert self.peek() is None, self.lexemes[self.i :]

    def peek(self, ahead=0):
        return self.lexemes[self.i + ahead] if self.i + ahead < len(self.lexemes) else None

    def take(self):
        self.i += 1
        return self.lexemes[self.i - 1]

    def choice(self):
        branches = [self.sequence()]
        while self.peek() == "|":
            self.take()
            branches.append(self.sequence())

        def match(s, at, labels):
            for b in branches:
                yield from b(s, at, labels)

        return match

    def sequence(self):
        parts = [self.repeated()]
        while self.peek() not in (None, "|", ")", "&"):
            parts.append(self.repeated())

        def match(s, at, labels, i=0):
            if i == len(parts):
                yield at, labels
                return
            for end, set_ in parts[i](s, at, labels):
                yield from match(s, end, set_, i + 1)

        return match

    def repeated(self):
        part, low, high = self.atom(), 1, 1
        mark = self.peek()
        if mark in ("?", "*", "+"):
            low, high = {"?": (0, 1), "*": (0, 1000), "+": (1, 1000)}[self.take()]
        elif mark and mark[0] == "{":
            a, comma, b = self.take()[1:-1].partition(",")
            low, high = int(a or 0), int(b) if b else 1000 if comma else int(a)
        if (low, high) == (1, 1):
            return part

        def match(s, at, labels, n=0):
            if n >= low:
                yield at, labels
            if n < high:
                for end, set_ in part(s, at, labels):
                    yield from match(s, end, set_, n + 1)

        return match

    def atom(self):
        if self.peek(1) == ":":
            label = self.take()
            self.take()
            part = self.atom()
            return lambda s, at, labels: part(s, at, {**labels, label: at})
        x = self.take()
        if x == "(":
            part = self.choice()
            assert self.take() == ")"
            return part
        if x == "<s>":
            return lambda s, at, labels: [(at, labels)] if at == 0 else []
        if x == "</s>":
            return lambda s, at, labels: [(at, labels)] if at == len(s) else []
        if x == "[":
            test = self.either()
            assert self.take() == "]"
        else:
            test = self.value(self.attr, x)
        return lambda s, at, labels: [(at + 1, labels)] if at < len(s) and test(s[at]) else []

    def either(self):
        tests = [self.both()]
        while self.peek() == "|":
            self.take()
            tests.append(self.both())
        return lambda t: any(f(t) for f in tests)

    def both(self):
        tests = [self.condition()]
        while self.peek() == "&":
            self.take()
            tests.append(self.condition())
        return lambda t: all(f(t) for f in tests)

    def condition(self):
        x = self.take()
        if x == "!":
            test = self.condition()
            return lambda t: not test(t)
        if x == "(":
            test = self.either()
            assert self.take() == ")"
            return test
        if x[0] == '"':
            return self.value(self.attr, x)
        sign = self.take()
        test = self.value(x, self.take())
        return test if sign == "=" else lambda t: not test(t)

    @staticmethod
    def value(attr, quoted):
        matches = functools.cache(re.compile(quoted[1:-1]).fullmatch)
        return lambda t: bool(matches(t[attr]))


def compute(grammar, sents):
    """Return the positions of each (headword, relation, collocate)."""
    found = collections.defaultdict(set)
    lemmas = {t["lemma"] for s in sents for t in s}
    for names, flags, attr, text in relations(grammar):
        q = Query(text, attr)
        base = 0
        for s in sents:
            for at in range(len(s)):
                for end, labels in q.match(s, at, {}):
                    if end == at or any(s[labels[a]][b] != s[labels[c]][d] for a, b, c, d in q.same):
                        continue
                    one = labels["1"]
                    two = one if "UNARY" in flags else labels["2"]
                    head, coll = s[one]["lempos"], s[two]["lempos"]
                    if not head or not coll:
                        continue
                    filled = names
                    if "TRINARY" in flags:
                        third = s[labels["3"]]["lemma"]
                        first, plus, rest = third.partition("+")
                        if plus and first and rest and first in lemmas:
                            third = first
                        filled = [n.replace("%(3.lemma)", third) for n in names]
                    pair = (base + one, base + two)
                    if "UNARY" in flags:
                        found[head, filled[0], ""].add(pair)
                        continue
                    found[head, filled[0], coll].add(pair)
                    if "SYMMETRIC" in flags or len(filled) > 1:
                        found[coll, filled[-1], head].add(pair[::-1])
            base += len(s)
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("treebank", type=pathlib.Path)
    p.add_argument("--chaffinch", required=True)
    p.add_argument("--grammar", required=True, type=pathlib.Path)
    p.add_argument("--lang", required=True)
    p.add_argument("--words", type=int, default=50)
    args = p.parse_args()

    sents = list(sentences(args.treebank))
    found = compute(args.grammar.read_text(encoding="utf-8"), sents)
    hits, heads, colls = collections.defaultdict(dict), collections.Counter(), collections.Counter()
    for (head, relation, coll), pairs in found.items():
        hits[head][relation, coll] = len(pairs)
        heads[head, relation] += len(pairs)
        if coll:
            colls[coll] += len(pairs)
    words = [w for w, _ in collections.Counter({w: sum(c.values()) for w, c in hits.items() if w[-2:] in ("-n", "-v", "-j", "-a")}).most_common(args.words)]

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_vertical(folder / "t.vert", sents, args.lang)
        run = functools.partial(subprocess.run, check=True, capture_output=True, text=True)
        run([args.chaffinch, "corpus", "index", "-q", folder / "t.vert", "-c", ",".join(COLUMNS), "-o", folder / "x"])
        run([args.chaffinch, "corpus", "sketches", "-q", folder / "x", "--grammar", args.grammar])
        wrong = triples = 0
        for word in words:
            out = run([args.chaffinch, "corpus", "sketch", folder / "x", word, "--min-hits", "0", "-n", "0", "-f", "json"]).stdout
            expected = {}
            for (relation, coll), n in hits[word].items():
                name = relation.replace("%w", word[:-2])
                score = 14 + math.log2(2 * n / (heads[word, relation] + colls[coll])) if coll else 0
                expected[name, coll] = (n, round(score, 9))
            got = {}
            for r in json.loads(out)["relations"]:
                if r.get("unary"):
                    got[r["name"], ""] = (r["hits"], 0)
                for c in r["collocates"]:
                    got[r["name"], c["word"]] = (c["hits"], round(c["score"], 9))
            triples += len(expected)
            for key in sorted(expected.keys() | got.keys()):
                if expected.get(key) != got.get(key):
                    wrong += 1
                    print(f"{word}\t{key[0]}\t{key[1]}\texpected {expected.get(key)}, got {got.get(key)}")
    print(f"{args.lang}: {len(words)} words, {triples} counts and scores, {wrong} different")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
