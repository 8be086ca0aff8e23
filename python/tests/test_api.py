import asyncio
import csv
import doctest
import gzip
import importlib
import io
import json
import pickle
import pkgutil
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import chaffinch
from chaffinch import aio
from chaffinch._requests import FORMATS
from pages import ARTICLE, SENTENCES, numbered

GUIDE = Path(__file__).parents[2] / "docs" / "reference" / "python.md"


def test_extract():
    text = chaffinch.extract(ARTICLE)
    assert text is not None
    for s in SENTENCES:
        assert s in text
    assert "Imprint" not in text
    assert chaffinch.extract(ARTICLE.decode()) == text
    assert chaffinch.extract(bytearray(ARTICLE)) == chaffinch.extract(memoryview(ARTICLE)) == text
    assert chaffinch.extract(b"") is None
    assert chaffinch.extract("") is None
    for form in FORMATS:
        assert chaffinch.extract("<nav><a href=/>Home</a></nav>", output_format=form) is None
    assert chaffinch.extract("\ud800 <p>" + SENTENCES[0]) is not None  # half of a surrogate pair


@pytest.mark.parametrize(("form", "holds"), [
    ("txt", SENTENCES[0]), ("markdown", "# The ferry that came back"), ("json", '"kind":"heading"'), ("jsonl", '"text":"The ferry'),
    ("xml", "<TEI"), ("vertical", "<s>\nThe\nferry\n"), ("prevertical", "<p "),
])  # fmt: skip
def test_formats(form, holds):
    assert holds in (chaffinch.extract(ARTICLE, output_format=form) or "")


def test_clean():
    d = chaffinch.clean(ARTICLE, url="https://harbour.example/ferry")
    assert (d.title, d.authors, d.lang, d.language, d.url) == (
        "The ferry that came back",
        ["Nora Lindqvist"],
        "en",
        "en",
        "https://harbour.example/ferry",
    )
    assert d.encoding == "utf-8"
    assert d.page_type
    assert d.confidence
    assert d.page_type_confidence
    assert not d.other
    assert d.text == chaffinch.extract(ARTICLE)
    assert str(d) == d.text
    assert len(d) == len(d.text)
    assert bool(d)
    kept = [b for b in d.blocks if b.kept]
    assert {b.role for b in kept} >= {"title", "body"}
    assert all(b.why and b.by and b.score is not None for b in d.blocks)
    left = [b for b in d.blocks if not b.kept]
    assert left
    assert all(b.is_boilerplate for b in left)
    raw = ARTICLE.decode()
    assert all(b.text in re.sub("<[^>]*>", "", raw[b.start : b.end]) for b in d.blocks if b.kind == "paragraph")
    again = json.loads(json.dumps(d.to_dict()))
    assert again["text"] == d.text
    assert again["blocks"][0]["text"] == d.blocks[0].text
    assert d.metadata["title"] == "The ferry that came back"
    assert "date" not in d.metadata
    shown = d._repr_html_()
    assert "#2e7d32" in shown
    assert "#c62828" in shown
    assert d.explain().startswith("<!doctype html>")
    copy = pickle.loads(pickle.dumps(d))
    assert copy == d
    with pytest.raises(ValueError, match="does not hold its page"):
        copy.explain()


def test_page_without_text():
    d = chaffinch.clean(b"<nav><a href=/>Home</a></nav>")
    assert d.text == ""
    assert d.drop
    assert not d
    assert "dropped" in d._repr_html_()


def test_display_escapes():
    d = chaffinch.clean(
        b"<title>&lt;script&gt;</title><p>The sign &lt;script&gt;alert(1)&lt;/script&gt; was on the wall of the old harbour.</p>"
    )
    assert "<script>" not in d._repr_html_()


