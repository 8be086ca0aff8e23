"""Hugging Face datasets: ``dataset.map(CleanColumn("html"), batched=True)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._requests import HTML
from ..cleaning import Cleaner
from ._columns import clean_column

__all__ = ["CleanColumn"]


@dataclass(frozen=True)
class CleanColumn:
    """A function for ``Dataset.map(..., batched=True)``: adds columns with text, language and reason of a column of pages.

    It pickles to its settings, so that the fingerprint of the dataset is the same each time, and processes made
    by ``num_proc`` start separate programs. ``prefix`` is prepended to the names of the new columns.

    >>> CleanColumn("html")({"html": [b"<p>The ferry leaves at nine in the morning, and comes back at six.</p>", None]})["text"]
    ['The ferry leaves at nine in the morning, and comes back at six.', None]
    """

    column: str = "html"
    url_column: str | None = None
    prefix: str = ""
    cleaner: Cleaner = field(default_factory=Cleaner)

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Return the new columns of a batch."""
        pages: Sequence[HTML | None] = batch[self.column]
        urls = batch[self.url_column] if self.url_column else None
        return {self.prefix + k: v for k, v in clean_column(pages, self.cleaner, urls).items()}
