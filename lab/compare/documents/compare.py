#!/usr/bin/env python3
"""Compare what Chaffinch and other programs read from documents.

    compare.py FOLDER [--half dev|report] [--format NAME] [--worst N] [--expected FOLDER]

FOLDER contains a folder of documents per repository, or one per format with such folders. pandoc
reads most formats, asciidoctor AsciiDoc, Python's email mail, pysubs2 subtitles; with --expected,
the trees (*.native) and Markdown files beside a document are compared instead. --half compares
one half of the files, chosen by a hash of their names: rules are developed on dev only.
Words, in order and in lower case, are compared by the share that is in the same order (2 x common
/ all), characters without spaces likewise. Recall is the share of the other program's headings,
list items and table cells that are elements of the same text here. Formulas and references of
LaTeX are not compared. The other programs and
rapidfuzz must be installed.
"""
import argparse
import collections
import hashlib
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import unicodedata

import rapidfuzz.distance.Indel
import rapidfuzz.distance.LCSseq

import other

HERE = pathlib.Path(__file__).parent
BLOCKS = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "br", "figcaption", "blockquote", "section", "aside", "div", "caption", "dt", "dd", "pre", "tr"}
PARTS = {"doc-pageheader", "doc-pagefooter", "doc-noteref", "doc-backlink"}
CLASSES = {"footnote-ref", "footnote-back", "noteref", "footnote", "author", "date", "details", "conum", "footnoteref", "math"}
FORMULA = re.compile(r"\$[^$<]*\$")
VOID = {"meta", "br", "hr", "img", "input", "col", "link", "wbr", "source", "area", "embed", "track", "base"}
ELEMENTS = {"h1": "headings", "h2": "headings", "h3": "headings", "h4": "headings", "h5": "headings", "h6": "headings", "li": "items", "td": "cells", "th": "cells"}


class Text(html.parser.HTMLParser):
    """The text of HTML, without references to notes, running heads, title and images, and the
    texts of headings, items and cells."""

    def __init__(self):
        super().__init__()
        self.out, self.skip, self.open, self.found = [], None, [], collections.defaultdict(collections.Counter)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in BLOCKS:
            self.out.append("\n")
        if tag in ("ul", "ol", "table"):
            self.end()  # the text of an item ends at its lists
        if tag in VOID:
            return
        self.open.append([tag, [] if tag in ELEMENTS and self.skip is None else None])
        names = set((attrs.get("class") or "").split())
        if self.skip is None and (tag in ("head", "script", "style", "annotation") or tag == "header" and "fields" in names or attrs.get("role") in PARTS or "data-reference" in attrs
                                  or names & CLASSES and tag in ("a", "sup", "span", "p", "div", "b", "i") and not (tag == "div" and names & {"footnote", "details"} and attrs.get("id") != "footer")
                                  or attrs.get("id") == "footer"):
            self.skip = len(self.open)

    def end(self):
        """End the texts of the open elements."""
        for i, (tag, text) in enumerate(self.open):
            if text is not None:
                key = " ".join(words("".join(text)))
                if key:
                    self.found[ELEMENTS[tag]][key] += 1
                self.open[i][1] = None

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self.out.append("\n")
        if tag in VOID or all(t != tag for t, _ in self.open):
            return
        while True:
            if self.open[-1][1] is not None:
                self.end()
            name, _ = self.open.pop()
            if self.skip is not None and len(self.open) < self.skip:
                self.skip = None
            if name == tag:
                return

    def handle_data(self, data):
        if self.skip is None:
            self.out.append(data)
            for _, text in self.open:
                if text is not None:
                    text.append(data)


def read_html(markup):
    reader = Text()
    reader.feed(markup)
    reader.close()
    return "".join(reader.out), reader.found


def words(text):
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    return re.findall(r"\w+", text.lower())


def common_words(a, b):
    """The number of words in the same order."""
    return rapidfuzz.distance.LCSseq.similarity(a, b)


def characters(text, most):
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))[:most]


def expected_of(folder, path):
    for ending, reader in ((".native", "native"), (".md", "gfm")):
        if pathlib.Path(str(folder / path) + ending).exists():
            return reader, other.pandoc("--from", reader, str(folder / path) + ending)
    return "", None


