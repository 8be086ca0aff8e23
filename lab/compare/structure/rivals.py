"""Write the Markdown of other programs for the pages of a set.

    rivals.py SET OUT

SET is a folder with html/ID.html. Each program writes OUT/PROGRAM/SET/ID.md, empty if it fails.
"""
import pathlib
import sys


def trafilatura(html):
    """Markdown with all of its structure."""
    import trafilatura
    return trafilatura.extract(html, output_format='markdown', include_formatting=True, include_links=True, include_images=True)


def resiliparse(html):
    """Main content as plain text: it writes no Markdown, but keeps the layout of lists and code."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    return extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True, preserve_formatting=True, links=True)


def readability_markdownify(html):
    """The main content of readability, converted by markdownify."""
    from markdownify import markdownify
    from readability import Document
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    return markdownify(Document(bytes_to_str(html, detect_encoding(html))).summary(html_partial=True), heading_style='ATX')


def markdownify(html):
    """The whole page, converted by markdownify."""
    from markdownify import markdownify
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    return markdownify(bytes_to_str(html, detect_encoding(html)), heading_style='ATX', strip=['script', 'style'])


source, out = map(pathlib.Path, sys.argv[1:3])
for run in (trafilatura, resiliparse, readability_markdownify, markdownify):
    folder = out / run.__name__.replace('_', '-') / source.name
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for page in sorted((source / 'html').glob('*.html')):
        try:
            text = run(page.read_bytes()) or ''
        except Exception:  # a page that a program cannot read has no text
            text, failed = '', failed + 1
        (folder / (page.stem + '.md')).write_text(text)
    print(f'{run.__name__}: {failed} pages failed', file=sys.stderr)
