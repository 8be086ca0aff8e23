#!/usr/bin/env python3
"""Compare the text that pandoc and Chaffinch read from documents.

    compare.py FOLDER [--worst N] [--expected]

FOLDER contains a folder of documents per repository. pandoc reads each file that it has a reader
for; with --expected, the trees (*.native) and Markdown files beside a document are compared as
well. The words of both texts, in order and in lower case, are compared by the share of words that
are in the same order (2 x common / all). A table by format is printed, then the worst files.
"""
import argparse
import collections
import difflib
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import unicodedata

HERE = pathlib.Path(__file__).parent
PANDOC = {"docx": "docx", "odt": "odt", "epub": "epub", "rtf": "rtf", "fb2": "fb2"}
SUFFIXES = {".docx": "docx", ".docm": "docx", ".dotx": "docx", ".pptx": "pptx", ".pptm": "pptx", ".ppsx": "pptx", ".odt": "odt", ".fodt": "odt",
            ".epub": "epub", ".rtf": "rtf", ".fb2": "fb2"}
BLOCKS = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "br", "figcaption", "blockquote", "section", "aside", "div", "caption", "dt", "dd"}
PARTS = {"doc-pageheader", "doc-pagefooter"}


class Text(html.parser.HTMLParser):
    """The text of HTML, without references to notes, running heads, title and images."""

    def __init__(self):
        super().__init__()
        self.out, self.skip, self.depth = [], None, 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in BLOCKS:
            self.out.append("\n")
        if tag in ("meta", "br", "hr", "img", "input", "col", "link"):
            return
        self.depth += 1
        role = attrs.get("role", "")
        if self.skip is None and (tag in ("head", "script", "style", "annotation") or role in PARTS | {"doc-noteref", "doc-backlink"}
                                  or attrs.get("class") in ("footnote-ref", "footnote-back", "noteref")):
            self.skip = self.depth

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self.out.append("\n")
        if tag in ("meta", "br", "hr", "img", "input", "col", "link"):
            return
        if self.skip == self.depth:
            self.skip = None
        self.depth -= 1

    def handle_data(self, data):
        if self.skip is None:
            self.out.append(data)


def text_of(markup):
    reader = Text()
    reader.feed(markup)
    return "".join(reader.out)


def words(text):
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    return re.findall(r"\w+", text.lower())


def similarity(a, b):
    if not a and not b:
        return 1.0
    same = sum(m.size for m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())
    return 2 * same / (len(a) + len(b))


def pandoc(args):
    """The HTML that pandoc writes, or None if it fails."""
    try:
        out = subprocess.run(["pandoc", "--to", "html", "--wrap", "none", *args], capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    return out.stdout.decode("utf-8", "replace") if out.returncode == 0 else None


def main():
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("folder", type=pathlib.Path)
    cli.add_argument("--worst", type=int, default=10, help="number of files to list per format")
    cli.add_argument("--expected", type=pathlib.Path, help="folder of expected trees (FILE.native or FILE.md), by the path below FOLDER")
    cli.add_argument("--format", help="only this format")
    cli.add_argument("--most", type=int, default=20000, help="most words of a text to compare")
    args = cli.parse_args()
    files = sorted(str(p) for p in args.folder.glob("*/*") if p.suffix.lower() in SUFFIXES and (not args.format or SUFFIXES[p.suffix.lower()] == args.format))
    read = subprocess.run(["go", "run", "./read", *files], cwd=HERE, capture_output=True, text=True)
    if read.returncode != 0:
        sys.exit(read.stderr)
    table, worst = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    for line in read.stdout.splitlines():
        r = json.loads(line)
        path = pathlib.Path(r["file"])
        kind = SUFFIXES[path.suffix.lower()]
        row = table[kind]
        row["files"] += 1
        row["crashes"] += bool(r["error"])
        row["dropped"] += bool(r["drop"])
        row["not detected"] += not r["format"]
        row["bytes"] += r["bytes"]
        row["microseconds"] += round(1e6 * r["seconds"])
        ours = words(text_of(r["html"]))[:args.most]
        expected, source = None, ""
        if args.expected:
            base = args.expected / path.relative_to(args.folder)
            for ending, reader in ((".native", "native"), (".md", "gfm")):
                if pathlib.Path(str(base) + ending).exists():
                    expected, source = pandoc(["--from", reader, str(base) + ending]), reader
        elif kind in PANDOC and path.suffix != ".fodt":
            expected, source = pandoc(["--from", PANDOC[kind], *(["--standalone"] if kind == "docx" else []), str(path)]), "pandoc"
            row["pandoc failed"] += expected is None
        if expected is None:
            if r["drop"]:
                worst[kind].append((-1, 0, len(ours), path.name, r["drop"]))
            continue
        theirs = words(text_of(expected))[:args.most]
        if not theirs and not ours:
            continue
        share = similarity(ours, theirs)
        row["compared"] += 1
        row["similarity"] += share
        common = sum(m.size for m in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks())
        row["common"] += common
        row["ours"] += len(ours)
        row["theirs"] += len(theirs)
        row["over .99"] += share > .99
        worst[kind].append((share, len(theirs), len(ours), path.name, r["drop"] or r["cut"] or source))
    print("| format | files | not detected | dropped | crashes | compared | mean similarity | files over 99 % | words in both / Chaffinch | words in both / other | MB/s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for kind, row in sorted(table.items()):
        n = max(row["compared"], 1)
        print(f"| {kind} | {row['files']} | {row['not detected']} | {row['dropped']} | {row['crashes']} | {row['compared']} | {100 * row['similarity'] / n:.1f} % | {row['over .99']} "
              f"| {100 * row['common'] / max(row['ours'], 1):.1f} % | {100 * row['common'] / max(row['theirs'], 1):.1f} % | {row['bytes'] / max(row['microseconds'], 1):.1f} |")
    for kind, files in sorted(worst.items()):
        print(f"\n{kind}: least similar files (similarity, words of the other program, of Chaffinch)")
        for share, theirs, ours, name, note in sorted(files)[:args.worst]:
            print(f"  {share:.3f} {theirs:6} {ours:6} {name} {note}")


if __name__ == "__main__":
    main()
