"""Writes the text that the models of non-text are trained on and evaluated with, as JSON lines.

    nontext.py DATA OUT

DATA is the folder that holds the data sets. OUT gets train-en.jsonl and train-any.jsonl, from
which make-nontext.sh makes the models, limit-en.jsonl and limit-any.jsonl, good text of other
sources on which their limits are chosen, and test-en.jsonl, test-any.jsonl and test-spam.jsonl
for the evaluation, in which no site of the others is: the fields set and register tell where a
document is from. Needs python3 and zstd.
"""
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zlib
from urllib.parse import urlsplit

data, out = sys.argv[1:3]
os.makedirs(out, exist_ok=True)


def members(archive):
    """Yields the path and the bytes of each file of an archive."""
    with subprocess.Popen(["zstd", "-dc", f"{data}/{archive}"], stdout=subprocess.PIPE) as p:
        with tarfile.open(fileobj=p.stdout, mode="r|") as tar:
            for m in tar:
                if m.isfile():
                    yield m.name.removeprefix("./"), tar.extractfile(m).read()


def files(name):
    return open(f"{out}/{name}.jsonl", "w", encoding="utf-8")


def write(f, **doc):
    doc["text"] = "\n".join(line.strip() for line in doc["text"].splitlines() if line.strip())
    if len(doc["text"]) > 200:
        if f.name.startswith(f"{out}/limit-"):  # which needs no more than the beginning
            doc["text"] = doc["text"].encode()[:9000].decode("utf-8", "ignore")
        f.write(json.dumps(doc, ensure_ascii=False) + "\n")


def half(site):
    """Says in which half of the sites one is: 0 is learned from, 1 is kept for the evaluation."""
    return hashlib.sha256(site.encode()).digest()[0] % 2


def third(id):
    """Says of one document in three that it is taken: more text makes no better model without words."""
    return zlib.crc32(id.encode()) % 3 == 0


def host(url):
    return (urlsplit(url or "").hostname or "").removeprefix("www.")


def text(b):
    return b.decode("utf-8", "replace")


def pages(name):
    """Yields what is known of each page of a set, and its gold text."""
    meta, gold = {}, {}
    for path, b in members(f"eval/{name}.tar.zst"):
        if path == f"{name}/meta.jsonl":
            for line in text(b).strip().split("\n"):
                m = json.loads(line)
                meta[m["id"]] = m
        elif m := re.fullmatch(rf"{name}/gold/(.*)\.txt", path):
            gold[m[1]] = text(b)
    for id in sorted(gold):
        yield id, meta.get(id, {}), gold[id]


def paragraphs(sentences, most):
    """Joins sentences that stand alone into documents of about most characters."""
    doc, para = [], []
    for s in sentences:
        para.append(s)
        if zlib.crc32(s.encode()) % 5 == 0:
            doc.append(" ".join(para))
            para = []
            if sum(map(len, doc)) > most:
                yield "\n".join(doc)
                doc = []


with files("train-en") as train, files("limit-en") as limit, files("test-en") as good, files("test-spam") as spam:
    for path, b in members("text/en.tar.zst"):
        part = path.split("/")[1]
        if not path.endswith(".txt") or "/txt/" not in path and part != "en-us-speeches":
            continue
        if part == "en-masc":
            register = path.split("/")[3]
            if register == "spam":
                write(spam, id=path, lang="en", set="masc", register=register, text=text(b))
            else:
                write(good, id=path, lang="en", set="masc", register=register, text=text(b))
        elif part == "en-movie-reviews":
            if zlib.crc32(path.encode()) % 10 == 0:
                write(good, id=path, lang="en", set="movie-reviews", register="reviews in lower case", text=text(b))
        elif part != "en-digitalgov" or zlib.crc32(path.encode()) % 3 == 0:
            write(train, id=path, lang="en", set=part, text=text(b)[:40_000])
    for name in ["wcxb-dev", "canola", "newspaper4k"]:
        for id, meta, gold in pages(name):
            write(good if half(host(meta.get("url"))) else train, id=f"{name}/{id}", url=meta.get("url"), lang="en", set=name, register=meta.get("page_type", name), text=gold)
    for id, meta, gold in pages("l3s-gn1"):
        write(good, id="l3s-gn1/" + id, url=meta.get("url"), lang="en", set="l3s-gn1", register="l3s-gn1", text=gold)
    for name in ["cleaneval-en-dev", "dragnet", "google-trends-2017"]:
        for id, meta, gold in pages(name):
            write(limit, id=f"{name}/{id}", lang="en", set=name, text=gold)

with files("limit-any") as limit, files("test-any") as good:
    for name in ["daniel", "zh-news"]:
        for id, meta, gold in pages(name):
            write(good, id=f"{name}/{id}", lang=meta.get("lang"), set=name, register="news", text=gold)
    for path, b in members("registers/registers.tar.zst"):
        if not path.endswith(".jsonl.gz"):
            continue
        name = path.split("/")[-1].split(".")[0]
        for n, line in enumerate(zlib.decompress(b, 31).decode().strip().split("\n")):
            d = json.loads(line)
            if not third(f"{path}/{n}"):
                continue
            write(good if zlib.crc32(d["text"].encode()) % 2 else limit, id=f"{path}/{n}", lang=d["lang"], set=name, register="+".join(d["labels"]), text=d["text"])
    languages, ids = {}, []
    for path, b in members("text/ntrex.tar.zst"):
        if path.endswith("DOCUMENT_IDS.tsv"):
            ids = text(b).strip().split("\n")
        elif "/txt/" in path:
            languages[path.split("/")[-1].removesuffix(".txt")] = text(b).strip().split("\n")
    for lang in sorted(languages):
        docs = {}
        for id, line in zip(ids, languages[lang]):
            docs.setdefault(id, []).append(line)
        for id in docs:
            lines = [" ".join(docs[id][i:i + 4]) for i in range(0, len(docs[id]), 4)]
            if third(f"ntrex/{lang}/{id}"):
                write(good if half(lang) else limit, id=f"ntrex/{lang}/{id}", lang=lang, set="ntrex", register="news", text="\n".join(lines))

MOST = 15_000  # characters of a source in a language
with files("train-any") as train:
    for path, b in members("text/ml.tar.zst"):
        if not path.endswith(".txt") or "/txt/" not in path:
            continue
        source, rest = path.split("/txt/")
        lang, whole = rest.split("/")[0].removesuffix(".txt"), text(b)[:MOST]
        if source.endswith("commonvoice"):
            docs = list(paragraphs(whole.split("\n"), 4000))
        else:
            lines = whole.split("\n")
            docs = ["\n".join(lines[i:i + 40]) for i in range(0, len(lines), 40)]
        for n, d in enumerate(docs):
            if not third(f"{path}/{n}"):
                continue
            write(train, id=f"{path}/{n}", lang=lang, set=source.split("/")[-1], text=d)
    for path, b in members("text/ml-novels.tar.zst"):
        if path.endswith(".txt") and third(path):
            write(train, id=path, lang={"deu": "de", "fra": "fr", "spa": "es"}[path.split("/")[-2]], set="novels", text=text(b))
    with open(f"{out}/train-en.jsonl", encoding="utf-8") as f:  # some of English too
        for n, line in enumerate(f):
            d = json.loads(line)
            if n % 8 == 0 and third(d["id"]):
                write(train, id=d["id"], url=d.get("url"), lang="en", set=d["set"], text=d["text"][:20_000])
