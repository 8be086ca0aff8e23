#!/usr/bin/env python3
"""Compares the WARC reader and writer with warcio and FastWARC.

    python3 -m venv venv && venv/bin/pip install warcio==1.8.1 FastWARC==2.0.1 cdxj-indexer==1.5.0
    venv/bin/python make.py write          # (re)makes the files in this folder
    go test ./warc -run TestWriteReference -args -reference /tmp/ours   # writes ours
    venv/bin/python make.py read /tmp/ours # reads ours with both

write: the same pages, written by us, are put into archives by both tools, and
what they themselves read back goes into expected.json, which the Go tests
compare with. cdxj.txt is cdxj-indexer's index of warcio's gzip archive.
"""
import base64
import hashlib
import io
import json
import os
import subprocess
import sys

import fastwarc
import warcio
from fastwarc.stream_io import GzipWriter, ZstdWriter, zstd_train_dictionary_from_samples
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecord, WarcRecordType
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HERE = os.path.dirname(os.path.abspath(__file__))
DATE = "2026-01-02T03:04:05Z"
PAGES = [
    ("http://example.org/", "<!DOCTYPE html><title>One</title><p>The first page, with an umlaut: \u00fc.</p>", "text/html; charset=utf-8"),
    ("http://example.org/empty", "", "text/html"),
    ("http://www.example.org/Path/?b=2&a=1", "<p>" + "many words here " * 600 + "</p>", "text/html"),
    ("http://example.org/note.txt", "WARC/1.0\r\nthis line looks like a record\r\n", "text/plain"),
]


def http_head(ctype, length):
    return [("Content-Type", ctype), ("Content-Length", str(length)), ("X-Note", "a: b")]


def warcio_file(name, gzip, version):
    with open(os.path.join(HERE, name), "wb") as f:
        w = WARCWriter(f, gzip=gzip, warc_version=version)
        def put(rec):
            rec.rec_headers.replace_header("WARC-Record-ID", "<urn:x:%d>" % put.n)
            rec.rec_headers.replace_header("WARC-Date", DATE)
            put.n += 1
            w.write_record(rec)
        put.n = 1
        put(w.create_warcinfo_record(name, {"software": "a test"}))
        for url, text, ctype in PAGES:
            body = text.encode()
            head = StatusAndHeaders("200 OK", http_head(ctype, len(body)), protocol="HTTP/1.1")
            put(w.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head))
            put(w.create_warc_record(url, "resource", payload=io.BytesIO(body), warc_content_type=ctype.split(";")[0]))
        put(w.create_revisit_record("http://example.org/", digest="sha1:" + base64.b32encode(hashlib.sha1(PAGES[0][1].encode()).digest()).decode(),
                                    refers_to_uri="http://example.org/", refers_to_date=DATE))


def fastwarc_file(name, writer):
    out = writer(open(os.path.join(HERE, name), "wb"))
    for i, (url, text, ctype) in enumerate(PAGES):
        rec = WarcRecord()
        rec.init_headers(WarcRecordType.response, ("y:%d" % i).encode())
        rec.headers["WARC-Date"] = DATE
        rec.headers["WARC-Target-URI"] = url
        rec.headers["Content-Type"] = "application/http; msgtype=response"
        body = text.encode()
        head = "HTTP/1.1 200 OK\r\n" + "".join("%s: %s\r\n" % h for h in http_head(ctype, len(body))) + "\r\n"
        rec.set_bytes_content(head.encode() + body)
        rec.write(out, checksum_data=True)
        out.flush()
    out.close()


def read_warcio(path):
    rows = []
    with open(path, "rb") as f:
        it = ArchiveIterator(f, check_digests=True)
        for r in it:
            payload = r.content_stream().read()
            rows.append({
                "id": (r.rec_headers.get_header("WARC-Record-ID") or "").strip("<>"),
                "type": r.rec_type,
                "uri": r.rec_headers.get_header("WARC-Target-URI") or "",
                "date": r.rec_headers.get_header("WARC-Date"),
                "offset": it.get_record_offset(),
                "length": it.get_record_length(),
                "status": r.http_headers.get_statuscode() if r.http_headers and r.rec_type == "response" else "",
                "payload_sha1": hashlib.sha1(payload).hexdigest(),
                "digests": r.digest_checker.passed,
            })
    return rows


def read_fastwarc(path):
    rows = []
    for r in FastIterator(open(path, "rb"), parse_http=False):
        stated = r.headers.get("WARC-Block-Digest")
        good = r.verify_block_digest() if stated else None
        rows.append({
            "id": (r.record_id or "").strip("<>"),
            "type": r.headers.get("WARC-Type"),
            "uri": r.headers.get("WARC-Target-URI") or "",
            "date": r.headers.get("WARC-Date"),
            "offset": r.stream_pos,
            "digests": good,
        })
    for row, r in zip(rows, FastIterator(open(path, "rb"), parse_http=False)):
        row["block_sha1"] = hashlib.sha1(r.reader.read()).hexdigest()
    return rows


def write():
    out = {"warcio": "1.8.1", "fastwarc": "2.0.1", "files": {}}
    warcio_file("warcio-1.1.warc", False, "1.1")
    warcio_file("warcio-1.0.warc.gz", True, "1.0")
    samples = [("some sample %d of text, " % i * 40).encode() + PAGES[0][1].encode() for i in range(100)]
    dictionary = zstd_train_dictionary_from_samples(samples, 2048)
    fastwarc_file("fastwarc.warc", lambda f: f)
    fastwarc_file("fastwarc.warc.gz", GzipWriter)
    fastwarc_file("fastwarc.warc.zst", ZstdWriter)
    fastwarc_file("fastwarc-dict.warc.zst", lambda f: ZstdWriter(f, dictionary=dictionary))
    fastwarc_file("fastwarc-packed-dict.warc.zst", lambda f: ZstdWriter(f, dictionary=dictionary, compress_dictionary_frame=True))
    for name in sorted(os.listdir(HERE)):
        if ".warc" in name:
            read = read_fastwarc if name.startswith("fastwarc") else read_warcio
            out["files"][name] = read(os.path.join(HERE, name))
    with open(os.path.join(HERE, "expected.json"), "w") as f:
        json.dump(out, f, indent=1)
        f.write("\n")
    with open(os.path.join(HERE, "cdxj.txt"), "wb") as f:
        f.write(subprocess.check_output([os.path.join(os.path.dirname(sys.executable), "cdxj-indexer"), "-s",
                                         os.path.join(HERE, "warcio-1.0.warc.gz")]))


def read(folder):
    with open(os.path.join(folder, "ours.json")) as f:
        ours = json.load(f)
    bad = 0
    for name, want in ours.items():
        path = os.path.join(folder, name)
        for tool, rows in (("warcio", read_warcio(path) if not name.endswith(".zst") else None), ("FastWARC", read_fastwarc(path))):
            if rows is None:
                continue
            if len(rows) != len(want):
                print(name, tool, "reads", len(rows), "records of", len(want))
                bad += 1
            for g, w in zip(rows, want):
                for k in w:
                    if k in g and g[k] != w[k]:
                        print(name, tool, w["id"], k, g[k], "wanted", w[k])
                        bad += 1
                if g["digests"] is False:
                    print(name, tool, w["id"], "says that a digest is wrong")
                    bad += 1
            print(name, tool, len(rows), "records, digests checked:", sum(1 for g in rows if g["digests"]))
    print("differences:", bad)
    return bad != 0


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        write()
    elif len(sys.argv) == 3 and sys.argv[1] == "read":
        sys.exit(read(sys.argv[2]))
    else:
        sys.exit(__doc__)
