"""Converts a column of pages to columns of results."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any

from .._requests import HTML
from ..cleaning import Cleaner, Page

NAMES = ("text", "lang", "title", "date", "drop")


def clean_column(pages: Iterable[HTML | None], cleaner: Cleaner, urls: Iterable[str | None] | None = None) -> dict[str, list[Any]]:
    """Return columns by name, each as long as the column of pages; a missing page has None in all of them."""
    columns: dict[str, list[Any]] = {name: [] for name in NAMES}
    missing: list[bool] = []

    def every() -> Iterable[Page]:
        for page, url in zip(pages, repeat(None) if urls is None else urls, strict=False):
            missing.append(page is None)
            yield Page(b"" if page is None else page, url)

    for i, doc in enumerate(cleaner.clean_many(every())):
        row = (doc.text or None, doc.lang or None, doc.title or None, doc.date or None, doc.drop or None)
        for name, value in zip(NAMES, row, strict=True):
            columns[name].append(None if missing[i] else value)
    return columns


def extract_column(pages: Iterable[HTML | None], cleaner: Cleaner) -> list[str | None]:
    """Return the texts of a column of pages, None for a missing page and for one without text."""
    return list(cleaner.extract_many(b"" if page is None else page for page in pages))
