#!/usr/bin/env python3
"""Measures what the rules fragments and languages take of good text, and what they find
of boilerplate, made lists and mixtures of two languages.

  remains.py CHAFFINCH OUT --good FILE.jsonl... [--made FILE.jsonl...] [--pages FOLDER...]

Good text has the fields lang, set and text; made text kind, lang and text (chaffinch eval
nontext --save-made). Pages are cleaned: what clean leaves out of a page is a document of
boilerplate. Mixtures are made of the good text: the beginning of one document, and behind
it so much of another one in another language."""

import argparse
import collections
import json
import subprocess
import sys
import zlib

SIZE = 2000  # characters of a mixture
SHARES = (10, 20, 30, 40, 50)  # percent of the other language


def read(names):
    for name in names:
        with open(name, encoding="utf-8") as f:
            yield from map(json.loads, f)


def cut(text, chars):
    """Returns the beginning of a text, up to white space if there is some."""
    return text if len(text) <= chars else text[: max(text.rfind(" ", chars // 2, chars), text.rfind("\n", chars // 2, chars)) % (chars + 1) or chars]


def base(lang):
    return lang.split("-")[0]


def mixtures(good):
    long = [d for d in good if len(d["text"]) >= SIZE]
    long.sort(key=lambda d: zlib.crc32(d["id"].encode()))
    for i, d in enumerate(long):
        other = next((o for o in long[i + 1 :] if base(o["lang"])[:2] != base(d["lang"])[:2]), None)
        if other is None:
            continue
        share = SHARES[i % len(SHARES)]
        n = SIZE * share // 100
        yield {"kind": f"mixture, {share} % other", "lang": d["lang"], "text": cut(d["text"], SIZE - n) + "\n" + cut(other["text"], n)}


def boilerplate(program, pages):
    with subprocess.Popen([program, "clean", "-q", "--annotate", "-f", "json", *pages], stdout=subprocess.PIPE) as p:
        for line in p.stdout:
            d = json.loads(line)
            text = "\n".join(b["text"] for b in d.get("blocks", ()) if b.get("label") != "good" and b.get("text", "").strip())
            if text and d.get("lang"):
                yield {"kind": "boilerplate of pages", "lang": d["lang"], "text": text}


def main():
    args = argparse.ArgumentParser(usage=__doc__)
    args.add_argument("program")
    args.add_argument("out")
    for name in ("good", "made", "pages"):
        args.add_argument("--" + name, nargs="+", default=[])
    args = args.parse_args()
    good = list(read(args.good))
    docs = [{"kind": "good", "lang": d["lang"], "set": d["set"], "text": d["text"]} for d in good]
    docs += mixtures(good)
    docs += ({"kind": f"made {d['kind']}", "lang": d["lang"], "text": d["text"]} for d in read(args.made))
    docs += boilerplate(args.program, args.pages) if args.pages else ()
    with open(args.out, "w", encoding="utf-8") as f:
        for i, d in enumerate(docs):
            f.write(json.dumps({"id": str(i), **d}, ensure_ascii=False) + "\n")
    by_kind, by_lang = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for rules in ("fragments", "languages"):
        out = subprocess.run([args.program, "filter", args.out, "-q", "-r", rules, "--annotate"], stdout=subprocess.PIPE, check=True).stdout
        for d in map(json.loads, out.decode().splitlines()):
            goes = d["filter"]["filter"] == "drop"
            rows = [(by_kind, d["kind"])]
            if d["kind"] == "good":
                rows += [(by_kind, f"good, {d['set']}"), (by_lang, base(d["lang"]))]
            for table, row in rows:
                table[row]["documents"] += rules == "fragments"
                table[row][rules] += goes
                table[row][d["filter"].get("rule", "")] += 1
    for table in (by_kind, by_lang):
        print(f"{'':32} {'documents':>10} {'fragments':>10} {'.words':>8} {'.sentences':>10} {'.within':>8} {'languages':>10}")
        for row, n in sorted(table.items()):
            if table is by_lang and not n["fragments"] + n["languages"]:
                continue
            print(f"{row:32} {n['documents']:10} {100 * n['fragments'] / n['documents']:9.1f}% {n['fragments.words']:8} {n['fragments.sentences']:10} {n['fragments.within']:8} {100 * n['languages'] / n['documents']:9.1f}%")


if __name__ == "__main__":
    main()
