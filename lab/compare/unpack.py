#!/usr/bin/env python3
"""Unpack the pages of a data set and what meta.jsonl says of them.

    unpack.py SET.tar.zst DIR

html/* and meta.jsonl of the archive go to DIR, whatever folder they are in there.
"""
import io
import pathlib
import sys
import tarfile

import zstandard

archive, out = sys.argv[1], pathlib.Path(sys.argv[2])
(out / 'html').mkdir(parents=True, exist_ok=True)
with open(archive, 'rb') as f, zstandard.ZstdDecompressor().stream_reader(f) as z:
    with tarfile.open(fileobj=io.BufferedReader(z, 1 << 20), mode='r|') as tar:
        for member in tar:
            path = pathlib.PurePosixPath(member.name)
            if not member.isfile():
                continue
            if path.parent.name == 'html':
                (out / 'html' / path.name).write_bytes(tar.extractfile(member).read())
            elif path.name == 'meta.jsonl':
                (out / path.name).write_bytes(tar.extractfile(member).read())
