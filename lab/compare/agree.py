#!/usr/bin/env python3
"""Compare the text of another extractor with the text of each --keep, page by page.

    agree.py --data DIR [--chaffinch BIN] [--set NAME=PAGES ...] [RIVAL ...]

DIR holds the data sets (NAME.tar.zst); PAGES of each are taken, evenly spaced in the order of
their ids. RIVAL is a name that rivals.py --list prints; default: the settings of trafilatura.
For each rival and setting it prints the mean F, in percent, of the multisets of words (runs of
letters and digits, in lower case) of both outputs; two empty outputs count as equal.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

import rivals

SETS = ['dragnet=150', 'canola=100', 'cleaneval-en-dev=58', 'wcxb-dev=192']
RIVALS = ['trafilatura', 'trafilatura-precision', 'trafilatura-recall', 'trafilatura-no-comments']
KEEPS = [['text'], ['text', '--favour', 'precision'], ['text', '--favour', 'recall'], ['main'], ['main', '--favour', 'precision'],
         ['main,title'], ['main,comment'], ['article'], ['article,post'], ['body'], ['body,title'], ['body,comment']]


def sample(data, spec):
    """Return {name: bytes} of the pages of a set."""
    name, n = spec.split('=')
    pages = sorted(rivals.pages(pathlib.Path(data) / f'{name}.tar.zst'))
    n = min(int(n), len(pages))
    return {f'{name}-{i:03}.html': pages[i * len(pages) // n][1] for i in range(n)}


def words(text):
    return collections.Counter(re.findall(r'\w+', (text or '').lower()))


def f(a, b):
    """Return the F of two multisets."""
    return 2 * (a & b).total() / (a.total() + b.total()) if a or b else 1.0


def rival_texts(name, pages):
    extract, texts = rivals.RIVALS[name][0](), {}
    for page, raw in pages.items():
        try:
            texts[page] = words(extract(raw))
        except Exception:  # a page that it fails on has no text
            texts[page] = words('')
    return texts


def our_texts(program, folder, pages, keep):
    out = subprocess.run([program, 'clean', folder, '-q', '-f', 'jsonl', '--keep', *keep], check=True, stdout=subprocess.PIPE).stdout
    texts = {page: words('') for page in pages}  # dropped pages have no text
    for line in out.splitlines():
        record = json.loads(line)
        texts[pathlib.Path(record['id']).name] = words(record['text'])
    return texts


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--data', required=True)
    p.add_argument('--chaffinch', default='./chaffinch')
    p.add_argument('--set', action='append')
    p.add_argument('rival', nargs='*')
    args = p.parse_args()
    pages = {}
    for spec in args.set or SETS:
        pages.update(sample(args.data, spec))
    names = args.rival or RIVALS
    theirs = {name: rival_texts(name, pages) for name in names}
    print(f'{len(pages)} pages')
    print('\t'.join(['--keep', *names]))
    with tempfile.TemporaryDirectory() as folder:
        for page, raw in pages.items():
            pathlib.Path(folder, page).write_bytes(raw)
        for keep in KEEPS:
            ours = our_texts(args.chaffinch, folder, pages, keep)
            means = [100 * sum(f(ours[page], theirs[name][page]) for page in pages) / len(pages) for name in names]
            print('\t'.join([' '.join(keep), *(f'{m:.1f}' for m in means)]), flush=True)


if __name__ == '__main__':
    main()