def main():
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("folder", type=pathlib.Path)
    cli.add_argument("--half", choices=("dev", "report"), help="only this half of the files")
    cli.add_argument("--worst", type=int, default=10, help="number of files to list per format")
    cli.add_argument("--expected", type=pathlib.Path, help="folder of expected trees (FILE.native or FILE.md), by the path below FOLDER")
    cli.add_argument("--format", help="only this format")
    cli.add_argument("--most", type=int, default=20000, help="most words of a text to compare")
    args = cli.parse_args()
    files = []
    for path in sorted(args.folder.glob("**/*")):
        kind = other.SUFFIXES.get(path.suffix.lower())
        half = "dev" if hashlib.sha256(path.name.encode()).digest()[0] % 2 == 0 else "report"
        if kind and path.is_file() and args.format in (None, kind) and args.half in (None, half):
            files.append(str(path))
    read = subprocess.run(["go", "run", "./read", *(str(pathlib.Path(f).resolve()) for f in files)], cwd=HERE, capture_output=True, text=True)
    if read.returncode != 0:
        sys.exit(read.stderr)
    table, worst = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    for name, line in zip(files, read.stdout.splitlines()):
        r, path = json.loads(line), pathlib.Path(name)
        kind = other.SUFFIXES[path.suffix.lower()]
        row = table[kind]
        row["files"] += 1
        row["crashes"] += bool(r["error"])
        row["dropped"] += bool(r["drop"])
        row["not detected"] += not r["format"]
        row["bytes"] += r["bytes"]
        row["microseconds"] += round(1e6 * r["seconds"])
        text, found = read_html(FORMULA.sub(" ", r["html"]) if kind == "latex" else r["html"])
        source, expected = expected_of(args.expected, path.relative_to(args.folder)) if args.expected else other.read(kind, path)
        if expected is None:
            row["failed"] += 1
            if r["drop"]:
                worst[kind].append((-1, 0, len(words(text)), path.name, r["drop"]))
            continue
        their_text, their_found = read_html(expected)
        ours, theirs = words(text)[:args.most], words(their_text)[:args.most]
        if not theirs and not ours:
            continue
        common = common_words(ours, theirs)
        share = 2 * common / (len(ours) + len(theirs))
        row["compared"] += 1
        row["similarity"] += share
        row["characters"] += rapidfuzz.distance.Indel.normalized_similarity(characters(text, 5 * args.most), characters(their_text, 5 * args.most))
        row["common"] += common
        row["ours"] += len(ours)
        row["theirs"] += len(theirs)
        row["over .99"] += share > .99
        for name in ("headings", "items", "cells"):
            row["their " + name] += their_found[name].total()
            row["common " + name] += (found[name] & their_found[name]).total()
        worst[kind].append((share, len(theirs), len(ours), path.name, r["drop"] or r["cut"] or source))
    print("| format | files | not detected | dropped | crashes | compared | words | characters | files over 99 % | words in both / Chaffinch | words in both / other | headings | items | cells | MB/s |")
    print("|" + "---|" * 15)
    for kind, row in sorted(table.items()):
        n = max(row["compared"], 1)
        recall = " | ".join(f"{100 * row['common ' + e] / row['their ' + e]:.1f} %" if row["their " + e] else "–" for e in ("headings", "items", "cells"))
        print(f"| {kind} | {row['files']} | {row['not detected']} | {row['dropped']} | {row['crashes']} | {row['compared']} | {100 * row['similarity'] / n:.1f} % | {100 * row['characters'] / n:.1f} % | {row['over .99']} "
              f"| {100 * row['common'] / max(row['ours'], 1):.1f} % | {100 * row['common'] / max(row['theirs'], 1):.1f} % | {recall} | {row['bytes'] / max(row['microseconds'], 1):.1f} |")
    for kind, rows in sorted(worst.items()):
        print(f"\n{kind}: least similar files (similarity, words of the other program, of Chaffinch)")
        for share, theirs, ours, name, note in sorted(rows)[:args.worst]:
            print(f"  {share:.3f} {theirs:6} {ours:6} {name} {note}")


if __name__ == "__main__":
    main()
