"""Reads all records of WARC files with FastWARC, blocks included."""

import sys

from fastwarc.warc import ArchiveIterator

records = size = 0
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        for record in ArchiveIterator(file, parse_http=False):
            records += 1
            size += len(record.reader.read())
print(f"{records} records, {size} bytes")
