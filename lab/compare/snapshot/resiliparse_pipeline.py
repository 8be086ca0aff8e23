"""Builds training data from web archives with FastWARC and Resiliparse, in one process and one pass.

  resiliparse_pipeline.py OUT FILE.warc.gz...

The steps are those of the recipe training-data: English main text, rules of Gopher, C4 without line ends and
FineWeb, MinHash with 14 bands of 8, Parquet. The rules are datatrove's, but with words and sentences by regular
expressions and words found once for all rules. Duplicates are found by rensa in memory: of similar documents, the
first is kept. OUT/corpus holds Parquet, OUT/stages.json the cost of each stage."""

import os
import re
import sys
import time
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from datatrove.data import Document
from datatrove.pipeline.filters import C4QualityFilter, FineWebQualityFilter, GopherQualityFilter, GopherRepetitionFilter
from datatrove.pipeline.filters import c4_filters, fineweb_quality_filter, gopher_quality_filter, gopher_repetition_filter
from fastwarc.warc import ArchiveIterator, WarcRecordType
from rensa import RMinHash, RMinHashLSH
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from resiliparse.parse.html import HTMLTree
from resiliparse.parse.lang import detect_fast
from stages import Stages

WORDS = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]+")
SENTENCES = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+")
BANDS, ROWS, N = 14, 8, 5
BATCH = 1000  # documents of a row group


@lru_cache(maxsize=2)
def words(text, language=None):
    return WORDS.findall(text)


def sentences(text, language=None):
    return [s for s in SENTENCES.split(text) if s]


for module in (gopher_repetition_filter, gopher_quality_filter, fineweb_quality_filter):
    module.split_into_words = words
c4_filters.split_into_sentences = sentences


def read(files):
    for name in files:
        with open(name, "rb") as f:
            for record in ArchiveIterator(f, record_types=WarcRecordType.response, parse_http=True):
                if record.http_content_type in ("text/html", "application/xhtml+xml"):
                    yield Document(text=record.reader.read(), id=record.record_id, metadata={"url": record.headers.get("WARC-Target-URI")})


def extract(docs):
    for doc in docs:
        doc.text = extract_plain_text(HTMLTree.parse(bytes_to_str(doc.text, detect_encoding(doc.text))), main_content=True, alt_texts=False)
        if doc.text:
            yield doc


def english(docs):
    return (doc for doc in docs if detect_fast(doc.text)[0] == "en")


def passed(docs, rule):
    return (doc for doc in docs if rule.filter(doc) is True)


def unique(docs):
    lsh = RMinHashLSH(0.75, BANDS * ROWS, BANDS)
    for number, doc in enumerate(docs):
        tokens = [w for w in words(doc.text.lower()) if w[0].isalnum()]
        sketch = RMinHash(BANDS * ROWS, 1)
        sketch.update({" ".join(tokens[i:i + N]) for i in range(max(1, len(tokens) - N + 1))})
        found = lsh.query(sketch)
        lsh.insert(number, sketch)
        if not found:
            yield doc


def write(docs, folder):
    schema = pa.schema([(name, pa.string()) for name in ("text", "id", "url")])
    os.makedirs(folder)
    with pq.ParquetWriter(f"{folder}/0.parquet", schema, compression="zstd") as w:
        batch = []
        for doc in docs:
            batch.append({"text": doc.text, "id": doc.id, "url": doc.metadata["url"]})
            if len(batch) == BATCH:
                w.write_table(pa.Table.from_pylist(batch, schema))
                batch = []
        w.write_table(pa.Table.from_pylist(batch, schema))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = sys.argv[1]
    os.makedirs(out)
    stages = Stages()
    stages.add("start", time.process_time(), 0)
    docs = read(sys.argv[2:])
    steps = [
        ("read", lambda d: d), ("extract", extract), ("language", english), ("gopher_repetition", lambda d: passed(d, GopherRepetitionFilter())),
        ("gopher_quality", lambda d: passed(d, GopherQualityFilter())), ("c4", lambda d: passed(d, C4QualityFilter(filter_no_terminal_punct=False))),
        ("fineweb", lambda d: passed(d, FineWebQualityFilter())), ("minhash", unique),
    ]
    for name, step in steps:
        docs = stages.clock(name)(step(docs))
    start = time.process_time()
    write(docs, f"{out}/corpus")
    total = time.process_time() - start
    stages.exclusive(1)
    stages.add("Parquet", total - sum(r["cpu"] for r in stages.rows[1:]), stages.rows[-1]["pages"])
    stages.write(Path(out, "stages.json"))


if __name__ == "__main__":
    main()
