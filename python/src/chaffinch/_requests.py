"""Requests to the API of the program, and the forms of pages and formats that they take."""

from __future__ import annotations

import os
import re
import sys
import warnings
from typing import Union
from urllib.parse import urlencode

from . import _pool
from ._worker import Answer, Request
from .errors import InputWarning

HTML = Union[bytes, bytearray, memoryview, str]

MAX_PAGE = (32 << 20) - 1
"""Maximum number of bytes of a page; the rest is cut, as by the command."""

_MAX_HEAD = (1 << 16) - 1  # of a frame

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
    return Request(_head(f"POST {_target(path, query)}\nContent-Type: {kind}"), data)


def get(path: str, **query: object) -> Request:
    """Return a request without a body; parameters as for :func:`request`."""
    return Request(_head(f"GET {_target(path, query)}"), b"")


def _head(text: str) -> bytes:
    data = text.encode()
    if len(data) > _MAX_HEAD:
        raise ValueError(f"parameters of {len(data)} bytes: wanted at most {_MAX_HEAD}: shorten the longest one")
    return data


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