def test_text_of_tables_and_sentences():
    html = (
        "<p>"
        + SENTENCES[0]
        + "</p><table><tr><th>Boat</th><th>Leaves</th></tr><tr><td>Ida</td><td>nine</td></tr></table><p>"
        + SENTENCES[1]
    )
    for method in ("", "keep", "perplexity", "justext"):
        page = html.encode() + b"<p>zxq vvv kkk jjj qqq. " + SENTENCES[2].encode()
        answer = chaffinch.Cleaner(method=method)
        line = chaffinch.Cleaner(method=method).extract(page, output_format="jsonl")
        assert answer.clean(page).text == (json.loads(line)["text"] if line else "")


def test_settings():
    assert chaffinch.extract(ARTICLE, keep="title") == "The ferry that came back"
    with pytest.raises(TypeError, match="keep of type list: wanted str"):
        chaffinch.extract(ARTICLE, keep=["body", "title"])
    with pytest.raises(chaffinch.RequestError, match=r"keep: role \"everything\": wanted text, main"):
        chaffinch.extract(ARTICLE, keep="everything")
    with pytest.raises(ValueError, match=r"wanted one of text, txt, markdown"):
        chaffinch.extract(ARTICLE, output_format="pdf")
    with pytest.raises(TypeError):
        chaffinch.extract(ARTICLE, colour="red")
    with pytest.raises(TypeError, match="wanted bytes or str"):
        chaffinch.extract(7)
    c = chaffinch.Cleaner(keep="main", hidden=True)
    assert pickle.loads(pickle.dumps(c)) == c


def test_many():
    pages = [numbered(n) for n in range(60)]
    texts = list(chaffinch.extract_many(pages, workers=3))
    assert [int(re.findall(r"\d+", t or "-1")[0]) for t in texts] == list(range(60))
    docs = list(chaffinch.clean_many((chaffinch.Page(p, url=f"https://a.example/{i}", id=str(i)) for i, p in enumerate(pages)), workers=2))
    assert [d.id for d in docs] == [str(i) for i in range(60)]
    assert [d.text for d in docs] == texts
    assert docs[7].url == "https://a.example/7"
    assert list(chaffinch.clean_many([])) == []


def test_many_is_lazy_and_bounded():
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield numbered(taken)

    found = chaffinch.extract_many(endless(), workers=2)
    for _ in range(5):
        next(found)
    assert 5 <= taken <= 5 + 2 * 8
    found.close()
    assert chaffinch.extract(ARTICLE)  # the processes are free again


def test_many_within_many():
    pages = [numbered(n) for n in range(40)]
    for d in chaffinch.clean_many(pages, workers=1):
        assert chaffinch.Cleaner(workers=1).extract(d.text) == d.text


def test_long_and_invalid_values():
    page = b"<p>The ferry leaves at nine in the morning, and it comes back at six.</p>"
    long, invalid = "https://ferry.example/" + "x" * 70_000, "https://ferry.example/\ud800"
    docs = list(chaffinch.clean_many([page, *(chaffinch.Page(page, url=u) for u in (long, invalid, "https://ferry.example/")), page]))
    assert [(bool(d.text), d.error) for d in docs] == [(True, "")] * 5
    assert [d.url for d in docs[1:4]] == [long, invalid, "https://ferry.example/"]
    with pytest.raises(ValueError, match="wanted at most 65535"):
        chaffinch.extract(page, keep="x" * 70_000)
    assert chaffinch.detect_language("").lang == "und"


def test_many_with_errors():
    with pytest.raises(chaffinch.RequestError, match="keep"):
        list(chaffinch.extract_many([ARTICLE], keep="everything"))

    def broken():
        yield ARTICLE
        raise OSError("the disk")

    found = chaffinch.extract_many(broken())
    with pytest.raises(OSError, match="the disk"):
        list(found)
    assert chaffinch.extract(ARTICLE)
    for one in (ARTICLE, "<p>a page"):
        with pytest.raises(TypeError, match="wanted an iterable of pages"):
            list(chaffinch.clean_many(one))


def test_progress(capsys):
    seen = []
    list(chaffinch.extract_many([ARTICLE] * 3, progress=seen.append))
    assert seen == [1, 2, 3]
    list(chaffinch.extract_many([ARTICLE] * 3, progress=True))
    assert "3 of 3 pages" in capsys.readouterr().err


