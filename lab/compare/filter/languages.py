#!/usr/bin/env python3
"""Prints the share of good documents that the profile fineweb2 keeps, by set and language, with
the limits for English and with the limits of each language.

    languages.py CHAFFINCH FOLDER...

A folder is an unpacked evaluation set (gold/, meta.jsonl) or NTREX (txt/, DOCUMENT_IDS.tsv).
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

ENGLISH = {
    "use": ["gopher_repetition", "fineweb", "gopher_quality"],
    "limits": {
        "gopher_repetition.duplicate_paragraphs": {}, "gopher_repetition.duplicate_paragraph_chars": {}, "gopher_repetition.duplicate_line_chars": {},
        "fineweb.short_lines": {}, "fineweb.duplicate_line_chars": {"max": 0.1},
    },
}
TAGS = {"zho-CN": "zh-Hans", "zho-TW": "zh-Hant", "gsw-BE": "gsw", "gsw-ZH": "gsw", "spa-ref2": "es", "hmn": "mww"}  # names of NTREX that are no tags


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def documents(folder):
    """Yields the name, language and text of each document of a folder."""
    name = os.path.basename(os.path.normpath(folder))
    if os.path.exists(os.path.join(folder, "DOCUMENT_IDS.tsv")):
        ids = read(os.path.join(folder, "DOCUMENT_IDS.tsv")).splitlines()
        for file in sorted(os.listdir(os.path.join(folder, "txt"))):
            code, docs = file.removesuffix(".txt"), collections.defaultdict(list)
            for i, line in zip(ids, read(os.path.join(folder, "txt", file)).rstrip("\n").split("\n"), strict=True):
                docs[i].append(line)
            for lines in docs.values():
                yield f"{name} {code}", TAGS.get(code, code), "\n".join(lines)
        return
    langs = {d["id"]: d.get("lang") for d in map(json.loads, read(os.path.join(folder, "meta.jsonl")).splitlines())}
    for file in sorted(os.listdir(os.path.join(folder, "gold"))):
        lang = langs.get(file.removesuffix(".txt")) or ("zh" if name == "zh-news" else "en")
        yield f"{name} {lang}", lang, read(os.path.join(folder, "gold", file))


def judge(program, corpus, rules, out):
    subprocess.run([program, "filter", corpus, "-q", "-r", rules, "--annotate", "--force", "-o", out], check=True, stderr=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as f:
        return [json.loads(line)["filter"].get("rule", "") for line in f]


def main():
    program, *folders = sys.argv[1:]
    sets = []
    with tempfile.TemporaryDirectory() as work:
        corpus, english, out = (os.path.join(work, n) for n in ("corpus.jsonl", "english.json", "out.jsonl"))
        with open(english, "w", encoding="utf-8") as f:
            json.dump(ENGLISH, f)
        with open(corpus, "w", encoding="utf-8") as f:
            for folder in folders:
                for name, lang, text in documents(folder):
                    sets.append(name)
                    f.write(json.dumps({"lang": lang, "text": text}, ensure_ascii=False) + "\n")
        before, after = (judge(program, corpus, rules, out) for rules in (english, "fineweb2"))
    rows = collections.defaultdict(list)
    for row in zip(sets, before, after, strict=True):
        rows[row[0]].append(row[1:])
        rows["all"].append(row[1:])
    for name, docs in sorted(rows.items(), key=lambda r: sum(not b for _, b in r[1]) / len(r[1])):
        share = [100 * sum(not x[i] for x in docs) / len(docs) for i in range(2)]
        why = collections.Counter(b for _, b in docs if b).most_common(2)
        print(f"{name:24} {len(docs):5} documents, kept {share[0]:5.1f} % {share[1]:5.1f} %  {', '.join(f'{rule} {n}' for rule, n in why)}")


if __name__ == "__main__":
    main()
