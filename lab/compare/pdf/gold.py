"""Prints known text with Chromium: python gold.py NTREX OUT [FIRST]

NTREX is the folder ntrex of the data sets (news in 128 languages). For each of 22 languages and two kinds of PDF (tagged,
untagged), OUT gets LANG-KIND.html, .pdf, .txt with one paragraph a line, and .head with the running head. Every second
language has two columns; two of three are justified, with indents instead of space between paragraphs. FIRST is the number
of the first of the documents that are printed (default 0).
"""
import html, itertools, json, os, subprocess, sys

LANGS = {"eng": "en", "deu": "de", "fra": "fr", "spa": "es", "por": "pt", "ell": "el", "rus": "ru", "tur": "tr", "fin": "fi", "pol": "pl",
         "vie": "vi", "arb": "ar", "fas": "fa", "heb": "he", "hin": "hi", "ben": "bn", "tam": "ta", "tha": "th", "zho-CN": "zh-CN", "jpn": "ja",
         "kor": "ko", "urd": "ur"}
UNSPACED = {"zh-CN", "ja", "th"}


def paragraphs(documents, code):
    """Yields headings, which begin with '# ', and paragraphs of one to four sentences."""
    between = "" if code in UNSPACED else " "
    for sentences in documents:
        yield "# " + sentences[0]
        at, n = 1, 0
        while at < len(sentences):
            step = (2, 3, 1, 4)[n % 4]
            yield between.join(sentences[at:at + step])
            at, n = at + step, n + 1


def page(text, head, code, columns, justified):
    body = "".join(f"<h2>{html.escape(p[2:])}</h2>" if p.startswith("# ") else f"<p>{html.escape(p)}</p>" for p in text)
    style = "text-align: justify; hyphens: auto;" if justified else ""
    gap = "text-indent: 1.2em" if justified else "margin-bottom: .6em"
    direction = ' dir="rtl"' if code in ("ar", "fa", "he", "ur") else ""
    return f"""<!doctype html><html lang="{code}"{direction}><head><meta charset="utf-8"><title>{html.escape(text[0][2:])}</title><style>
@page {{ size: A4; margin: 25mm 20mm; @top-center {{ content: {json.dumps(head, ensure_ascii=False)}; font-size: 9pt }}
@bottom-center {{ content: counter(page); font-size: 9pt }} }}
body {{ font: 11pt/1.35 'Noto Serif', 'Noto Sans', serif; {style} }} main {{ columns: {columns} }} p {{ margin: 0; {gap} }}
h2 {{ font-size: 15pt; margin: .8em 0 .3em }}</style></head><body><main>{body}</main></body></html>"""


def main(ntrex, out, first=0):
    ids = [line.strip() for line in open(f"{ntrex}/DOCUMENT_IDS.tsv")]
    os.makedirs(out, exist_ok=True)
    for n, (lang, code) in enumerate(LANGS.items()):
        lines = [line.strip() for line in open(f"{ntrex}/txt/{lang}.txt")]
        documents = [[s for _, s in group if s] for _, group in itertools.groupby(zip(ids, lines), key=lambda x: x[0])]
        text = list(paragraphs(documents[int(first) + n % 7:][:4], code))
        head = lines[1][:40].strip()
        for kind in "tagged", "untagged":
            name = f"{out}/{lang}-{kind}"
            for ending, content in ("html", page(text, head, code, 1 + (n + int(first)) % 2, n % 3 != 1)), ("txt", "\n".join(text) + "\n"), ("head", head):
                with open(f"{name}.{ending}", "w") as f:
                    f.write(content)
            flags = [] if kind == "tagged" else ["--disable-pdf-tagging"]
            subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={name}.pdf", "--no-pdf-header-footer",
                            *flags, f"{name}.html"], stderr=subprocess.DEVNULL, timeout=120, check=True)


main(*sys.argv[1:])