def test_detect_and_text():
    assert chaffinch.detect_encoding("Die Fähre fährt um neun Uhr über den großen Fluss.".encode("cp1252")) == "windows-1252"
    assert chaffinch.detect_language(ARTICLE).lang == "en"
    found = chaffinch.detect_languages(ARTICLE)
    assert found[0].lang == "en"
    text = "Die Fähre (groß 🚢) fährt. Sie kommt zurück."
    tokens = chaffinch.tokenize(text, lang="de")
    assert len(tokens) == 2
    marked = "\ufeff" + text  # a byte order mark
    assert [marked[t.start : t.end] for s in chaffinch.tokenize(marked, "de") for t in s] == [t.text for s in tokens for t in s]
    assert chaffinch.tokenize(text, lang="German") == tokens
    assert chaffinch.tokenize("") == []
    for odd in ("~{VPND~} b", "a\0b\0c", "\x1b$B$3$s\x1b(B b"):  # these would be other encodings in a page
        assert all(odd[t.start : t.end] == t.text for s in chaffinch.tokenize(odd) for t in s)
    for call in (chaffinch.tokenize, chaffinch.filter_text, lambda text: chaffinch.perplexity([text])):
        with pytest.raises(TypeError, match="a text of type bytes: wanted str"):
            call(b"A text.")
    assert not chaffinch.filter_text("")["kept"]
    assert all(text[t.start : t.end] == t.text for s in tokens for t in s)
    assert chaffinch.perplexity("\n" + SENTENCES[0] + "\n\n")[::2] == [None, None]
    assert chaffinch.perplexity(["\ufeff", "a\0b\0c", SENTENCES[0]])[::2] == [None, chaffinch.perplexity(SENTENCES[0])[0]]
    scores = chaffinch.perplexity([SENTENCES[0], "", "zxq\nvvv kkk"])
    assert scores[0] is not None
    assert scores[1] is None
    assert scores[2] is None or scores[2] > scores[0]
    with pytest.raises(chaffinch.RequestError, match="wanted some of"):
        chaffinch.filter_text("A text.", "c5")
    assert chaffinch.filter_text("12 34", "gopher_quality")["rule"].startswith("gopher_quality.words 2 <")
    assert chaffinch.filter_text("Too short.", ["gopher_quality", "c4"])["kept"] is False


def test_dedup_and_commands(tmp_path):
    texts = [*SENTENCES, SENTENCES[1], "\n".join(SENTENCES)]
    assert chaffinch.dedup(texts) == [*SENTENCES, None, None]
    assert chaffinch.dedup([]) == []
    assert chaffinch.dedup([None, SENTENCES[0], None]) == [None, SENTENCES[0], None]
    (tmp_path / "tests.jsonl").write_text(json.dumps({"text": SENTENCES[0]}) + "\n")
    assert chaffinch.dedup(texts, "decontaminate", against=tmp_path / "tests.jsonl", ngram=3, min_unit_words=3)[0] is None
    with pytest.raises(ValueError, match=r"^method='guess': wanted one of exact, minhash, onion, decontaminate$"):
        chaffinch.dedup(texts, method="guess")
    with pytest.raises(chaffinch.CommandError, match="--nothing") as e:
        chaffinch.dedup(texts, nothing=True)
    assert e.value.code == 2
    with pytest.raises(TypeError, match="texts of type str: wanted an iterable"):
        chaffinch.dedup("A text.")
    with pytest.raises(TypeError, match="a text of type bytes: wanted str"):
        chaffinch.dedup([b"A text."])
    (tmp_path / "text.txt").write_text("\n".join(SENTENCES * 20))
    chaffinch.train("words", tmp_path / "text.txt", out=tmp_path / "own.chf")
    assert (tmp_path / "own.chf").stat().st_size > 0


def test_values_with_hyphens(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"-text": "One two."}\n')
    assert chaffinch.run("convert", tmp_path / "a.jsonl", f="text", text_field="-text", quiet=True) == "One two.\n\n"


