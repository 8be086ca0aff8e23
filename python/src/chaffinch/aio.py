"""Functions of the package for asyncio, under the same names.

>>> import asyncio
>>> asyncio.run(extract(b"<p>The ferry leaves at nine in the morning, and it comes back at six.</p>"))
'The ferry leaves at nine in the morning, and it comes back at six.'
"""

from __future__ import annotations

import asyncio
import functools
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from . import _pool, texts
from ._requests import HTML, content
from .cleaning import Cleaner, Format, Page, document, settles, several
from .document import Document
from .errors import ChaffinchError
from .texts import Language, Token

if TYPE_CHECKING:
    from typing_extensions import ParamSpec, Unpack

    from .cleaning import Settings

    P = ParamSpec("P")
T = TypeVar("T")

__all__ = ["clean", "clean_many", "detect_encoding", "detect_language", "explain", "extract", "perplexity", "tokenize"]


async def _away(f: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, functools.partial(f, *args, **kwargs))


async def extract(html: HTML, output_format: Format = "text", *, url: str | None = None, **settings: Unpack[Settings]) -> str | None:
    """Return the clean text of a page: :func:`chaffinch.extract`."""
    return await _away(Cleaner(**settings).extract, content(html), url, output_format)


async def clean(html: HTML, *, url: str | None = None, **settings: Unpack[Settings]) -> Document:
    """Return the Document of a page: :func:`chaffinch.clean`."""
    return await _away(Cleaner(**settings).clean, content(html), url)


async def explain(html: HTML, *, url: str | None = None, **settings: Unpack[Settings]) -> str:
    """Return an HTML page that shows all decisions: :func:`chaffinch.explain`."""
    return await _away(Cleaner(**settings).explain, content(html), url)


async def detect_encoding(data: bytes) -> str:
    """Return the encoding: :func:`chaffinch.detect_encoding`."""
    return await _away(texts.detect_encoding, data)


async def detect_language(html: HTML) -> Language:
    """Return the language: :func:`chaffinch.detect_language`."""
    return await _away(texts.detect_language, html)


async def tokenize(text: str, lang: str | None = None, *, tag: bool = False) -> list[list[Token]]:
    """Return sentences of tokens: :func:`chaffinch.tokenize`."""
    return await _away(texts.tokenize, text, lang, tag=tag)


async def perplexity(text: str | Sequence[str]) -> list[float | None]:
    """Return the perplexity of each line: :func:`chaffinch.perplexity`."""
    return await _away(texts.perplexity, text)


async def clean_many(
    pages: AsyncIterable[HTML | Page] | Iterable[HTML | Page], workers: int | None = None, **settings: Unpack[Settings]
) -> AsyncIterator[Document]:
    """Yield the Documents of many pages in order, reading a few pages ahead."""
    several(pages)
    cleaner = Cleaner(workers=workers, **settings)
    ahead = 2 * (workers or _pool.processors())
    open_: deque[asyncio.Future[tuple[Page, Document | ChaffinchError]]] = deque()
    settled = False

    async def one(page: Page) -> tuple[Page, Document | ChaffinchError]:
        try:
            return page, await _away(cleaner.clean, page.html, page.url)
        except ChaffinchError as e:
            return page, e

    async def first() -> Document:
        nonlocal settled
        page, result = await open_.popleft()
        settled = settles(result, settled)
        return document(page, result)

    async def each() -> AsyncIterator[HTML | Page]:
        if isinstance(pages, AsyncIterable):
            async for p in pages:
                yield p
        else:
            for p in pages:
                yield p

    try:
        async for p in each():
            open_.append(asyncio.ensure_future(one(p if isinstance(p, Page) else Page(p))))
            if len(open_) >= ahead:
                yield await first()
        while open_:
            yield await first()
    finally:
        for f in open_:
            f.cancel()
