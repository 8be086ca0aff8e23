#!/usr/bin/env python3
"""Run other readers of metadata over the pages of a data set, in one process each.

    metadata.py --set PATH --out DIR [RIVAL ...]

PATH is a data set: a folder or a .tar.zst archive with html/<id>.html and
meta.jsonl. DIR/<rival>/<set>.jsonl gets one object a page with the fields
that the rival gives: id, title, authors, date, site, description, lang,
canonical, license, tags, image. Each rival is told the address of the page
where the set has it. A line of figures goes to standard output.
"""
import importlib.metadata
import json
import logging
import pathlib
import sys
import time

import rivals

RIVALS = {}


def split(names):
    return [n.strip() for n in (names or '').split(';') if n.strip()]


@rivals.rival('trafilatura', RIVALS)
def trafilatura():
    """extract_metadata with its defaults: dates by htmldate, extensive."""
    from trafilatura.metadata import extract_metadata

    def run(page, url):
        m = extract_metadata(page, default_url=url)
        return {
            'title': m.title, 'authors': split(m.author), 'date': m.date, 'site': m.sitename, 'description': m.description,
            'lang': m.language, 'canonical': m.url, 'license': m.license, 'tags': m.tags, 'image': m.image,
        }
    return run


@rivals.rival('newspaper4k', RIVALS)
def newspaper4k():
    """Article.parse of the decoded page."""
    from newspaper import Article
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def run(page, url):
        a = Article(url or 'http://example.org/', language='en')
        a.config.fetch_images = False
        a.download(input_html=bytes_to_str(page, detect_encoding(page)))
        a.parse()
        return {
            'title': a.title, 'authors': list(a.authors), 'date': a.publish_date.isoformat() if a.publish_date else '',
            'site': a.meta_site_name, 'description': a.meta_description, 'lang': a.meta_lang, 'canonical': a.canonical_link,
            'tags': sorted(a.tags or []), 'image': a.top_image or a.meta_img,
        }
    return run


def run(name, path, out):
    logging.disable(logging.CRITICAL)
    make, package = RIVALS[name]
    read = make()
    set_ = pathlib.Path(path).name.removesuffix('.tar.zst')
    folder = pathlib.Path(out) / name
    folder.mkdir(parents=True, exist_ok=True)
    html, meta = [], {}
    for f, b in rivals.files(path):
        if f.name == 'meta.jsonl':
            meta = {m['id']: m for m in map(json.loads, b.decode().splitlines())}
        else:
            html.append((f.stem, b))
    if not html:
        sys.exit(f'{path}: no html/<id>.html in it')
    read(b'<html><head><title>First</title></head><body><p>A first page, so that what is loaded late is loaded.</p></body></html>', None)
    failed, start, rows = 0, time.process_time(), []
    for id, page in html:
        try:
            fields = read(page, meta.get(id, {}).get('url'))
        except Exception as e:  # a page that breaks a rival counts as empty
            failed += 1
            fields = {}
            if failed <= 3:
                print(f'{name}: page {id}: {e!r:.200}', file=sys.stderr)
        rows.append({'id': id, **{k: v for k, v in fields.items() if v}})
    cpu = time.process_time() - start
    with (folder / f'{set_}.jsonl').open('w', encoding='utf-8') as f:
        f.writelines(json.dumps(r, ensure_ascii=False) + '\n' for r in rows)
    print(json.dumps({
        'rival': name, 'version': importlib.metadata.version(package), 'set': set_, 'pages': len(html), 'failed': failed,
        'cpu_s': round(cpu, 2), 'pages_per_cpu_s': round(len(html) / cpu, 1),
    }), flush=True)


if __name__ == '__main__':
    rivals.main(run, RIVALS, __doc__)
