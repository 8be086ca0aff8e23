"""Functions that clean pages and analyse text."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union
from urllib.parse import urlencode

from . import _pool
from ._program import arguments, command_error, program, run
from ._worker import Answer, Request
from .document import Document
from .errors import ChaffinchError, InputWarning, ProgramMissing

Favour = Literal["", "precision", "recall"]
Method = Literal["", "blocks", "lines", "documents", "perplexity", "ncleaner", "justext", "keep", "all"]
Format = Literal["text", "txt", "markdown", "md", "json", "jsonl", "xml", "tei", "xmltei", "vertical", "prevertical"]
DedupMethod = Literal["exact", "minhash", "onion"]
ModelKind = Literal[
    "blocks", "charset", "filter-limits", "langid", "lines", "ncleaner", "nontext", "segmenter", "sentences", "stopwords", "words"
]

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


__all__ = [
    "Cleaner",
    "Language",
    "Page",
    "Token",
    "clean",
    "clean_files",
    "clean_many",
    "clean_warc",
    "dedup",
    "detect_encoding",
    "detect_language",
    "detect_languages",
    "explain",
    "extract",
    "extract_many",
    "filter_text",
    "perplexity",
    "run",
    "tokenize",
    "train",
]

HTML = Union[bytes, bytearray, memoryview, str]

MAX_PAGE = (32 << 20) - 1
"""Maximum number of bytes of a page; the rest is cut, as by the command."""

FORMATS = {
    "text": "text",
    "txt": "text",
    "markdown": "markdown",
    "md": "markdown",
    "json": "json",
    "jsonl": "jsonl",
    "xml": "xml",
    "tei": "xml",
    "xmltei": "xml",
    "vertical": "vertical",
    "prevertical": "prevertical",
}
"""Names of output formats, and their names in the program."""


_MARKUP = ("markdown", "json", "xml")


@dataclass(frozen=True)
class Page:
    """A page with its address, for :func:`clean_many`; ``url`` helps with links and metadata."""

    html: HTML
    url: str | None = None
    id: str = ""


_ADDRESS = re.compile(r"\s*(?:https?|file|ftp|s3)://\S+\s*", re.ASCII | re.IGNORECASE)

_PAGE_NAME = re.compile(r"[^<>\s]{1,255}\.html?", re.ASCII | re.IGNORECASE)


def _outside() -> int:
    """Return the stack level of the package's caller, for a warning by the calling function."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__ or "chaffinch"):
        frame, level = frame.f_back, level + 1
    return level


def _names_file(text: str) -> bool:
    """Report whether a text is the name of an existing file. Only short texts of one line without markup are checked."""
    if not 0 < len(text) <= 1024 or any(c in text for c in "\n\0<"):
        return False
    try:
        return os.path.isfile(text)
    except (OSError, ValueError):
        return False


def content(html: HTML) -> HTML:
    """Return a page, or raise ValueError if it is a string with the name of a file instead."""
    if isinstance(html, str) and (_names_file(html) or _PAGE_NAME.fullmatch(html)):
        raise ValueError(f"{html!r} is a file name, not a page: read the file first: open({html!r}, 'rb').read()")
    return html


def body(html: HTML) -> tuple[bytes, str]:
    """Return the bytes of a page and their media type. Strings are sent as UTF-8.

    The API rejects an empty body, so an empty page is sent as a line break.
    """
    if isinstance(html, str):
        if _ADDRESS.fullmatch(html):
            warnings.warn(f"{html.strip()!r} is an address, not a page: fetch it first", InputWarning, stacklevel=_outside())
        elif _names_file(html):
            warnings.warn(f"{html!r} is a file name, not a page: read the file first", InputWarning, stacklevel=_outside())
        return html.encode("utf-8", "replace")[:MAX_PAGE] or b"\n", "text/*; charset=utf-8"
    if isinstance(html, bytes):
        return html[:MAX_PAGE] or b"\n", "text/*"
    try:
        return bytes(memoryview(html))[:MAX_PAGE] or b"\n", "text/*"
    except TypeError:
        raise TypeError(f"a page of type {type(html).__name__}: wanted bytes or str") from None


def request(path: str, data: bytes, kind: str, **query: object) -> Request:
    """Return a request of the API, without parameters that are None or empty."""
    return Request(f"POST {_target(path, query)}\nContent-Type: {kind}".encode(), data)


def get(path: str, **query: object) -> Request:
    """Return a request without a body; parameters as for :func:`request`."""
    return Request(f"GET {_target(path, query)}".encode(), b"")