def test_files(tmp_path):
    (tmp_path / "a.html").write_bytes(ARTICLE)
    (tmp_path / "b.html").write_bytes(b"<nav><a href=/>Home</a></nav>")
    docs = list(chaffinch.clean_files(tmp_path, keep="main"))
    assert [Path(d.id).name for d in docs] == ["a.html", "b.html"]
    assert docs[0].text
    assert docs[1].drop
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + ARTICLE
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
    head += b"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\nContent-Type: application/http; msgtype=response\r\n"
    record = head + b"Content-Length: %d\r\n\r\n" % len(body) + body + b"\r\n\r\n"
    (tmp_path / "c.warc").write_bytes(record)
    (doc,) = chaffinch.clean_warc(tmp_path / "c.warc")
    assert doc.url == "https://a.example/"
    assert doc.text == chaffinch.extract(ARTICLE)
    (tmp_path / "c.warc").write_bytes(record + record[:200])
    with pytest.warns(chaffinch.InputWarning, match=r"c\.warc"):
        assert len(list(chaffinch.clean_warc(tmp_path / "c.warc"))) == 1
    with pytest.raises(chaffinch.CommandError, match="nothing-here"):
        list(chaffinch.clean_warc(tmp_path / "nothing-here.warc"))
    for _ in chaffinch.clean_files(tmp_path / "a.html", tmp_path / "a.html"):
        break  # the program ends with the generator


def test_corpus(tmp_path, monkeypatch):
    vertical = '<doc id="a">\n<s>\nThe\nferry\nleaves\n</s>\n<s>\nA\nferry\nsings\n</s>\n</doc>\n'
    (tmp_path / "v.vert").write_text(vertical)
    chaffinch.run("corpus", "index", tmp_path / "v.vert", out=tmp_path / "v.idx")
    with chaffinch.Corpus(tmp_path / "v.idx") as c:
        assert c.info()["tokens"] == 6
        rows = c.concordance('"ferry"', number=1)
        assert rows.total == 2
        assert [(r["left"].strip(), r["match"]) for r in rows] == [("The", "ferry")]
        monkeypatch.setattr("chaffinch.corpus._PAGE", 1)  # hits come in pages
        assert [r["start"] for r in c.concordance('"ferry"')] == [1, 4]
        assert [r["start"] for r in c.concordance('"ferry"', number=1, first=1)] == [4]
        assert c.count('"ferry"') == 2
        assert c.frequencies('"ferry"')[0]["hits"] == 2
        assert {r["word"] for r in c.words()} == {"The", "ferry", "leaves", "A", "sings"}
        assert c.collocations('"ferry"', min_hits=1, min_freq=1)
        with pytest.raises(chaffinch.RequestError, match='no " at its end'):
            c.count('"ferry')
    with pytest.raises(chaffinch.ChaffinchError, match="not an index folder"):
        chaffinch.Corpus(tmp_path / "none.idx")


