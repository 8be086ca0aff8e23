"""The helpers with the real libraries. Where one is missing its test is skipped, but for those of CHAFFINCH_REQUIRED."""

import importlib
import os
import pickle
import sys
from typing import ClassVar

import pytest

import chaffinch
from pages import ARTICLE, SENTENCES, numbered

REQUIRED = os.environ.get("CHAFFINCH_REQUIRED", "").split(",")


def needs(name: str):
    """Return a library, or skip the test."""
    try:
        return importlib.import_module(name)
    except ImportError as e:
        if name in REQUIRED:
            raise
        pytest.skip(f"the library {name} is not installed: {e}")


TEXT = chaffinch.extract(ARTICLE)
PAGES = [ARTICLE, None, b"<nav><a href=/>Home</a></nav>", numbered(3)]


def test_pandas():
    pd = needs("pandas")
    from chaffinch.helpers import pandas

    df = pd.DataFrame({"html": PAGES}, index=[3, 5, 7, 9])
    texts = pandas.extract(df["html"])
    assert texts.index.tolist() == [3, 5, 7, 9]
    assert texts.tolist() == [TEXT, None, None, chaffinch.extract(PAGES[3])]
    found = pandas.clean(df["html"], keep="main")
    assert found["lang"].tolist()[0] == "en"
    assert found["drop"].tolist()[2]
    assert found.index.tolist() == [3, 5, 7, 9]
    df["text"] = texts  # the index fits
    assert df.loc[3, "text"] == TEXT
    urls = pd.Series(["https://a.example/", None, float("nan"), pd.NA])
    assert pandas.extract(pd.Series([bytearray(ARTICLE), float("nan"), pd.NA])).tolist() == [TEXT, None, None]
    assert pandas.clean(pd.Series(PAGES), urls=urls)["text"].tolist()[0] == chaffinch.clean(ARTICLE).text
    with pytest.raises(TypeError, match="a page of type int: wanted bytes or str"):
        pandas.extract(pd.Series([1, 2]))


def test_corpus_as_frame(tmp_path):
    needs("pandas")
    (tmp_path / "v.vert").write_text('<doc id="a">\nThe\nferry\nleaves\n</doc>\n')
    chaffinch.run("corpus", "index", tmp_path / "v.vert", out=tmp_path / "v.idx")
    with chaffinch.Corpus(tmp_path / "v.idx") as c:
        frame = c.concordance('"ferry"').to_pandas()
    assert frame["match"].tolist() == ["ferry"]


def test_frame_needs_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match="pip install pandas"):
        chaffinch.corpus.Rows().to_pandas()


def test_polars():
    pl = needs("polars")
    from chaffinch.helpers import polars

    df = pl.DataFrame({"html": PAGES}, schema={"html": pl.Binary})
    out = df.with_columns(text=polars.extract(pl.col("html")), found=polars.clean(pl.col("html")))
    assert out["text"].to_list() == [TEXT, None, None, chaffinch.extract(PAGES[3])]
    assert out["found"].struct.field("lang").to_list()[0] == "en"
    with pytest.raises(chaffinch.RequestError, match='keep: role "nothing"'):
        df.with_columns(text=polars.extract(pl.col("html"), keep="nothing"))
    assert out.lazy().select(polars.extract(pl.col("html"))).collect()["html"].to_list()[0] == TEXT


def test_arrow():
    pa = needs("pyarrow")
    from chaffinch.helpers import arrow

    table = arrow.clean_table(pa.table({"html": pa.array(PAGES, pa.binary())}), prefix="c_")
    assert table.column("c_text").to_pylist()[0] == TEXT
    assert table.column("c_drop").to_pylist()[2]
    with pytest.raises(ValueError, match="the table has a column 'c_text': set prefix"):
        arrow.clean_table(table, prefix="c_")
    batch = arrow.clean_batch(pa.RecordBatch.from_pydict({"html": [ARTICLE]}))
    assert batch.column("lang").to_pylist() == ["en"]
    assert arrow.clean_batch(pa.RecordBatch.from_pydict({"html": [ARTICLE]}).slice(0, 0)).schema == batch.schema


