"""Functions that clean pages."""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from . import _pool
from ._program import arguments, command_error, program
from ._requests import HTML, body, content, format_of, request
from ._worker import Answer, Request
from .document import Document
from .errors import ChaffinchError, InputWarning, ProgramMissing, RequestError

Favour = Literal["", "precision", "recall"]
Method = Literal["", "blocks", "lines", "documents", "perplexity", "ncleaner", "justext", "keep", "all"]
Format = Literal["text", "txt", "markdown", "md", "json", "jsonl", "xml", "tei", "xmltei", "vertical", "prevertical"]

if TYPE_CHECKING:
    from typing import TypedDict

    from typing_extensions import Unpack

    class Settings(TypedDict, total=False):
        """The settings of a :class:`Cleaner`."""

        keep: str  # a policy, or roles separated by commas
        favour: Favour
        method: Method
        lang: str
        hidden: bool
        title: bool
        without: str


__all__ = ["Cleaner", "Page", "clean", "clean_files", "clean_many", "clean_warc", "explain", "extract", "extract_many"]

_MARKUP = ("markdown", "json", "xml")


@dataclass(frozen=True)
class Page:
    """A page with its address, for :func:`clean_many`; ``url`` helps with links and metadata."""

    html: HTML
    url: str | None = None
    id: str = ""


def _head(path: str, kind: str, query: tuple[tuple[str, object], ...]) -> bytes:
    return request(path, b"", kind, **dict(query)).head


_cached_head = functools.lru_cache(maxsize=1024)(_head)


@dataclass(frozen=True)
class Cleaner:
    """Cleans pages with fixed settings. It can be pickled and sent to other processes.

    ``keep``: ``text`` (all content), ``main``, ``article``, ``body``, or roles separated by commas. ``favour``:
    ``precision`` or ``recall``. ``method``: the method that labels blocks. ``lang``: the language, a BCP 47 tag or an
    English name. ``hidden``: keep hidden blocks. ``title``: begin with the title, if the text lacks it. ``without``:
    markup to omit from Markdown, XML and JSON, separated by commas (``links``, ``images``, ``emphasis``, ``code``,
    ``headings``, ``lists``, ``tables``, ``quotes``, ``breaks``); its text stays. ``workers``: number of processes,
    None for one per processor.

    >>> Cleaner(keep="main").extract("<p>The ferry leaves at nine in the morning, when the tide is high.</p>")
    'The ferry leaves at nine in the morning, when the tide is high.'
    """

    keep: str = ""
    favour: Favour = ""
    method: Method = ""
    lang: str = ""
    hidden: bool = False
    title: bool = False
    workers: int | None = None
    without: str = ""

    def __post_init__(self) -> None:
        for name in ("keep", "favour", "method", "lang", "without"):
            value: object = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} of type {type(value).__name__}: wanted str, with commas between several values")

    def _ask(self, html: HTML, url: str | None, form: str, annotate: bool = False, path: str = "/v1/clean") -> Request:
        data, kind = body(html)
        query = (
            ("keep", self.keep),
            ("favour", self.favour),
            ("method", self.method),
            ("lang", self.lang),
            ("hidden", "keep" if self.hidden else ""),
            ("title", "true" if self.title else ""),
            ("without", self.without if form in _MARKUP else ""),
            ("format", form),
            ("annotate", "true" if annotate else ""),
            ("language", "false" if form and not annotate else ""),  # formats that hold it have it all the same
        )
        if url:  # addresses differ from page to page: heads with one are not remembered
            with contextlib.suppress(ValueError):  # too long or invalid, such as a data: URL: cleaned without
                return Request(_head(path, kind, (*query, ("url", url))), data)
        return Request(_cached_head(path, kind, query), data)

    def _pool(self) -> _pool.Pool:
        return _pool.default_pool() if self.workers is None else _sized_pool(self.workers)

    def _call(self, asked: Request) -> Answer:
        return _pool.checked(self._pool().call(asked))

    def extract(self, html: HTML, url: str | None = None, output_format: Format = "text") -> str | None:
        """Return the clean text of a page in a format, None if there is none."""
        return _text(self._call(self._ask(html, url, format_of(output_format))))

    def clean(self, html: HTML, url: str | None = None) -> Document:
        """Return the Document of a page, with all blocks."""
        doc = Document.from_json(self._call(self._ask(html, url, "jsonl", True)).body)
        doc.url = doc.url or url or ""
        doc._explain = functools.partial(self.explain, html, url)
        return doc

    def explain(self, html: HTML, url: str | None = None) -> str:
        """Return the HTML of ``chaffinch explain`` for a page."""
        return self._call(self._ask(html, url, "", path="/v1/explain")).body.decode()

    def clean_many(self, pages: Iterable[HTML | Page], progress: Callable[[int], object] | bool | None = None) -> Iterator[Document]:
        """Yield the Documents of many pages in order; see :func:`clean_many`."""
        for page, answer in self._many(pages, "jsonl", True, progress):
            yield document(page, answer if isinstance(answer, ChaffinchError) else Document.from_json(answer.body))

    def extract_many(
        self, pages: Iterable[HTML | Page], output_format: Format = "text", progress: Callable[[int], object] | bool | None = None
    ) -> Iterator[str | None]:
        """Yield the clean texts of many pages in order, None for a page without text; see :func:`extract_many`."""
        for _, answer in self._many(pages, format_of(output_format), False, progress):
            yield None if isinstance(answer, ChaffinchError) else _text(answer)

    def _many(
        self, pages: Iterable[HTML | Page], form: str, annotate: bool, progress: Callable[[int], object] | bool | None
    ) -> Iterator[tuple[Page, Answer | ChaffinchError]]:
        several(pages)
        tell = _progress(progress, pages)
        settled = False
        every = (p if isinstance(p, Page) else Page(p) for p in pages)
        number = 0
        for number, (page, answer) in enumerate(self._pool().map(every, lambda p: self._ask(p.html, p.url, form, annotate)), 1):
            if isinstance(answer, Answer) and answer.status >= 400:
                answer = _pool.failure(answer)
            settled = settles(answer, settled)
            yield page, answer
            tell(number)
        tell(-number)


