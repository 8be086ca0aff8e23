#!/usr/bin/env python3
"""Writes the pages of all data sets as input of chaffinch build: HTML of the
evaluation sets, WebKB as WARC, registers and retrieval collections as JSON lines.

  pages.py DATA OUT

DATA is the folder of the data sets (lab/results/data.md). Needs zstd and tar."""

import glob
import gzip
import json
import os
import subprocess
import sys


def unpack(archive, folder):
    os.makedirs(folder, exist_ok=True)
    with subprocess.Popen(["zstd", "-dc", archive], stdout=subprocess.PIPE) as z:
        subprocess.run(["tar", "x", "-C", folder], stdin=z.stdout, check=True)


def webkb(lines, out):
    for i, line in enumerate(lines):
        d = json.loads(line)
        body = b"HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + d["html"].encode("utf-8", "replace")
        url = d["url"].replace("http//", "http://", 1).replace(" ", "%20")
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:webkb:{i}>\r\nWARC-Date: 1997-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        out.write(f"{head}Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n")


def lines(name, texts, out):
    for i, d in enumerate(texts, 1):
        out.write(json.dumps({"id": f"{name}-{i}", "set": name, "text": d["text"]}, ensure_ascii=False) + "\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    data, out = sys.argv[1:]
    raw = os.path.join(out, "raw")
    for archive in sorted(glob.glob(f"{data}/eval/*.tar.zst")):
        unpack(archive, raw)
        name = os.path.basename(archive).removesuffix(".tar.zst")
        os.makedirs(f"{out}/in/{name}", exist_ok=True)
        os.rename(f"{raw}/{name}/html", f"{out}/in/{name}/html")
    for archive in ("registers/webkb", "registers/registers", "ir/ir", "warc/warc"):
        unpack(f"{data}/{archive}.tar.zst", raw)
    os.rename(f"{raw}/warc", f"{out}/in/warc")
    with open(f"{raw}/webkb/webkb.jsonl", encoding="utf-8") as f, open(f"{out}/in/webkb.warc", "wb") as w:
        webkb(f, w)
    with open(f"{out}/in/registers.jsonl", "w", encoding="utf-8") as w:
        lines("registers", (json.loads(l) for name in sorted(glob.glob(f"{raw}/registers/*.gz")) for l in gzip.open(name, "rt", encoding="utf-8")), w)
    for name in sorted(glob.glob(f"{raw}/ir/*/docs.jsonl")):
        part = os.path.basename(os.path.dirname(name))
        with open(name, encoding="utf-8") as f, open(f"{out}/in/{part}.jsonl", "w", encoding="utf-8") as w:
            lines(part, (json.loads(l) for l in f), w)


if __name__ == "__main__":
    main()
