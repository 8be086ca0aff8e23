"""Scores tables: python tablescore.py GOLD CHAFFINCH

GOLD is a folder of tables.py, or a folder with NAME.pdf and NAME.md with tables in Markdown. CHAFFINCH is a folder with
NAME.html of lab/eval/pdf. The other programs read the PDF files. Columns, by kind of table: F1 of cell texts, and F1 of
neighbours (a cell with the next one on its right or below, as in the ICDAR competition of 2013).
"""
import collections, glob, os, re, sys, unicodedata, warnings
from html.parser import HTMLParser

warnings.filterwarnings("ignore")


def norm(text):
    return "".join(unicodedata.normalize("NFKC", re.sub(r"[*\\_`]|<[^>]*>", "", text or "")).split())


class Tables(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tables, self.stack, self.cell = [], [], None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "table":
            self.stack.append([])
            self.tables.append(self.stack[-1])
        elif tag == "tr" and self.stack:
            self.stack[-1].append([])
        elif tag in ("td", "th") and self.stack and self.stack[-1]:
            self.cell = [int(attrs.get("colspan", 1)), int(attrs.get("rowspan", 1)), ""]
            self.stack[-1][-1].append(self.cell)

    def handle_endtag(self, tag):
        if tag == "table" and self.stack:
            self.stack.pop()
        elif tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.cell:
            self.cell[2] += data


def of_html(text):
    """Returns the tables as dictionaries from row and column to a cell: its number and text."""
    p = Tables()
    p.feed(text)
    out = []
    for rows in p.tables:
        grid, n = {}, 0
        for r, row in enumerate(rows):
            c = 0
            for columns, lines, text in row:
                while (r, c) in grid:
                    c += 1
                for i in range(lines):
                    for k in range(columns):
                        grid[r + i, c + k] = n, norm(text)
                n, c = n + 1, c + columns
        out.append(grid)
    return out


def of_rows(tables):
    return [{(r, c): ((r, c), norm(text)) for r, row in enumerate(rows) for c, text in enumerate(row)} for rows in tables]


def of_markdown(text):
    tables, rows = [], []
    for line in text.split("\n") + [""]:
        if line.startswith("|"):
            if not re.fullmatch(r"[|\-: ]+", line):
                rows.append([c.strip() for c in line.strip().strip("|").split("|")])
        elif rows:
            tables.append(rows)
            rows = []
    return of_rows(tables)


def facts(tables):
    cells, pairs = collections.Counter(), collections.Counter()
    for grid in tables:
        for number, text in {v for v in grid.values() if v[1]}:
            cells[text] += 1
        seen = set()
        for (r, c), a in grid.items():
            for step in (0, 1), (1, 0):
                at = r + step[0], c + step[1]
                while at in grid and not grid[at][1]:
                    at = at[0] + step[0], at[1] + step[1]
                b = grid.get(at)
                if a[1] and b and a != b and (a, b, step) not in seen:
                    seen.add((a, b, step))
                    pairs[a[1], b[1], step] += 1
    return cells, pairs


def f1(want, got):
    total = want.total() + got.total()
    return 2 * (want & got).total() / total if total else 1


def pymupdf(name):
    import pymupdf
    with pymupdf.open(name) as doc:
        return of_rows(t.extract() for page in doc for t in page.find_tables().tables)


def pdfplumber(name):
    import pdfplumber
    with pdfplumber.open(name) as doc:
        return of_rows(t for page in doc.pages for t in page.extract_tables())


def camelot(name, flavor="lattice"):
    import camelot
    return of_rows(t.df.values.tolist() for t in camelot.read_pdf(name, pages="all", flavor=flavor))


def stream(name):
    return camelot(name, "stream")


def main(gold, chaffinch):
    def own(name):
        path = f"{chaffinch}/{os.path.basename(name)[:-4]}.html"
        return of_html(open(path).read()) if os.path.exists(path) else []

    scores = collections.defaultdict(lambda: collections.defaultdict(list))
    programs = [p for p in (own, pymupdf, pdfplumber, camelot, stream) if p is own or not os.environ.get("OWN")]
    for name in sorted(glob.glob(gold + "/*.pdf")):
        base = os.path.basename(name)[:-4]
        plain = re.sub("-(un)?tagged$", "", base)
        if os.path.exists(f"{gold}/{plain}.md"):
            want, kind = of_markdown(open(f"{gold}/{plain}.md").read()), "all"
        else:
            want, kind = of_html(open(f"{gold}/{plain}.html").read()), plain.rsplit("-", 1)[0] + base[len(plain):]
        want = facts(want)
        for read in programs:
            try:
                got = facts(read(name))
            except Exception:  # a program that fails finds no table
                got = facts([])
            if want[0].total() + got[0].total() == 0:
                continue
            scores[kind][read.__name__].append((f1(want[0], got[0]), f1(want[1], got[1])))
            if os.environ.get("EACH") and read is own and scores[kind]["own"]:
                print(f"  {base}\t{100 * scores[kind]['own'][-1][0]:.1f}\t{100 * scores[kind]['own'][-1][1]:.1f}")
    print("kind", *(p.__name__ for p in programs), sep="\t")
    for kind, by in [*scores.items()]:
        print(kind, *(" ".join(f"{100 * sum(x) / len(x):.1f}" for x in zip(*by[p.__name__])) for p in programs), sep="\t")
    print("all", *(" ".join(f"{100 * sum(x) / len(x):.1f}" for x in zip(*(s for by in scores.values() for s in by[p.__name__]))) for p in programs), sep="\t")


main(*sys.argv[1:])