def test_datasets(tmp_path):
    datasets = needs("datasets")
    from chaffinch.helpers.datasets import CleanColumn

    datasets.config.HF_DATASETS_CACHE = tmp_path
    f = CleanColumn("html", cleaner=chaffinch.Cleaner(keep="main"))
    assert pickle.loads(pickle.dumps(f)) == f
    from datasets.fingerprint import Hasher

    before = Hasher.hash(f)
    f({"html": [ARTICLE]})  # the processes have started
    assert Hasher.hash(f) == before
    ds = datasets.Dataset.from_dict({"html": [numbered(n) for n in range(20)]})
    alone = ds.map(f, batched=True, batch_size=6)
    assert [f"number {n} " in t for n, t in enumerate(alone["text"])] == [True] * 20
    both = ds.map(f, batched=True, batch_size=5, num_proc=2)  # forks, with processes of their own
    assert both["text"] == alone["text"]


def test_scrapy():
    needs("scrapy")
    import asyncio

    from scrapy import Field, Item
    from scrapy.exceptions import DropItem
    from scrapy.settings import Settings

    from chaffinch.helpers.scrapy import CleanPipeline

    class Crawler:
        settings = Settings({"CHAFFINCH_DROP": True, "CHAFFINCH_SETTINGS": {"keep": "main"}})

    class Boat(Item):
        html = Field()
        text = Field()

    p = CleanPipeline.from_crawler(Crawler)
    item = asyncio.run(p.process_item({"html": ARTICLE, "url": "https://a.example/"}))
    assert SENTENCES[0] in item["text"]
    assert (item["lang"], item["title"]) == ("en", "The ferry that came back")
    boat = asyncio.run(p.process_item(Boat(html=ARTICLE)))
    assert SENTENCES[0] in boat["text"]
    with pytest.raises(DropItem, match="no text"):
        asyncio.run(p.process_item({"html": b"<nav>Home</nav>"}))
    assert asyncio.run(p.process_item({"url": "no page"})) == {"url": "no page"}