def test_corpus_lists(tmp_path):
    words = {"old": "ADJ", "mill": "NOUN", "turns": "VERB", "burns": "VERB"}
    docs = [(2000 + i, "old mill turns" if i % 2 else "mill burns", i) for i in range(6)]
    vertical = "".join(
        f'<doc year="{year}">\n<s>\n' + "".join(f"{w}\t{w}\t{words[w]}\n" for w in text.split() + ["old"] * more) + "</s>\n</doc>\n"
        for year, text, more in docs
    )
    (tmp_path / "v.vert").write_text(vertical)
    modifiers = '*DEFAULTATTR pos\n*DUAL\n=modifiers of "%w"/modified by "%w"\n2:"ADJ" 1:"NOUN"\n'
    (tmp_path / "grammar").write_text(modifiers + '*UNARY\n=with a verb\n1:"NOUN" "VERB"\n')
    for name in ("v.idx", "ref.idx"):
        chaffinch.run("corpus", "index", tmp_path / "v.vert", out=tmp_path / name, columns="word,lemma,pos", grammar=tmp_path / "grammar")
    with chaffinch.Corpus(tmp_path / "v.idx") as c:
        assert c.sketch("mill", min_hits=1) == [
            {"relation": 'modifiers of "mill"', "collocate": "old", "hits": 3, "logdice": 14.0},
            {"relation": "with a verb", "collocate": "", "hits": 6, "logdice": None},
        ]
        assert c.sketch("mill", min_hits=1, filter='doc.year="2001"')[0]["hits"] == 1
        assert c.sketchdiff("mill", "old", min_hits=1)[0]["group"] == "first"
        assert c.thesaurus("mill") == []
        (old,) = c.trends(min_freq=10)
        assert (old["word"], old["freq"], old["2000"]) == ("old", 18, 0)
        assert {r["term"]: r["freq"] for r in c.terms()} == {"mill": 6, "old mill": 3}
        assert c.terms(filter='doc.year="2001"', refilter='doc.year!="2001"', min_freq=1)[0]["ref_freq"] == 2
        assert c.examples("mill", 1)[0]["match"] == "mill"
        profile = c.profile("mill", part="forms,site")
        assert (profile["forms"][0]["hits"], list(profile["missing"])) == (6, ["site"])
    with chaffinch.Corpus(tmp_path / "v.idx", reference=tmp_path / "ref.idx") as c:
        assert c.terms()[0]["score"] == 1
        assert {r["scores"]["simple"] for r in c.keywords()} == {1}
    with pytest.raises(chaffinch.ChaffinchError, match=r"none\.idx: not an index folder"):
        chaffinch.Corpus(tmp_path / "v.idx", reference=tmp_path / "none.idx")


def test_async():
    async def all_of_it():
        text, doc, lang = await asyncio.gather(aio.extract(ARTICLE), aio.clean(ARTICLE), aio.detect_language(ARTICLE))
        many = [d.text async for d in aio.clean_many([ARTICLE] * 9)]

        async def pages():
            yield ARTICLE
            yield b""

        drops = [d.drop async for d in aio.clean_many(pages())]
        return text, doc.text, lang.lang, many, drops

    text, other, lang, many, drops = asyncio.run(all_of_it())
    assert text == other
    assert lang == "en"
    assert many == [text] * 9
    assert drops[0] == ""
    assert drops[1]


def test_async_equals_sync():
    def documents(pages, **settings):
        async def each():
            return [d async for d in aio.clean_many(pages, **settings)]

        return asyncio.run(each())

    pages = [chaffinch.Page(ARTICLE, "https://a.example/", "a"), ARTICLE]
    found = documents(pages)
    assert [d.to_dict() for d in found] == [d.to_dict() for d in chaffinch.clean_many(pages)]
    with pytest.raises(ValueError, match="does not hold its page"):
        found[0].explain()
    with pytest.raises(chaffinch.RequestError, match="keep"):
        documents(pages, keep="everything")
    with pytest.raises(TypeError, match="wanted an iterable of pages"):
        documents(ARTICLE)


def test_examples_in_docstrings():
    tried = 0
    for m in pkgutil.walk_packages(chaffinch.__path__, "chaffinch."):
        if ".helpers." in m.name and not m.name.endswith(("_columns", "helpers.datasets")):
            continue
        if m.name.endswith("__main__"):
            continue
        result = doctest.testmod(importlib.import_module(m.name))
        assert result.failed == 0, m.name
        tried += result.attempted
    assert tried > 30


def test_readme():
    readme = Path(__file__).parent.parent / "README.md"
    (code,) = re.findall(r"```python\n(.*?)```", readme.read_text("utf-8"), re.S)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not GUIDE.is_file(), reason="docs/reference/python.md is not in a source archive")
