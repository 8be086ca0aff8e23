"""polars: ``df.with_columns(text=extract(pl.col("html")))``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars

from ..cleaning import Cleaner
from ._columns import NAMES, clean_column, extract_column

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..cleaning import Settings

__all__ = ["clean", "extract"]


def extract(column: polars.Expr, **settings: Unpack[Settings]) -> polars.Expr:
    """Return an expression: the texts of a column of pages (Binary or String), null where there is none."""
    cleaner = Cleaner(**settings)

    def texts(s: polars.Series) -> polars.Series:
        return polars.Series(s.name, extract_column(s.to_list(), cleaner), dtype=polars.String)

    return column.map_batches(texts, return_dtype=polars.String)


def clean(column: polars.Expr, **settings: Unpack[Settings]) -> polars.Expr:
    """Return an expression: a struct with text, lang, title, date and drop of a column of pages."""
    cleaner = Cleaner(**settings)
    kind = polars.Struct(dict.fromkeys(NAMES, polars.String))

    def structs(s: polars.Series) -> polars.Series:
        columns = clean_column(s.to_list(), cleaner)
        return polars.DataFrame(columns, schema=dict.fromkeys(NAMES, polars.String)).to_struct(s.name)

    return column.map_batches(structs, return_dtype=kind)
