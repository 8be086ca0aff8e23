"""Arrow: ``clean_table(table, "html")`` adds columns to a pyarrow Table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow

from ..cleaning import Cleaner
from ._columns import clean_column

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..cleaning import Settings

__all__ = ["clean_batch", "clean_table"]


def clean_table(table: pyarrow.Table, column: str = "html", prefix: str = "", **settings: Unpack[Settings]) -> pyarrow.Table:
    """Return a table with text, lang, title, date and drop of a column of pages (binary or string) added."""
    for name, values in clean_column(table.column(column).to_pylist(), Cleaner(**settings)).items():
        if prefix + name in table.column_names:
            raise ValueError(f"the table has a column {prefix + name!r}: set prefix to name the new columns")
        table = table.append_column(prefix + name, pyarrow.array(values, pyarrow.string()))
    return table


def clean_batch(batch: pyarrow.RecordBatch, column: str = "html", prefix: str = "", **settings: Unpack[Settings]) -> pyarrow.RecordBatch:
    """Return a record batch with the same columns added, for readers that yield batches."""
    table = clean_table(pyarrow.Table.from_batches([batch]), column, prefix, **settings)
    batches = table.combine_chunks().to_batches()  # none without rows
    return batches[0] if batches else pyarrow.RecordBatch.from_pylist([], schema=table.schema)
