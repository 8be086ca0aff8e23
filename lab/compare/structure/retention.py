"""Measure which tables, code blocks and formulas of the main content survive cleaning.

    retention.py CHAFFINCH SET [PAGES]

CHAFFINCH is the program, SET a folder with html/ID.html and gold/ID.txt, PAGES a file with IDs, one
per line. The structures of a page are taken from the Markdown of method keep. A structure belongs
to the main content if at least 80 % of its words are in the gold text. It is kept if the Markdown
of method blocks has the same table row, code line or formula.

Without PAGES, prints the IDs of pages with such structures. With PAGES, prints the figures.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
only = pathlib.Path(sys.argv[3]).read_text().split() if len(sys.argv) > 3 else None
SHARE = 0.8


def words(text):
    return re.findall(r'\w+', text.lower())


def structures(text):
    """Return lists of (kind, units): table rows, code lines, formulas."""
    found = []
    for block in re.split(r'\n\s*\n', re.sub(r'^(`{3,}).*?^\1`*$', lambda m: m[0].replace('\n\n', '\n \n'), text, flags=re.S | re.M)):
        lines = block.strip('\n').split('\n')
        if len(lines) > 2 and lines[0].startswith('|') and re.match(r'^\|( --- \|)+$', lines[1]):
            rows = [r for r in [lines[0]] + lines[2:] if words(r)]
            found.append(('table', [[' '.join(words(c)) for c in re.split(r'(?<!\\)\|', r)[1:-1]] for r in rows]))
        elif len(lines) > 3 and lines[0].startswith('```'):
            found.append(('code', [[' '.join(words(line))] for line in lines[1:-1] if words(line)]))
    bare = re.sub(r'^(`{3,}).*?^\1`*$', '', text, flags=re.S | re.M)
    for formula in re.findall(r'\$\$.+?\$\$|\$[^$\n]*[\\^_{][^$\n]*\$', bare, flags=re.S):
        found.append(('formula', [[' '.join(words(formula))]]))
    return found


with tempfile.TemporaryDirectory() as tmp:
    for method in ('keep', 'blocks'):
        subprocess.run([program, 'clean', str(source / 'html'), '-m', method, '-f', 'markdown', '-o', f'{tmp}/{method}/'], check=True, capture_output=True)
    total, kept, whole, count = Counter(), Counter(), Counter(), Counter()
    chosen = []
    for file in sorted((source / 'gold').glob('*.txt')):
        if only is not None and file.stem not in only:
            continue
        gold = set(words(file.read_text(errors='replace')))
        texts = [pathlib.Path(tmp, m, file.stem + '.md') for m in ('keep', 'blocks')]
        before, after = [structures(t.read_text()) if t.exists() else [] for t in texts]
        rows = Counter((kind, tuple(u)) for kind, units in after for u in units)
        took = False
        for kind, units in before:
            flat = [w for u in units for c in u for w in c.split()]
            if not flat or sum(w in gold for w in flat) < SHARE * len(flat):
                continue
            took = True
            good = 0
            for u in units:
                cells = sum(bool(c) for c in u)
                total[kind] += cells
                if rows[kind, tuple(u)] > 0:
                    rows[kind, tuple(u)] -= 1
                    kept[kind] += cells
                    good += 1
            count[kind] += 1
            whole[kind] += good == len(units)
        if took:
            chosen.append(file.stem)
    if only is None:
        print('\n'.join(chosen))
    else:
        print(f'pages: {len(chosen)}')
        for kind, unit in (('table', 'cells'), ('code', 'lines'), ('formula', 'formulas')):
            if count[kind]:
                print(f'{kind}: {count[kind]}, whole {whole[kind]} ({100 * whole[kind] / count[kind]:.1f} %), {unit} {total[kind]}, kept {kept[kind]} ({100 * kept[kind] / total[kind]:.1f} %)')