def test_scrapy_crawl(tmp_path):
    """A real run of Scrapy, over a file."""
    needs("scrapy")
    import subprocess
    import sys

    (tmp_path / "page.html").write_bytes(ARTICLE)
    (tmp_path / "spider.py").write_text(
        "import scrapy\n"
        "class Boats(scrapy.Spider):\n"
        "    name = 'boats'\n"
        f"    start_urls = ['file://{tmp_path}/page.html']\n"
        "    custom_settings = {'ITEM_PIPELINES': {'chaffinch.helpers.scrapy.CleanPipeline': 300}, 'TELNETCONSOLE_ENABLED': False}\n"
        "    def parse(self, response):\n"
        "        yield {'url': response.url, 'html': response.text}\n"
    )
    args = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "out.jsonl", "-L", "ERROR"]
    done = subprocess.run(args, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert SENTENCES[0] in (tmp_path / "out.jsonl").read_text(), done.stderr


def test_langchain(tmp_path):
    needs("langchain_core")
    from langchain_core.documents import Document

    from chaffinch.helpers.langchain import ChaffinchLoader, ChaffinchTransformer

    (tmp_path / "a.html").write_bytes(ARTICLE)
    (tmp_path / "b.html").write_bytes(b"<nav>Home</nav>")
    docs = ChaffinchLoader(tmp_path, keep="main").load()
    assert len(docs) == 1
    assert SENTENCES[1] in docs[0].page_content
    assert docs[0].metadata["language"] == "en"
    assert docs[0].metadata["source"].endswith("a.html")
    given = [Document(page_content=ARTICLE.decode(), metadata={"source": "https://a.example/", "own": 1}), Document(page_content="")]
    (out,) = ChaffinchTransformer().transform_documents(given)
    assert out.page_content == TEXT
    assert out.metadata["own"] == 1


def test_llamaindex(tmp_path):
    needs("llama_index.core")
    from llama_index.core import SimpleDirectoryReader

    from chaffinch.helpers.llamaindex import ChaffinchReader

    (tmp_path / "a.html").write_bytes(ARTICLE)
    (tmp_path / "b.html").write_bytes(b"<nav>Home</nav>")
    (doc,) = SimpleDirectoryReader(str(tmp_path), file_extractor={".html": ChaffinchReader()}).load_data()
    assert doc.text == TEXT
    assert doc.metadata["language"] == "en"
    (tmp_path / "c.jsonl").write_text('{"id":"1","text":"' + SENTENCES[0] + '"}\n')
    assert ChaffinchReader().load_data(tmp_path / "c.jsonl")[0].text == SENTENCES[0]


def test_spacy():
    spacy = needs("spacy")
    from chaffinch.helpers.spacy import to_doc

    d = chaffinch.clean(ARTICLE)
    doc = to_doc(d, spacy.blank("en"))
    assert doc.text == d.text
    assert doc.user_data["title"] == "The ferry that came back"
    assert [s.text.strip() for s in doc.sents if s.text.strip()][-3:] == list(SENTENCES)
    assert [s.text for s in doc.spans["blocks"]] == [b.kept for b in d.blocks if b.kept]
    assert {s.label_ for s in doc.spans["blocks"]} >= {"title", "body"}
    odd = "  Zwei  Leerzeichen,\n\tein Tab.  "
    assert to_doc(odd, lang="de").text == odd
    assert to_doc("").text == ""


class TestDatatrove:
    PAGES: ClassVar = [ARTICLE.decode(), "<nav><a href=/>Home</a></nav>", numbered(4).decode()]

    def documents(self):
        from datatrove.data import Document

        return [Document(text=p, id=str(i), metadata={"url": f"https://a.example/{i}"}) for i, p in enumerate(self.PAGES)]

    def test_extractor(self):
        needs("datatrove")
        from chaffinch.helpers.datatrove import Chaffinch

        written = []

        class Writer:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                pass

            def write(self, doc, rank):
                written.append((doc.id, doc.metadata["filter_reason"], rank))

        step = Chaffinch(exclusion_writer=Writer())
        docs = list(step.run(iter(self.documents()), rank=2))
        assert [d.id for d in docs] == ["0", "2"]
        assert docs[0].text == TEXT
        assert docs[0].metadata["language"] == "en"
        assert [(i, r) for i, _, r in written] == [("1", 2)]
        assert step.stats["total"].total == 3
        assert step.stats[f"dropped_{written[0][1]}"].total == 1
        assert step.extract(ARTICLE.decode()) == TEXT
        assert pickle.loads(pickle.dumps(Chaffinch())).cleaner == step.cleaner

    def test_filter(self):
        needs("datatrove")
        from datatrove.data import Document

        from chaffinch.helpers.datatrove import ChaffinchFilter

        docs = [Document(text="Too short.", id="0"), Document(text=" ".join(SENTENCES * 4), id="1", metadata={"language": "en"})]
        step = ChaffinchFilter("gopher_quality")
        kept, reason = step.filter(docs[0])
        assert not kept
        assert reason.startswith("gopher_quality.words 2 < 50")
        assert [d.id for d in step.run(iter(docs))] == ["1"]

    def test_dedup(self):
        needs("datatrove")
        from datatrove.data import Document

        from chaffinch.helpers.datatrove import ChaffinchDedup

        docs = [Document(text=t, id=str(i)) for i, t in enumerate([SENTENCES[0], SENTENCES[1], SENTENCES[0]])]
        assert [d.id for d in ChaffinchDedup("exact").run(iter(docs))] == ["0", "1"]

    def test_pipeline(self, tmp_path):
        needs("datatrove")
        from datatrove.executor import LocalPipelineExecutor
        from datatrove.pipeline.writers.jsonl import JsonlWriter

        from chaffinch.helpers.datatrove import Chaffinch, ChaffinchDedup

        docs = [*self.documents(), *self.documents()]
        steps = [docs, Chaffinch(), ChaffinchDedup("exact"), JsonlWriter(str(tmp_path / "out"), compression=None)]
        LocalPipelineExecutor(steps, tasks=1, logging_dir=str(tmp_path / "logs")).run()
        (out,) = (tmp_path / "out").glob("*.jsonl")
        assert len(out.read_text().splitlines()) == 2
