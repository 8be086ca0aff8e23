#!/usr/bin/env python3
"""Makes the lz4 files with python-lz4 4.4.5 (pip install lz4==4.4.5): python3 make.py"""
import os

import lz4
import lz4.frame as f

here = os.path.dirname(os.path.abspath(__file__))
text = b"".join(b"line %d of a text, %d\n" % (i, i * i % 977) for i in range(12000))
stored = bytes((i * 7919 + i // 256 * 104729) % 256 for i in range(1000))
for name, data, kw in [
    ("linked", text, dict(block_size=f.BLOCKSIZE_MAX64KB, block_linked=True, content_checksum=True)),
    ("independent", text, dict(block_size=f.BLOCKSIZE_MAX64KB, block_linked=False, block_checksum=True)),
    ("large", text, dict(block_size=f.BLOCKSIZE_MAX4MB, store_size=True, compression_level=9)),
    ("stored", stored, dict(content_checksum=True, block_checksum=True)),
    ("empty", b"", dict(content_checksum=True)),
]:
    kw.setdefault("store_size", False)
    with open(os.path.join(here, name + ".lz4"), "wb") as out:
        out.write(f.compress(data, **kw))
print(lz4.__version__, lz4.library_version_string())
