#!/usr/bin/env python3
"""Writes pages of evaluation sets as a web archive for cost.py, with a member for each page.

  warcs.py DATA OUT.warc.gz [SET,...] [EVERY]

DATA is the folder of the data sets (lab/results/data.md). SET is wcxb-dev by default, all for
all sets. With EVERY, only each EVERY-th page is written. Needs zstd and tar."""

import glob
import itertools
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../compare/build"))
from pages import unpack  # noqa: E402
from warcs import real, write  # noqa: E402


def main():
    if len(sys.argv) not in (3, 4, 5):
        sys.exit(__doc__)
    data, out, names, every = sys.argv[1:] + ["wcxb-dev", "1"][len(sys.argv) - 3:]
    archives = sorted(glob.glob(f"{data}/eval/*.tar.zst"))
    if names != "all":
        archives = [f"{data}/eval/{name}.tar.zst" for name in names.split(",")]
    with tempfile.TemporaryDirectory() as raw:
        for archive in archives:
            unpack(archive, raw)
        pages = itertools.chain.from_iterable(real(raw, os.path.basename(a).removesuffix(".tar.zst")) for a in archives)
        write(itertools.islice(pages, 0, None, int(every)), None, os.path.abspath(out))


if __name__ == "__main__":
    main()
