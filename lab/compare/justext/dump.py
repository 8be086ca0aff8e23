#!/usr/bin/env python3
"""Run jusText 3.0.2 over pages and write what it makes of each paragraph.

    dump.py --data DIR --lists DIR [--pages N] SET... > dump.jsonl   pages of data sets, N in all
    dump.py --lists DIR FILE.html... > dump.jsonl                    single pages, in English

SET is a folder or archive DIR/SET[.tar.zst] with html/<id>.html; the same number
of pages is taken from each, evenly spread over it. The stop list of a page is
that of its language in meta.jsonl, else en, from DIR/<lang>.txt. One JSON object
a page: set, id, lang, version, and paragraphs with text, chars_in_links, tags,
path, cf (context-free class) and class.
"""
import argparse
import importlib.metadata
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import justext

from rivals import pages

VERSION = importlib.metadata.version('jusText')


def spread(items, n):
    """n of items, evenly."""
    n = min(n, len(items))
    return [items[i * len(items) // n] for i in range(n)]


def read_list(path):
    return frozenset(line for line in path.read_text(encoding='utf-8').splitlines() if line and line[0] != '#')


def languages(path):
    """The language of each page by meta.jsonl, where the set says it."""
    meta = pathlib.Path(path) / 'meta.jsonl'
    if meta.exists():
        text = meta.read_text(encoding='utf-8')
    elif path.is_file():
        import io
        import tarfile
        import zstandard
        text = ''
        with path.open('rb') as f, zstandard.ZstdDecompressor().stream_reader(f) as z:
            with tarfile.open(fileobj=io.BufferedReader(z, 1 << 20), mode='r|') as tar:
                for member in tar:
                    if member.name.endswith('/meta.jsonl'):
                        text = tar.extractfile(member).read().decode('utf-8')
    else:
        return {}
    rows = (json.loads(line) for line in text.splitlines() if line)
    return {str(r['id']): r.get('lang') or 'en' for r in rows}


def dump(set_name, id, html, lang, lists):
    try:
        paragraphs = justext.justext(html, lists[lang])
    except Exception as e:
        print(f'{set_name} {id}: {e!r:.100}', file=sys.stderr)
        return False
    print(json.dumps({
        'set': set_name, 'id': id, 'lang': lang, 'version': VERSION,
        'paragraphs': [{
            'text': p.text, 'chars_in_links': p.chars_count_in_links, 'tags': p.tags_count,
            'path': p.dom_path, 'cf': p.cf_class, 'class': p.class_type,
        } for p in paragraphs],
    }, ensure_ascii=False))
    return True


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('--data', type=pathlib.Path)
    a.add_argument('--lists', type=pathlib.Path, required=True)
    a.add_argument('--pages', type=int, default=500)
    a.add_argument('inputs', nargs='+')
    a = a.parse_args()
    lists = {p.stem: read_list(p) for p in a.lists.glob('*.txt')}
    if a.data is None:
        for name in a.inputs:
            f = pathlib.Path(name)
            dump('', f.stem, f.read_bytes(), 'en', lists)
        return
    left = a.pages
    for i, name in enumerate(a.inputs):
        path = a.data / name
        if not path.exists():
            path = a.data / (name + '.tar.zst')
        lang = languages(path)
        for id, html in spread(sorted(pages(path)), left // (len(a.inputs) - i)):
            l = lang.get(id, 'en')
            left -= dump(name, id, html, l if l in lists else 'en', lists)


if __name__ == '__main__':
    main()
