#!/usr/bin/env python3
"""Writes the pages of wcxb-dev as a web archive for cost.py, with a member for each page.

  warcs.py DATA OUT.warc.gz [PAGES]

DATA is the folder of the data sets (lab/results/data.md). Needs zstd and tar."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../compare/build"))
from pages import unpack  # noqa: E402
from warcs import real, write  # noqa: E402


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    data, out = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as raw:
        unpack(f"{data}/eval/wcxb-dev.tar.zst", raw)
        write(real(raw, "wcxb-dev"), int(sys.argv[3]) if len(sys.argv) == 4 else None, os.path.abspath(out))


if __name__ == "__main__":
    main()
