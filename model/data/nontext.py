"""Writes the text that the model of non-text is trained on and evaluated with, as JSON lines.

    nontext.py DATA OUT

DATA is the folder that holds the data sets. OUT gets these files, from which make-nontext.sh
trains the model:

    judged-good.jsonl, judged-bad.jsonl   web texts judged by people
    more-good.jsonl, more-bad.jsonl       text and boilerplate of pages with gold text, lines judged
                                          by people
    seeds.jsonl                           good text from which bad text is generated
    limit.jsonl                           good text of other sources and languages, for the limits

and test-en.jsonl, test-any.jsonl and test-spam.jsonl for the evaluation, with other sites. All
training documents are cut in the same way as the judged ones: see excerpt. Needs python3 and zstd.
"""
import hashlib
import html
import io
import json
import os
import random
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
        f.write(json.dumps(doc, ensure_ascii=False) + "\n")


def half(site):
    """Says in which half of the sites one is: 0 is learned from, 1 is kept for the evaluation."""
    return hashlib.sha256(site.encode()).digest()[0] % 2


def third(id):
    """Says of one document in three that it is taken: more text makes no better model without words."""
    return zlib.crc32(id.encode()) % 3 == 0


def host(url):
    return (urlsplit(url or "").hostname or "").removeprefix("www.")


CUT = 500  # characters of a piece of a judged text


def words(piece, start, end):
    """Removes the word that is cut at the start or the end of a piece."""
    if end and (k := piece.rfind(" ")) > len(piece) - 60:
        piece = piece[:k]
    if start and 0 <= (k := piece.find(" ")) < 60:
        piece = piece[k + 1:]
    return piece


def excerpt(text):
    """Cuts a document in the way of the judged texts: its beginning, and a later piece."""
    text = " ".join(text.split())
    if len(text) <= 2 * CUT:
        return text
    at = random.Random(zlib.crc32(text.encode())).randrange(CUT, len(text) - CUT + 1)
    return words(text[:CUT], False, True) + " " + words(text[at:at + CUT], True, False)


def cut(f, **doc):
    """Writes an excerpt of a training document."""
    doc["text"] = excerpt(doc["text"])
    if len(doc["text"]) >= 150:
        f.write(json.dumps(doc, ensure_ascii=False) + "\n")


def blocks(page):
    """Returns the lines of text of a page."""
    page = re.sub(r"(?is)<(script|style|noscript|head)\b.*?</\1>", " ", page)
    page = re.sub(r"(?s)<!--.*?-->", " ", page)
    page = re.sub(r"(?i)</?(p|div|li|ul|ol|td|tr|table|h\d|br|section|article|header|footer|nav|aside|form|dl|dt|dd|option|select|button)\b[^>]*>", "\n", page)
    return [line for line in (" ".join(html.unescape(x).split()) for x in re.sub(r"<[^>]*>", "", page).split("\n")) if line]


def letters(text):
    return re.sub(r"\W+", "", text)


def boilerplate(page, gold):
    """Returns the lines of a page that are not in its gold text."""
    gold = letters(gold)
    return " ".join(line for line in blocks(page) if letters(line) and letters(line) not in gold)


def text(b):
    return b.decode("utf-8", "replace")


def pages(name):
    """Yields the metadata of each page of a set, its gold text and its HTML."""
    meta, gold, raw = {}, {}, {}
    for path, b in members(f"eval/{name}.tar.zst"):
        if path == f"{name}/meta.jsonl":
            for line in text(b).strip().split("\n"):
                m = json.loads(line)
                meta[m["id"]] = m
        elif m := re.fullmatch(rf"{name}/gold/(.*)\.txt", path):
            gold[m[1]] = text(b)
        elif m := re.fullmatch(rf"{name}/html/(.*)\.html", path):
            raw[m[1]] = text(b)
    for id in sorted(gold):
        yield id, meta.get(id, {}), gold[id], raw.get(id, "")


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


ISO = {"ara": "ar", "ben": "bn", "cat": "ca", "ces": "cs", "deu": "de", "ell": "el", "eng": "en", "fin": "fi", "gla": "gd", "hin": "hi", "mar": "mr",
       "nld": "nl", "nno": "nn", "nob": "nb", "pes": "fa", "pol": "pl", "rus": "ru", "slk": "sk", "spa": "es", "tur": "tr", "zho": "zh"}
# Codes of the translations whose groups of languages have limits of their own.
SHORT = {**ISO, "arb": "ar", "bos": "bs", "bul": "bg", "ckb": "ckb", "dan": "da", "dzo": "dz", "ekk": "et", "est": "et", "fas": "fa", "fra": "fr", "gle": "ga", "glg": "gl", "guj": "gu", "hrv": "hr", "isl": "is", "ita": "it", "jpn": "ja",
         "kan": "kn", "kaz": "kk", "khm": "km", "kir": "ky", "lao": "lo", "mal": "ml", "mkd": "mk", "mya": "my", "nep": "ne", "pan": "pa", "por": "pt", "prs": "fa", "pus": "ps", "ron": "ro", "sin": "si", "slv": "sl", "snd": "sd", "srp": "sr",
         "swe": "sv", "tam": "ta", "tat": "tt", "tel": "te", "tgk": "tg", "tha": "th", "uig": "ug", "ukr": "uk", "urd": "ur", "yue": "yue", "zho": "zh", "aze": "az", "bel": "be", "mon": "mn"}
SEPARATOR = re.compile(r"[ \n]\.{10}[ \n]")  # between the two pieces of a judged text

