"""Prints tables with Chromium: python tables.py OUT SEED

OUT gets KIND-N-tagged.pdf, KIND-N-untagged.pdf and KIND-N.html, four of each kind of table: ruled, lines between rows, zebra,
borderless, spanning cells, several pages, long cells, and two tables beside each other. The words are generated.
"""
import html, os, random, subprocess, sys

KINDS = "ruled", "rows", "zebra", "borderless", "spans", "pages", "long", "beside"
STYLES = {
    "ruled": "td, th { border: 1px solid #000 }", "spans": "td, th { border: 1px solid #444 }", "pages": "td, th { border: 1px solid #000 }",
    "rows": "tr { border-bottom: 1px solid #999 } thead tr { border-bottom: 2px solid #000 }", "zebra": "tr:nth-child(even) { background: #ddd }",
    "borderless": "", "long": "td, th { border: 1px solid #000; width: 9em }", "beside": "td, th { border: 1px solid #000 }",
}
SYLLABLES = "ba ke lo mi nu ra sten dor vel gar tin hol mar pes qui sal tor und win yar".split()


def word(rng):
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 3)))


def phrase(rng, least, most):
    return " ".join(word(rng) for _ in range(rng.randint(least, most))).capitalize()


def number(rng):
    return rng.choice([f"{rng.randint(1, 99)}", f"{rng.randint(1000, 99999):,}", f"{rng.uniform(0, 100):.1f} %", f"{rng.uniform(0, 9):.2f}"])


def table(rng, kind):
    columns = rng.randint(3, 5) if kind != "beside" else 3
    rows = {"pages": rng.randint(70, 90), "long": 5, "beside": 7}.get(kind, rng.randint(5, 14))
    texts = [rng.random() < .4 or c == 0 for c in range(columns)]
    cell = lambda c: phrase(rng, 6, 14) if kind == "long" and texts[c] else phrase(rng, 1, 2) if texts[c] else "" if rng.random() < .06 else number(rng)
    head = "".join(f"<th>{phrase(rng, 1, 2)}</th>" for _ in range(columns))
    out = []
    if kind == "spans":
        out.append(f'<tr><th rowspan="2">{phrase(rng, 1, 2)}</th><th colspan="{columns - 1}">{phrase(rng, 1, 3)}</th></tr>')
        head = "".join(f"<th>{phrase(rng, 1, 1)}</th>" for _ in range(columns - 1))
    body = []
    for r in range(rows):
        if kind == "spans" and r % 4 == 3:
            body.append(f'<tr><td colspan="{columns}">{phrase(rng, 2, 4)}</td></tr>')
            continue
        body.append("<tr>" + "".join(f'<td class="{"" if texts[c] else "n"}">{html.escape(cell(c))}</td>' for c in range(columns)) + "</tr>")
    return f"<table><thead>{''.join(out)}<tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def page(rng, kind):
    text = lambda: f"<p>{'. '.join(phrase(rng, 8, 16) for _ in range(4))}.</p>"
    tables = table(rng, kind)
    if kind == "beside":
        tables = f'<div style="display: flex; gap: 3em">{tables}{table(rng, kind)}</div>'
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{kind}</title><style>@page {{ size: A4; margin: 20mm }}
body {{ font: 10.5pt/1.35 '{rng.choice(["Noto Serif", "Noto Sans", "DejaVu Sans"])}', serif }} table {{ border-collapse: collapse; margin: 1em 0 }}
td, th {{ padding: {rng.randint(2, 5)}px {rng.randint(6, 14)}px; text-align: left; vertical-align: top }} .n {{ text-align: right }} {STYLES[kind]}
</style></head><body><h1>{phrase(rng, 2, 4)}</h1>{text()}{tables}{text()}</body></html>"""


def main(out, seed):
    rng = random.Random(int(seed))
    os.makedirs(out, exist_ok=True)
    for kind in KINDS:
        for n in range(4):
            name = f"{out}/{kind}-{n}"
            with open(name + ".html", "w") as f:
                f.write(page(rng, kind))
            for form, flags in ("tagged", []), ("untagged", ["--disable-pdf-tagging"]):
                subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={name}-{form}.pdf", "--no-pdf-header-footer",
                                *flags, name + ".html"], stderr=subprocess.DEVNULL, timeout=120, check=True)


main(*sys.argv[1:])