def _target(path: str, query: dict[str, object]) -> str:
    given = {k: v for k, v in query.items() if v is not None and v != ""}
    return path + ("?" + urlencode(given, doseq=True) if given else "")


def ask(asked: Request) -> Answer:
    """Return the response to a request, or raise its error."""
    return _pool.checked(_pool.default_pool().call(asked))


def format_of(name: str) -> str:
    """Return the program's name of a format."""
    try:
        return FORMATS[name]
    except KeyError:
        raise ValueError(f"output_format={name!r}: wanted one of {', '.join(FORMATS)}") from None


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
        # Addresses differ from page to page: heads with one are not remembered.
        head = _head(path, kind, (*query, ("url", url))) if url else _cached_head(path, kind, query)
        return Request(head, data)

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
            doc = _failed(answer) if isinstance(answer, ChaffinchError) else Document.from_json(answer.body)
            yield replace(doc, id=page.id or doc.id, url=doc.url or page.url or "")

    def extract_many(
        self, pages: Iterable[HTML | Page], output_format: Format = "text", progress: Callable[[int], object] | bool | None = None
    ) -> Iterator[str | None]:
        """Yield the clean texts of many pages in order, None for a page without text; see :func:`extract_many`."""
        for _, answer in self._many(pages, format_of(output_format), False, progress):
            yield None if isinstance(answer, ChaffinchError) else _text(answer)

    def _many(
        self, pages: Iterable[HTML | Page], form: str, annotate: bool, progress: Callable[[int], object] | bool | None
    ) -> Iterator[tuple[Page, Answer | ChaffinchError]]:
        tell = _progress(progress, pages)
        settled = False  # a setting that cannot be used is raised, a page that cannot be cleaned is not
        every = (p if isinstance(p, Page) else Page(p) for p in pages)
        number = 0
        for number, (page, answer) in enumerate(self._pool().map(every, lambda p: self._ask(p.html, p.url, form, annotate)), 1):
            if isinstance(answer, Answer) and answer.status >= 400:
                error = _pool.failure(answer)
                if not settled and answer.status == 422:
                    raise error
                answer = error
            elif isinstance(answer, ProgramMissing):
                raise answer
            else:
                settled = True
            yield page, answer
            tell(number)
        tell(-number)


@functools.lru_cache(maxsize=8)
def _sized_pool(workers: int) -> _pool.Pool:
    return _pool.Pool(workers)


def _failed(error: ChaffinchError) -> Document:
    return Document(drop="failed", error=str(error))


def _text(answer: Answer) -> str | None:
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


@dataclass(frozen=True)
class Language:
    """A language as a BCP 47 tag, ``und`` if undetermined, with its confidence or its share of the text."""

    lang: str
    confidence: float


def _detect(html: HTML) -> dict[str, Any]:
    data, kind = body(html)
    answer: dict[str, Any] = json.loads(ask(request("/v1/detect", data, kind)).body)
    return answer


def detect_encoding(data: bytes) -> str:
    """Return the encoding of a page or text by its WHATWG name.

    >>> detect_encoding("Die Fähre fährt um neun Uhr über den Fluss zurück.".encode("latin-1"))
    'windows-1252'
    """
    return str(_detect(data)["charset"])


def detect_language(html: HTML) -> Language:
    """Return the language of a page or text.

    >>> detect_language("Die Fähre fährt morgens um neun Uhr über den Fluss und kommt am Abend zurück.").lang
    'de'
    """
    d = _detect(html)
    return Language(str(d["lang"]), float(d["confidence"]))


def detect_languages(html: HTML) -> list[Language]:
    """Return the languages of the blocks of a page with their shares of the text, largest first."""
    return [Language(str(s["lang"]), float(s["share"])) for s in _detect(html)["langs"]]


@dataclass(frozen=True)
class Token:
    """A token and its position: ``text[start:end]`` of the given string.

    ``lemma``, ``upos`` (universal part of speech), ``xpos`` (tag of the treebank) and ``feats``
    (morphological features) are empty without a tagger for the language.
    """

    text: str
    start: int
    end: int
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    feats: str = ""


def tokenize(text: str, lang: str | None = None, *, tag: bool = False) -> list[list[Token]]:
    """Return the sentences of a text, each the list of its tokens, with ``tag`` also their annotation.

    >>> [[t.text for t in s] for s in tokenize("It leaves at nine. I know.", lang="en")]
    [['It', 'leaves', 'at', 'nine', '.'], ['I', 'know', '.']]
    """
    data = text.encode("utf-8", "replace") or b"\n"
    answer = json.loads(ask(request("/v1/tokenize", data, "text/plain; charset=utf-8", lang=lang, tag="true" if tag else None)).body)
    at = _characters(data)
    return [
        [Token(t["text"], at(t["start"]), at(t["end"]), *(t.get(k, "") for k in ("lemma", "upos", "xpos", "feats"))) for t in s["tokens"]]
        for s in answer["sentences"]
    ]


