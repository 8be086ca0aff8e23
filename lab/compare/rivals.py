#!/usr/bin/env python3
"""Run other extractors over the pages of a data set, in one process each.

    rivals.py --set PATH --out DIR [RIVAL ...]
    rivals.py --list

PATH is a data set: a folder or a .tar.zst archive with html/<id>.html. For each
rival the text of every page goes to DIR/<rival>/<id>.txt (an empty file where
the rival finds none, fails, or takes longer than 30 s), and a line of figures to
standard output and to DIR/<rival>.json: pages per second of wall time and of
processor time, reading the pages and writing the texts included, imports and a
first page left out.
"""
import argparse
import importlib.metadata
import importlib.util
import io
import json
import pathlib
import resource
import signal
import subprocess
import sys
import tarfile
import time

RIVALS = {}
LIMIT_S = 30  # a page that takes longer counts as failed


BLOCKS = {'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'blockquote', 'br', 'dt', 'dd', 'table'}


class TooLong(BaseException):
    """Not an Exception, so that no rival swallows it."""


def rival(package, rivals=RIVALS):
    """Register a maker of an extractor: bytes of a page -> text."""
    def register(make):
        rivals[make.__name__.replace('_', '-')] = (make, package)
        return make
    return register


@rival('trafilatura')
def trafilatura():
    """Defaults: comments and tables are kept, no metadata."""
    return trafilatura_with()


@rival('trafilatura')
def trafilatura_precision():
    """Less text, but surer."""
    return trafilatura_with(favor_precision=True)


@rival('trafilatura')
def trafilatura_recall():
    """More text when unsure."""
    return trafilatura_with(favor_recall=True)


@rival('trafilatura')
def trafilatura_no_comments():
    """Defaults without comments: the article alone."""
    return trafilatura_with(include_comments=False)


def trafilatura_with(**options):
    from trafilatura import extract
    return lambda page: extract(page, **options)


def justext_with(**options):
    from justext import get_stoplist, justext as run
    words = get_stoplist('English')
    return lambda page: '\n'.join(p.text for p in run(page, words, **options) if not p.is_boilerplate)


@rival('jusText')
def justext():
    """Defaults with its English list."""
    return justext_with()


@rival('jusText')
def justext_language_free():
    """Defaults without stop words, as -s None of its command."""
    return justext_with(stopwords_low=0, stopwords_high=0)


@rival('jusText')
def justext_spiderling():
    """The thresholds of the SpiderLing crawler for small crawls."""
    return justext_with(length_low=50, length_high=100, stopwords_low=0.2, stopwords_high=0.3,
                        max_link_density=0.4, max_heading_distance=150)


@rival('jusText')
def justext_all():
    """All paragraphs of jusText, good or bad: what its segmentation keeps."""
    from justext import justext as run
    return lambda page: '\n'.join(p.text for p in run(page, frozenset()))


@rival('Resiliparse')
def resiliparse():
    """Main content."""
    return resiliparse_with(main_content=True)


@rival('Resiliparse')
def resiliparse_all():
    """All text."""
    return resiliparse_with(main_content=False)


@rival('Resiliparse')
def resiliparse_no_comments():
    """Main content without comments: the article alone."""
    return resiliparse_with(main_content=True, comments=False)


def resiliparse_with(**options):
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    return lambda page: extract_plain_text(bytes_to_str(page, detect_encoding(page)), **options)


@rival('readability-lxml')
def readability():
    """The text of the summary's blocks, one a line."""
    from readability import Document
    return lambda page: lines(Document(decoded(page)).summary(html_partial=True))


def magic_html_with(**options):
    from magic_html import GeneralExtractor
    extractor = GeneralExtractor()
    return lambda page: lines(extractor.extract(decoded(page), **options)['html'])


# magic-html is not on PyPI: install it from its repository.
if importlib.util.find_spec('magic_html'):
    @rival('magic_html')
    def magic_html():
        """Articles, its default: the text of the blocks, one a line."""
        return magic_html_with()

    @rival('magic_html')
    def magic_html_forum():
        """Forums and question pages."""
        return magic_html_with(html_type='forum')


def decoded(page):
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    return bytes_to_str(page, detect_encoding(page))


def lines(html):
    """Return the text of the blocks of HTML, one a line."""
    import lxml.html
    root = lxml.html.fromstring(html)
    for el in root.iter():
        if el.tag in BLOCKS:
            el.tail = '\n' + (el.tail or '')
            if el.tag != 'br':
                el.text = '\n' + (el.text or '')
    found = (' '.join(line.split()) for line in root.text_content().splitlines())
    return '\n'.join(line for line in found if line)


def files(path):
    """Yield (path, bytes) of the pages of a set and of its meta.jsonl."""
    path = pathlib.Path(path)
    if path.is_dir():
        for f in [*sorted((path / 'html').iterdir()), path / 'meta.jsonl']:
            if f.is_file():
                yield f, f.read_bytes()
        return
    import zstandard
    with path.open('rb') as f, zstandard.ZstdDecompressor().stream_reader(f) as z:
        with tarfile.open(fileobj=io.BufferedReader(z, 1 << 20), mode='r|') as tar:
            for member in tar:
                if member.isfile() and ('/html/' in '/' + member.name or member.name.endswith('meta.jsonl')):
                    yield pathlib.PurePath(member.name), tar.extractfile(member).read()


def pages(path):
    """Yield (id, bytes) of the pages of a set."""
    return ((f.stem, b) for f, b in files(path) if f.name != 'meta.jsonl')


def processor_time():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def too_long(*_):
    raise TooLong(f'longer than {LIMIT_S} s')


def run(name, path, out):
    make, package = RIVALS[name]
    extract = make()
    folder = pathlib.Path(out) / name
    folder.mkdir(parents=True, exist_ok=True)
    try:
        extract(b'<html><body><p>' + b'A first page, so that what is loaded late is loaded. ' * 8 + b'</p></body></html>')
    except Exception as e:
        sys.exit(f'{name}: a plain page fails: {e!r}')
    signal.signal(signal.SIGALRM, too_long)
    n = size = failed = 0
    wall, cpu = time.perf_counter(), processor_time()
    for id, page in pages(path):
        try:
            signal.alarm(LIMIT_S)
            text = extract(page) or ''
            signal.alarm(0)
        except (Exception, TooLong) as e:  # a page that breaks a rival counts as empty
            signal.alarm(0)
            failed += 1
            text = ''
            if failed <= 3:
                print(f'{name}: page {id}: {e!r:.200}', file=sys.stderr)
        (folder / f'{id}.txt').write_text(text, encoding='utf-8', errors='replace')
        n += 1
        size += len(page)
    wall, cpu = time.perf_counter() - wall, processor_time() - cpu
    if n == 0:
        sys.exit(f'{path}: no html/<id>.html in it')
    figures = {
        'rival': name, 'version': importlib.metadata.version(package), 'set': pathlib.Path(path).name.removesuffix('.tar.zst'),
        'pages': n, 'failed': failed, 'bytes': size, 'wall_s': round(wall, 2), 'cpu_s': round(cpu, 2),
        'pages_per_s': round(n / wall, 1), 'pages_per_cpu_s': round(n / cpu, 1),
    }
    line = json.dumps(figures)
    (pathlib.Path(out) / f'{name}.json').write_text(line + '\n')
    print(line, flush=True)


def main(run=run, rivals=RIVALS, doc=__doc__):
    if sys.argv[1:] == ['--list']:
        return print(*rivals)
    a = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('--set', required=True, metavar='PATH')
    a.add_argument('--out', required=True, metavar='DIR')
    a.add_argument('rivals', nargs='*', metavar='RIVAL', help='of ' + ' '.join(rivals) + ' (default: all)')
    a = a.parse_args()
    unknown = [r for r in a.rivals if r not in rivals]
    if unknown:
        sys.exit(f'no rival {unknown[0]!r}: take of ' + ' '.join(rivals))
    names = a.rivals or list(rivals)
    if len(names) == 1:
        return run(names[0], a.set, a.out)
    for name in names:  # each in a process of its own, so that none warms another
        subprocess.run([sys.executable, sys.argv[0], '--set', a.set, '--out', a.out, name], check=True)


if __name__ == '__main__':
    main()