def test_guide(tmp_path, monkeypatch):
    """All Python of docs/reference/python.md runs: the block of code, and what its tables name in place of other packages."""
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_bytes(ARTICLE)
    with gzip.open("crawl.warc.gz", "wb") as f:
        response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + ARTICLE
        lines = ["WARC/1.1", "WARC-Type: response", "WARC-Target-URI: https://harbour.example/", f"Content-Length: {len(response)}"]
        f.write("\r\n".join([*lines, "", ""]).encode() + response + b"\r\n\r\n")
    words = [
        ("The", "the", "DET", "x"),
        ("red", "red", "ADJ", "j"),
        ("boat", "boat", "NOUN", "n"),
        ("red", "red", "ADJ", "j"),
        ("ship", "ship", "NOUN", "n"),
    ]
    text = "".join(f"{word}\t{lemma}\t{pos}\t{pos}\t\t{lemma}-{letter}\n" for word, lemma, pos, letter in words)
    doc = '<doc title="%s" year="%d" url="https://%s/" host="%s">\n<s>\n' + text + "</s>\n</doc>\n"
    docs = [("One", 2001, "coast.example"), ("Two", 2002, "hill.example"), ("Three", 2003, "lake.example")]
    Path("skarv.vert").write_text("".join(doc % (title, year, host, host) for title, year, host in docs), "utf-8")
    chaffinch.run("corpus", "index", "skarv.vert", out="skarv.idx", columns="word,lemma,pos,tag,feats,lempos", grammar="ud")
    guide = GUIDE.read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.S)
    names = {"html": ARTICLE, "data": ARTICLE, "text": ARTICLE.decode(), "path": "crawl.warc.gz", "paths": ["page.html"] * 3}
    for code in blocks:
        exec(code.replace(".to_pandas()", ""), names)  # pandas is optional
    exec("from chaffinch import *", names)
    here = re.findall(r"^\| .* \| (.*) \|$", guide[guide.index("## Coming from") :], re.M)  # the last columns of tables
    calls = [c for cell in here for c in re.findall(r"`(\w+\([^`]*)`", cell) if c.split("(")[0] in chaffinch.__all__]
    assert len(calls) > 10
    for call in calls:
        result = eval(call, names)
        assert result is not None
        assert not hasattr(result, "__next__") or list(result), call


