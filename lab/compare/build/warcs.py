#!/usr/bin/env python3
"""Writes the web archives that rival.sh and overhead.sh are given: the first pages of
WebKB, and real pages of some 220 kB each, three of wcxb-dev and one of dragnet in turns.

  warcs.py DATA OUT

DATA is the folder of the data sets (lab/results/data.md). Makes, with a member for each page,

  OUT/webkb-200/ and webkb-1000/    so many pages of WebKB
  OUT/real-200/ and real-1000/      so many real pages
  OUT/real-1300.warc.gz             of which copies.py makes more

Needs zstd and tar."""

import glob
import gzip
import itertools
import json
import os
import sys
import tempfile

from pages import unpack


def webkb(raw):
    """Yields address, Content-Type and body of pages."""
    with open(f"{raw}/webkb/webkb.jsonl", encoding="utf-8") as f:
        for line in f:
            d = json.loads(line)
            url = d["url"].replace("http//", "http://", 1).replace(" ", "%20")
            yield url, "text/html; charset=utf-8", d["html"].encode("utf-8", "replace")


def real(raw, name):
    urls = {}
    with open(f"{raw}/{name}/meta.jsonl", encoding="utf-8") as f:
        for line in f:
            d = json.loads(line)
            urls[str(d["id"])] = d.get("url")
    for file in sorted(glob.glob(f"{raw}/{name}/html/*.html")):
        id = os.path.basename(file).removesuffix(".html")
        with open(file, "rb") as f:
            yield urls.get(id) or f"https://{name}.example/{id}", "text/html", f.read()


def mixed(raw):
    """Three of one set, one of the other."""
    a, b = real(raw, "wcxb-dev"), real(raw, "dragnet")
    while four := list(itertools.islice(a, 3)) + list(itertools.islice(b, 1)):
        yield from four


def write(pages, n, file):
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "wb") as out:
        for i, (url, kind, page) in enumerate(itertools.islice(pages, n)):
            body = f"HTTP/1.0 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + page
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:page:{i}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
            head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
            out.write(gzip.compress(head.encode() + body + b"\r\n\r\n", 6, mtime=0))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    data, out = sys.argv[1:]
    with tempfile.TemporaryDirectory() as raw:
        for archive in ("registers/webkb", "eval/wcxb-dev", "eval/dragnet"):
            unpack(f"{data}/{archive}.tar.zst", raw)
        for n in (200, 1000):
            write(webkb(raw), n, f"{out}/webkb-{n}/pages.warc.gz")
            write(mixed(raw), n, f"{out}/real-{n}/pages.warc.gz")
        write(mixed(raw), 1300, f"{out}/real-1300.warc.gz")


if __name__ == "__main__":
    main()
