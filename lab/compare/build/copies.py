#!/usr/bin/env python3
"""Writes archives that are as long as a given one and share no text with it: every
fourth word of a page has another ending in each of them, and each page another address and ID.

  copies.py ARCHIVE.warc.gz N FOLDER

So a crawl of any size can be made of a few pages: what cleans, filters and compares
them has the work that it would have with other pages of that kind."""

import gzip
import os
import re
import sys

TEXT = re.compile(rb">[^<]+<")
URI = re.compile(rb"(?im)^(WARC-Target-URI: *https?://)")
ID = re.compile(rb"(?im)^(WARC-Record-ID: *<[^>\r\n]*)")


def records(name):
    """Yields the header and the body of each record."""
    with gzip.open(name) as f:
        while line := f.readline():
            if not line.strip():
                continue
            head = [line]
            while (line := f.readline()).strip():
                head.append(line)
            head = b"".join(head)
            yield head, f.read(int(re.search(rb"(?im)^Content-Length: *(\d+)", head)[1]))


def words(text, ending):
    """The text with other words."""
    list = text.split(b" ")
    for i in range(3, len(list), 4):
        if list[i].isalpha():
            list[i] += ending
    return b" ".join(list)


def other(head, body, n):
    """The record with other words."""
    http, gap, page = body.partition(b"\r\n\r\n")
    page = TEXT.sub(lambda m: words(m[0], bytes([ord("a") + n]) * 2), page)
    body = http + gap + page
    head = ID.sub(rb"\1:copy%d" % n, URI.sub(rb"\1copy%d." % n, head))
    head = re.sub(rb"(?im)^WARC-(Payload|Block)-Digest:.*\n", b"", head)
    return re.sub(rb"(?im)^(Content-Length: *)\d+", rb"\g<1>%d" % len(body), head), body


def main():
    if len(sys.argv) != 4 or not 0 < int(sys.argv[2]) <= 26:
        sys.exit(__doc__)
    os.makedirs(sys.argv[3], exist_ok=True)
    outs = [open(f"{sys.argv[3]}/{n:02}.warc.gz", "wb") for n in range(int(sys.argv[2]))]
    for head, body in records(sys.argv[1]):
        for n, out in enumerate(outs):
            h, b = other(head, body, n)
            out.write(gzip.compress(h + b"\r\n" + b + b"\r\n\r\n", 4, mtime=0))


if __name__ == "__main__":
    main()