def test_command_line():
    for args, code, holds in [
        (["version"], 0, "chaffinch "), (["clean", "--colour"], 2, "unknown flag --colour"), (["worker", "--help"], 0, "standard input"),
    ]:  # fmt: skip
        done = subprocess.run([sys.executable, "-m", "chaffinch", *args], capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert holds in done.stdout + done.stderr


def test_missing_program(monkeypatch):
    monkeypatch.setenv("CHAFFINCH_PROGRAM", "/nowhere/chaffinch")
    with pytest.raises(chaffinch.ProgramMissing, match="CHAFFINCH_PROGRAM"), chaffinch.Pool(1) as pool:
        pool.take()
    with pytest.raises(chaffinch.ProgramMissing):
        list(chaffinch.Cleaner(workers=7).clean_many([ARTICLE]))


class TestCompat:
    def test_trafilatura(self):
        from chaffinch.compat import CompatWarning
        from chaffinch.compat import trafilatura as t

        text = t.extract(ARTICLE)
        assert text == chaffinch.extract(ARTICLE)
        assert t.extract(b"") is None
        assert t.extract(None) is None
        assert t.bare_extraction(None) is None
        assert (t.extract(ARTICLE, output_format="markdown") or "").startswith("# ")
        marked = ARTICLE.replace(b"The ferry to the island", b"The <b>ferry</b> to the <a href='/i'>island</a>")
        assert "**ferry** to the island" in (t.extract(marked, output_format="markdown") or "")
        assert "ferry to the [island](/i)" in (
            t.extract(marked, output_format="markdown", include_formatting=False, include_links=True) or ""
        )
        page = b"<link rel=canonical href='https://example.org/a'>" + ARTICLE
        assert t.extract(page, url_blacklist={"https://example.org/a"}) is None
        record = json.loads(t.extract(ARTICLE, output_format="json", with_metadata=True) or "")
        assert (record["title"], record["author"], record["text"]) == ("The ferry that came back", "Nora Lindqvist", text)
        assert (t.extract(ARTICLE, with_metadata=True) or "").startswith("---\ntitle: The ferry that came back\n")
        (row,) = csv.reader(io.StringIO(t.extract(ARTICLE, output_format="csv") or ""), delimiter="\t")
        assert text in row
        assert t.extract(ARTICLE, target_language="de") is None
        assert t.extract(ARTICLE, target_language="en") == text
        assert t.extract(ARTICLE, author_blacklist={"Nora Lindqvist"}) is None
        assert t.extract(ARTICLE, only_with_metadata=True) is None  # it has no date
        assert t.bare_extraction(ARTICLE, as_dict=True)["text"] == text
        assert t.bare_extraction(ARTICLE).title == "The ferry that came back"
        assert t.bare_extraction(b"") is None
        assert t.extract_metadata(ARTICLE).title == "The ferry that came back"
        assert "Imprint" in t.html2txt(ARTICLE)
        with pytest.warns(CompatWarning, match="prune_xpath"):
            t.extract(ARTICLE, prune_xpath="//nav")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            t.extract(ARTICLE, fast=True, favor_precision=True, include_comments=False)

    def test_justext(self):
        from chaffinch.compat import CompatWarning
        from chaffinch.compat.justext import get_stoplist, justext

        page = ARTICLE.replace(b"</p><p>", b" ")
        found = {p.text: p.class_type for p in justext(page, get_stoplist("English"))}
        assert found[" ".join(SENTENCES)] == "good"
        assert found["Imprint"] == "bad"
        assert justext(page, get_stoplist("Norwegian_Bokmal"))
        with pytest.warns(CompatWarning, match=r"stoplist=\['the'\] has no counterpart"):
            justext(page, frozenset({"the"}))

    def test_pyplexity(self, tmp_path):
        from chaffinch.compat.pyplexity import HTMLTagRemover, PerplexityModel, PerplexityProcessor

        model = PerplexityModel.from_str("en")
        good, bad = model.compute_sentences([SENTENCES[0], "Zxq vvv kkk jjj qqq wwx."])
        assert good < bad
        out = PerplexityProcessor(model, perpl_limit=(good + bad) / 2).process(SENTENCES[0] + " Zxq vvv kkk jjj qqq wwx.")
        assert out == f" {SENTENCES[0]}<ppl {bad}>Zxq vvv kkk jjj qqq wwx.</ppl>."
        assert model.compute_sentence("") == float("inf")
        assert "Imprint" in HTMLTagRemover().process(ARTICLE)
        with pytest.raises(chaffinch.ChaffinchError, match="none"):
            PerplexityModel.from_str(str(tmp_path / "none.st")).compute_sentence("It leaves.")


def test_repr():
    d = chaffinch.clean(ARTICLE)
    assert re.fullmatch(r"<Document 'The ferry that came back', en, \d+ words>", repr(d))
    assert repr(chaffinch.clean(b"")) == "<Document '', 0 words, dropped: no-text>"
    assert all(re.fullmatch(r"<Block (good|bad) \w+ .{,64}>", repr(b)) for b in d.blocks)
    assert repr(chaffinch.Document(title="a\n b")) == "<Document 'a\\n b', 0 words>"


def test_file_name(tmp_path):
    path = tmp_path / "page"
    path.write_bytes(ARTICLE)
    for call in (chaffinch.extract, chaffinch.clean, chaffinch.explain):
        for name in (str(path), str(tmp_path / "missing.html"), "missing.HTM"):
            with pytest.raises(ValueError, match="read the file first"):
                call(name)
    with pytest.raises(ValueError, match="read the file first"):
        asyncio.run(aio.extract("missing.html"))
    with pytest.warns(chaffinch.InputWarning, match="read the file first") as caught:
        assert list(chaffinch.extract_many([str(path)])) == [None]
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chaffinch.extract("The times are in ferry.html")
        chaffinch.extract("<p>ferry.html")
        chaffinch.extract(str(tmp_path))


def test_address_warns():
    for call in (chaffinch.extract, chaffinch.clean, chaffinch.detect_language):
        with pytest.warns(chaffinch.InputWarning, match="fetch it first") as caught:
            call("https://harbour.example/ferry")
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chaffinch.extract("https://harbour.example/ferry has the times of the ferry, and of the bus.")
