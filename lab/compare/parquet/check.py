"""Compares the Parquet files of a run with its JSON lines, value by value, as
pyarrow reads them, and asks Polars, DuckDB and datasets for the same sums.

    check.py FOLDER      # with all, annotated (.parquet and .jsonl), none.parquet

Exit code 1 if anything differs."""

import json
import math
import pathlib
import sys

import datasets
import duckdb
import polars
import pyarrow.parquet

COUNTS = {"blocks_all": "blocks", "blocks_kept": "blocks_kept", "words": "words", "words_kept": "words_kept"}
SOURCE = {"file": "file", "offset": "offset", "record": "record", "record_type": "type"}
LISTS = {"authors", "langs", "categories", "tags"}


def expected(name, doc):
    """The value that a column should have for a line of JSON."""
    if name in COUNTS:
        return doc["counts"][COUNTS[name]]
    if name in SOURCE:
        return doc["source"].get(SOURCE[name])
    if name in LISTS:
        return doc.get(name, [])
    return doc.get(name)


def same(a, b):
    if isinstance(a, float) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-8)
    if isinstance(a, dict) and isinstance(b, dict):
        return all(same(a.get(k), b.get(k)) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def compare(folder, name):
    file = folder / f"{name}.parquet"
    docs = [json.loads(line) for line in open(folder / f"{name}.jsonl", encoding="utf-8")]
    table = pyarrow.parquet.read_table(file)
    rows = table.to_pylist()
    bad = 0 if len(rows) == len(docs) else 1
    for row, doc in zip(rows, docs):
        for column, value in row.items():
            if column == "text" and "text" not in doc or column == "blocks" and "blocks" not in doc:
                continue
            if column == "lang_confidence" and column not in doc:
                continue
            if column == "blocks":
                value = [{k: v for k, v in b.items() if k in ("kind", "label", "text", "start", "end", "why", "lang", "lang_confidence")} for b in value]
                for b in doc["blocks"]:
                    for k in ("why", "lang", "lang_confidence"):
                        b.setdefault(k, None)
            if not same(value, expected(column, doc)):
                bad += 1
                print(f"{name}: {row['id']}: {column}: {value!r}, JSON has {expected(column, doc)!r}")
    chars = sum(len(r["text"]) for r in rows)
    beyond = sum(ord(c) > 0xFFFF for r in rows for c in r["text"])
    words = sum(r["words_kept"] for r in rows)
    meta = pyarrow.parquet.ParquetFile(file).metadata
    print(f"{name}: {len(rows)} rows, {len(table.column_names)} columns, {meta.num_row_groups} row groups, {chars} characters ({beyond} beyond the BMP), {file.stat().st_size} bytes")
    sums = {
        "polars": polars.scan_parquet(file).select(polars.len(), polars.col("text").str.len_chars().sum(), polars.col("words_kept").sum()).collect().row(0),
        "duckdb": duckdb.sql(f"select count(*), sum(length(text)), sum(words_kept) from '{file}'").fetchall()[0],
    }
    d = datasets.load_dataset("parquet", data_files=str(file), split="train")
    sums["datasets"] = (len(d), sum(map(len, d["text"])), sum(d["words_kept"]))
    for who, got in sums.items():
        ok = tuple(x or 0 for x in got) == (len(rows), chars, words)
        bad += not ok
        print(f"  {who}: {got} {'as pyarrow' if ok else f'but pyarrow has {(len(rows), chars, words)}'}")
    return bad


def main(folder):
    folder = pathlib.Path(folder)
    bad = compare(folder, "all") + compare(folder, "annotated")
    none = pyarrow.parquet.read_table(folder / "none.parquet")
    print(f"none: {none.num_rows} rows, {len(none.column_names)} columns")
    bad += none.num_rows != 0 or len(polars.read_parquet(folder / "none.parquet")) != 0
    print(f"{bad} differences")
    return 1 if bad else 0


if __name__ == "__main__":
    datasets.disable_progress_bars()
    sys.exit(main(*sys.argv[1:]))