@functools.lru_cache(maxsize=8)
def _sized_pool(workers: int) -> _pool.Pool:
    return _pool.Pool(workers)


def several(pages: object) -> None:
    """Raise TypeError if a single page is given in place of several."""
    name = type(pages).__name__
    if isinstance(pages, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"pages of type {name}: wanted an iterable of pages, such as a list")


def settles(result: object, settled: bool) -> bool:
    """Report whether a page was cleaned so far, given its result. Raise the errors that all pages would have."""
    if isinstance(result, ProgramMissing) or (isinstance(result, RequestError) and result.status == 422 and not settled):
        raise result
    return settled or not isinstance(result, ChaffinchError)


def document(page: Page, result: Document | ChaffinchError) -> Document:
    """Return the Document of one of many pages, without the page itself."""
    doc = Document(drop="failed", error=str(result)) if isinstance(result, ChaffinchError) else result
    return replace(doc, id=page.id or doc.id, url=doc.url or page.url or "", _explain=None)


def _text(answer: Answer) -> str | None:
    if b"Chaffinch-Drop: " in answer.head:  # JSON and XML are not empty then
        return None
    return answer.body.decode().rstrip("\n") or None


def _progress(progress: Callable[[int], object] | bool | None, pages: object) -> Callable[[int], object]:
    """Return a callback for the number of finished pages; at the end it gets the negative number."""
    if progress is None or progress is False:
        return lambda _: None
    if progress is not True:
        given = progress
        return lambda n: given(n) if n >= 0 else None
    import time

    total = f" of {len(pages)}" if isinstance(pages, Sized) else ""
    last = time.monotonic()

    def tell(n: int) -> None:
        nonlocal last
        now = time.monotonic()
        if n < 0 or now - last > 0.2:
            last = now
            print(f"\r{abs(n)}{total} pages", end="\n" if n < 0 else "", file=sys.stderr, flush=True)

    return tell