def _characters(data: bytes) -> Callable[[int], int]:
    """Return a function from byte offsets to character offsets; rising offsets need one pass."""
    if data.isascii():
        return lambda at: at
    byte = character = 0

    def of(at: int) -> int:
        nonlocal byte, character
        if at < byte:
            byte = character = 0
        character += len(data[byte:at].decode("utf-8", "replace"))
        byte = at
        return character

    return of


def perplexity(text: str | Sequence[str]) -> list[float | None]:
    """Return the perplexity of each line of a text by the embedded model of English words; None without words.

    >>> a, b = perplexity(["The ferry leaves at nine in the morning.", "nine the leaves at ferry morning the in"])
    >>> a is not None and b is not None and a < b
    True
    """
    lines = text.split("\n") if isinstance(text, str) else [t.replace("\n", " ") for t in text]
    return perplexities(_pool.default_pool(), lines)


def perplexities(pool: _pool.Pool, lines: list[str]) -> list[float | None]:
    """Return the perplexities of lines by the model of a pool; None of a line without words."""
    out: list[float | None] = [None] * len(lines)
    filled = [i for i, line in enumerate(lines) if line.strip()]
    if not filled:
        return out
    data = "\n".join(lines[i] for i in filled).encode("utf-8", "replace")
    answer = _pool.checked(pool.call(request("/v1/perplexity", data, "text/plain; charset=utf-8")))
    scored = json.loads(answer.body)["lines"]
    if len(scored) != len(filled):
        raise ChaffinchError(f"perplexities of {len(scored)} lines, wanted {len(filled)}")
    for i, line in zip(filled, scored, strict=True):
        out[i] = line["perplexity"]
    return out


def filter_text(text: str, rules: str | Sequence[str] = "fineweb", lang: str | None = None) -> dict[str, Any]:
    """Score a text by quality rules: returns ``kept``, the broken ``rule``, all ``scores``, and dropped ``lines``.

    >>> filter_text("Too short.", "gopher_quality", lang="en")["rule"].split()[0]
    'gopher_quality.words'
    """
    names = [rules] if isinstance(rules, str) else list(rules)
    data = text.encode("utf-8", "replace") or b"\n"
    asked = request("/v1/filter", data, "text/plain; charset=utf-8", rules=",".join(names), lang=lang)
    answer: dict[str, Any] = json.loads(ask(asked).body)
    return answer


def _command(*words: object, **flags: Any) -> str:
    return run(*words, **flags)


def dedup(texts: Iterable[str], method: DedupMethod = "exact", **flags: object) -> list[str | None]:
    """Return texts without duplicates of earlier texts; None for a text of which nothing remains.

    ``method`` and keywords are flags of ``chaffinch dedup run``: ``exact`` (texts and their paragraphs), ``minhash``
    (near-duplicates), ``onion`` (paragraphs by n-grams). The texts are written to a file in a temporary folder.

    >>> dedup(["The ferry leaves.", "It comes back.", "The ferry leaves."])
    ['The ferry leaves.', 'It comes back.', None]
    """
    with tempfile.TemporaryDirectory(prefix="chaffinch-") as folder:
        source, out = Path(folder, "in.jsonl"), Path(folder, "out.jsonl")
        n = 0
        with source.open("w", encoding="utf-8", errors="replace") as f:
            for n, text in enumerate(texts, 1):
                f.write(json.dumps({"id": str(n - 1), "text": text}) + "\n")
        if n == 0:
            return []
        _command("dedup", "run", source, out=out, method=method, quiet=True, **flags)
        left: list[str | None] = [None] * n
        with out.open(encoding="utf-8") as f:
            for line in f:
                record = json.loads(line)
                left[int(record["id"])] = record["text"]
        return left


def train(kind: ModelKind, *inputs: str | os.PathLike[str], **flags: object) -> str:
    """Train a model on your own text or pages with ``chaffinch train KIND``; return its standard output.

    ``train("words", "texts/", out="my.st")`` is ``chaffinch train words texts/ --out my.st``;
    ``run("train", "--help")`` lists the kinds.
    """
    return _command("train", kind, *inputs, **flags)