with files("judged-good") as good, files("judged-bad") as bad:
    for path, b in members("nontext/hplt-judged.tar.zst"):
        if not path.endswith(".jsonl"):
            continue
        for line in text(b).strip().split("\n"):
            d = json.loads(line)
            pieces = SEPARATOR.split(d["text"], maxsplit=1)
            if len(pieces) == 2:
                pieces = [words(pieces[0], False, True), words(pieces[1], True, False)]
            lang = d["hplt"].split("_")[0]
            record = {"id": d["id"], "lang": ISO.get(lang, lang), "text": " ".join(pieces)}
            (bad if d["unnatural"] else good).write(json.dumps(record, ensure_ascii=False) + "\n")

with files("more-good") as more, files("more-bad") as bad, files("seeds") as seeds, files("limit") as limit, files("test-en") as good, files("test-spam") as spam:
    for path, b in members("text/en.tar.zst"):
        part = path.split("/")[1]
        if not path.endswith(".txt") or "/txt/" not in path and part != "en-us-speeches":
            continue
        if part == "en-masc":
            register = path.split("/")[3]
            write(spam if register == "spam" else good, id=path, lang="en", set="masc", register=register, text=text(b))
        elif part == "en-movie-reviews":
            if zlib.crc32(path.encode()) % 10 == 0:
                write(good, id=path, lang="en", set="movie-reviews", register="reviews in lower case", text=text(b))
        elif part != "en-digitalgov" or zlib.crc32(path.encode()) % 3 == 0:
            for f in more, seeds:
                cut(f, id=path, lang="en", set=part, text=text(b))
    for name in ["wcxb-dev", "canola", "newspaper4k"]:
        for id, meta, gold, page in pages(name):
            if half(host(meta.get("url"))):
                write(good, id=f"{name}/{id}", url=meta.get("url"), lang="en", set=name, register=meta.get("page_type", name), text=gold)
                continue
            cut(more, id=f"{name}/{id}", lang="en", set=name, text=gold)
            cut(bad, id=f"{name}/{id}", lang="en", set=name, text=boilerplate(page, gold))
            cut(seeds, id=f"{name}/{id}", lang="en", set=name, text=gold)
    for id, meta, gold, page in pages("l3s-gn1"):
        write(good, id="l3s-gn1/" + id, url=meta.get("url"), lang="en", set="l3s-gn1", register="l3s-gn1", text=gold)
    for name in ["cleaneval-en-dev", "dragnet", "google-trends-2017"]:
        for id, meta, gold, page in pages(name):
            cut(limit, id=f"{name}/{id}", lang="en", set=name, text=gold)
    for path, b in members("lines/turku-lines.tar.zst"):
        if not path.endswith(".jsonl") or ".test." in path:
            continue
        for line in text(b).strip().split("\n"):
            d = json.loads(line)
            for label, f in ("1", more), ("0", bad):
                joined = " ".join(x for x, l in zip(d["text"], d["labels"]) if l == label)
                for _ in range(3):  # judged by people: as much weight as three others
                    cut(f, id=d["id"], lang=d["lang"], set="turku-lines", text=joined)

with files("test-any") as good, open(f"{out}/more-good.jsonl", "a", encoding="utf-8") as more, open(f"{out}/more-bad.jsonl", "a", encoding="utf-8") as bad, open(f"{out}/limit.jsonl", "a", encoding="utf-8") as limit:
    for name in ["daniel", "zh-news"]:
        for id, meta, gold, page in pages(name):
            lang = meta.get("lang")
            if half(meta.get("host") or id):
                write(good, id=f"{name}/{id}", lang=lang, set=name, register="news", text=gold)
            else:
                cut(more, id=f"{name}/{id}", lang=lang, set=name, text=gold)
                cut(bad, id=f"{name}/{id}", lang=lang, set=name, text=boilerplate(page, gold))
    for path, b in members("registers/registers.tar.zst"):
        if not path.endswith(".jsonl.gz"):
            continue
        name = path.split("/")[-1].split(".")[0]
        for n, line in enumerate(zlib.decompress(b, 31).decode().strip().split("\n")):
            d = json.loads(line)
            if not third(f"{path}/{n}"):
                continue
            if zlib.crc32(d["text"].encode()) % 2 == 0:
                cut(more, id=f"{path}/{n}", lang=d["lang"], set=name, text=d["text"])
            else:
                write(good, id=f"{path}/{n}", lang=d["lang"], set=name, register="+".join(d["labels"]), text=d["text"])
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
            if third(f"ntrex/{lang}/{id}"):
                lines = [" ".join(docs[id][i:i + 4]) for i in range(0, len(docs[id]), 4)]
                put = write if half(lang) else cut
                rest = limit if half("limit " + lang) and lang.split("-")[0] not in SHORT else more
                put(good if half(lang) else rest, id=f"ntrex/{lang}/{id}", lang=SHORT.get(lang.split("-")[0], lang), set="ntrex", register="news", text="\n".join(lines))

MOST = 15_000  # characters of a source in a language
with open(f"{out}/more-good.jsonl", "a", encoding="utf-8") as more, open(f"{out}/seeds.jsonl", "a", encoding="utf-8") as seeds:
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
            if third(f"{path}/{n}"):
                for f in more, seeds:
                    cut(f, id=f"{path}/{n}", lang=lang, set=source.split("/")[-1], text=d)
    for path, b in members("text/ml-novels.tar.zst"):
        if path.endswith(".txt") and third(path):
            for f in more, seeds:
                cut(f, id=path, lang={"deu": "de", "fra": "fr", "spa": "es"}[path.split("/")[-2]], set="novels", text=text(b))
