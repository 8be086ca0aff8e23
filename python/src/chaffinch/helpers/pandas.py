"""pandas: ``extract(df["html"])`` is a Series of texts, ``clean(df["html"])`` a DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas

from ..cleaning import Cleaner
from ._columns import clean_column, extract_column

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..cleaning import Settings

__all__ = ["clean", "extract"]


def _pages(series: pandas.Series[Any]) -> list[Any]:
    return [None if missing else p for p, missing in zip(series, series.isna(), strict=True)]


def extract(series: pandas.Series[Any], **settings: Unpack[Settings]) -> pandas.Series[Any]:
    """Return the texts of a column of pages, with its index; None where there is none."""
    return pandas.Series(extract_column(_pages(series), Cleaner(**settings)), index=series.index, name="text", dtype=object)


def clean(series: pandas.Series[Any], urls: pandas.Series[Any] | None = None, **settings: Unpack[Settings]) -> pandas.DataFrame:
    """Return text, lang, title, date and drop of a column of pages, with its index."""
    columns = clean_column(_pages(series), Cleaner(**settings), None if urls is None else _pages(urls))
    return pandas.DataFrame(columns, index=series.index)