def extract(html: HTML, output_format: Format = "text", *, url: str | None = None, **settings: Unpack[Settings]) -> str | None:
    """Return the clean text of a page, None if there is none.

    ``html`` is best given as bytes: the program detects the encoding. The name of a file raises ValueError, here and in
    :func:`clean` and :func:`explain`. ``output_format`` is ``text``, ``markdown``,
    ``json``, ``jsonl``, ``xml`` (TEI), ``vertical`` or ``prevertical``. For settings see :class:`Cleaner`.

    >>> extract(b"<nav>Home</nav><p>The ferry leaves at nine in the morning, and it comes back at six.</p>")
    'The ferry leaves at nine in the morning, and it comes back at six.'
    >>> extract(b"") is None
    True
    """
    return Cleaner(**settings).extract(content(html), url, output_format)


def clean(html: HTML, *, url: str | None = None, **settings: Unpack[Settings]) -> Document:
    """Return the Document of a page: its text, and every block with label, role, score and reason.

    >>> doc = clean(b"<title>Ferries</title><p>The ferry leaves at nine in the morning, and it comes back at six.</p>")
    >>> doc.title, doc.lang, [b.label for b in doc.blocks]
    ('Ferries', 'en', ['good'])
    >>> clean(b"").drop
    'no-text'
    """
    return Cleaner(**settings).clean(content(html), url)


def explain(html: HTML, *, url: str | None = None, **settings: Unpack[Settings]) -> str:
    """Return an HTML page with the decisions of every method on a page, and their reasons.

    >>> explain(b"<p>The ferry leaves at nine in the morning.</p>")[:15]
    '<!doctype html>'
    """
    return Cleaner(**settings).explain(content(html), url)


def clean_many(
    pages: Iterable[HTML | Page],
    workers: int | None = None,
    progress: Callable[[int], object] | bool | None = None,
    **settings: Unpack[Settings],
) -> Iterator[Document]:
    """Yield the Documents of many pages in order, using all processors.

    Pages are read on demand, a few per process ahead. A page that cannot be cleaned yields a Document with
    ``error``. ``progress`` is True, or a function that is called with the number of finished pages.

    >>> pages = [b"<p>The ferry leaves at nine in the morning, and comes back at six.</p>", b""]
    >>> [d.drop for d in clean_many(pages)]
    ['', 'no-text']
    """
    return Cleaner(workers=workers, **settings).clean_many(pages, progress)


def extract_many(
    pages: Iterable[HTML | Page],
    output_format: Format = "text",
    workers: int | None = None,
    progress: Callable[[int], object] | bool | None = None,
    **settings: Unpack[Settings],
) -> Iterator[str | None]:
    """Yield the clean texts of many pages in order, using all processors; None for a page without text.

    >>> list(extract_many([b"<p>The ferry leaves at nine in the morning, and comes back at six.</p>", b""]))
    ['The ferry leaves at nine in the morning, and comes back at six.', None]
    """
    return Cleaner(workers=workers, **settings).extract_many(pages, output_format, progress)


def clean_files(*paths: str | os.PathLike[str], **flags: object) -> Iterator[Document]:
    """Yield the Documents of all pages in files and folders, in any format that ``chaffinch clean`` reads.

    Keywords are the flags of the command, such as ``keep="main"`` or ``jobs=1``. An unreadable piece of input
    is an :class:`~chaffinch.errors.InputWarning`, or an error if there is no other input.
    """
    if not paths:
        raise ValueError("no files: wanted at least one path")
    args = [program(), *arguments(("clean", *paths), {"format": "jsonl", "annotate": True, "quiet": True, **flags})]
    found = False
    with tempfile.TemporaryFile() as log:
        with subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log) as p:
            assert p.stdout is not None
            try:
                for line in p.stdout:
                    found = True
                    yield Document.from_json(line)
                p.stdout.close()
                code = p.wait()
            finally:
                if p.poll() is None:
                    p.kill()
        log.seek(0)
        words = log.read()
    if code == 1 and found:
        warnings.warn(words.decode("utf-8", "replace").strip(), InputWarning, stacklevel=2)
    elif code != 0:
        raise command_error(code, words)


def clean_warc(path: str | os.PathLike[str], **flags: object) -> Iterator[Document]:
    """Yield the Documents of all pages of a web archive (WARC or ARC, plain or compressed); see :func:`clean_files`."""
    return clean_files(path, **flags)
