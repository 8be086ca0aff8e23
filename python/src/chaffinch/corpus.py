"""Query a corpus index (``chaffinch corpus index``): concordances, frequencies, collocations, keywords, word sketches, trends, terms."""

from __future__ import annotations

import json
import os
import re
import shutil
from importlib import import_module
from typing import Any, cast
from unicodedata import combining, east_asian_width
from urllib.parse import quote

from ._pool import Pool, checked
from ._requests import get
from .errors import ChaffinchError

__all__ = ["Corpus", "Rows"]


class Rows(list[dict[str, Any]]):
    """Rows of a result. ``total`` is the total number of rows, if known."""

    total: int | None = None

    def __repr__(self) -> str:
        of = "" if self.total is None or self.total == len(self) else f" of {self.total}"
        return f"<Rows: {len(self)}{of}>"

    def to_pandas(self) -> Any:
        """Return the rows as a DataFrame with a column for each measure and attribute. Needs pandas."""
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError as e:
            raise ModuleNotFoundError(f"to_pandas() needs {e.name}: pip install pandas", name=e.name) from e
        return pandas.DataFrame([_flat(row) for row in self])

    def __str__(self) -> str:
        """Return the lines of a concordance, as wide as the terminal and cut between words; other rows as ``repr``."""
        if not self or not {"left", "match", "right"} <= self[0].keys():
            return repr(self)
        columns = shutil.get_terminal_size().columns
        match = min(max(_width(r["match"]) for r in self), columns // 3)
        side = max(10, (columns - match - 2) // 2)
        lines: list[str] = []
        for r in self:
            left = _cut(r["left"], side, before=True)
            right = _cut(r["right"], max(10, columns - side - _width(r["match"]) - 2), before=False)
            lines.append(" " * (side - _width(left)) + f"{left}<{r['match']}>{right}".rstrip())
        return "\n".join(lines)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its measures and attributes as separate columns."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict) and key in ("scores", "refs", "labels"):
            flat.update(cast("dict[str, Any]", value))
        elif isinstance(value, list) and key == "values":
            flat.update({f"value{n or ''}": v for n, v in enumerate(row[key])})
        else:
            flat[key] = value
    return flat


def _width(text: str) -> int:
    """Return the width of a text in columns of a terminal."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _cut(text: str, columns: int, *, before: bool) -> str:
    """Return as many whole words of a context as fit, nearest to the match."""
    if _width(text) <= columns:
        return text
    words = re.findall(r"\s*\S+\s*" if before else r"\s*\S+", text)
    if before:
        words.reverse()
    used, kept = 0, list[str]()
    for word in words:
        used += _width(word)
        if used > columns:
            break
        kept.append(word)
    if kept:
        return "".join(reversed(kept) if before else kept)
    end = len(text)  # a single word that is longer, or text without spaces
    while _width(text[-end:] if before else text[:end]) > columns:
        end -= 1
    return text[-end:] if before else text[:end]


_PAGE = 10_000  # the most hits of one answer


def _index(path: str | os.PathLike[str]) -> str:
    """Return the absolute path of an index folder."""
    if not os.path.isdir(path):
        raise ChaffinchError(f"{os.fspath(path)}: not an index folder: build one with chaffinch corpus index")
    return os.path.abspath(path)


class Corpus:
    """A corpus index, served by a separate process that ends with :meth:`close` or with this process.

    ``Corpus("news.idx").concordance('[lemma="ferry"]')`` returns rows; ``.to_pandas()`` makes a DataFrame of them.
    Queries are in CQL (docs/reference/cql.md). Keywords of the methods are the parameters of docs/guides/serve.md, such as
    ``context=60``, ``sort="left"``, ``filter='doc.lang="de"'``.
    """

    def __init__(self, path: str | os.PathLike[str], workers: int = 1, reference: str | os.PathLike[str] | None = None) -> None:
        """Open an index. ``reference`` is the index to which keywords and terms are compared."""
        self.path = _index(path)
        self._reference = None if reference is None else "reference"
        others = () if reference is None else (f"reference={_index(reference)}",)
        self._pool = Pool(workers, (f"corpus={self.path}", *others))

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Corpus({self.path!r})"

    def close(self) -> None:
        """End the process."""
        self._pool.close()

    def ask(self, path: str = "", **query: object) -> dict[str, Any]:
        """Return the response of ``/v1/corpora/NAME/PATH`` as plain data."""
        target = "/v1/corpora/corpus" + ("/" + quote(path) if path else "")
        given = {k: ("true" if v is True else None if v is False else v) for k, v in query.items()}
        answer: dict[str, Any] = json.loads(checked(self._pool.call(get(target, **given))).body)
        return answer

    def info(self) -> dict[str, Any]:
        """Return the sizes, attributes and structures of the corpus."""
        return self.ask()

    def concordance(self, query: str, number: int = 100, **more: object) -> Rows:
        """Return the first matches of a query with their context: ``left``, ``match``, ``right``, ``refs``.

        ``print`` shows them as lines that fill the terminal.
        """
        more = {"context": max(40, shutil.get_terminal_size().columns), **more}
        rows = Rows()
        first = int(str(more.pop("first", 0)))
        while True:
            part = min(number - len(rows), _PAGE)
            page = self._rows("hits", "hits", patt=query, number=part, first=first + len(rows), **{"waitfortotal": True, **more})
            rows.extend(page)
            rows.total = page.total
            if len(page) < part or len(rows) >= number:
                return rows

    def count(self, query: str, **more: object) -> int:
        """Return the number of matches of a query."""
        return int(self.ask("hits", patt=query, number=0, waitfortotal=True, **more)["total"])

    def frequencies(self, query: str, group: str = "word", **more: object) -> Rows:
        """Return the matches of a query counted by an attribute, most frequent first."""
        return self._rows("freq", "rows", patt=query, group=group, **more)

    def words(self, number: int = 100, **more: object) -> Rows:
        """Return the words of the corpus, or n-grams (``n=2``), with frequencies."""
        return self._rows("words", "rows", number=number, **more)

    def collocations(self, query: str, **more: object) -> Rows:
        """Return the collocates of a query."""
        return self._rows("collocations", "rows", patt=query, **more)

    def keywords(self, **more: object) -> Rows:
        """Return the keywords of the corpus, or of a part (``filter=``), against the reference or the whole corpus."""
        return self._rows("keywords", "rows", **{"reference": self._reference, **more})

    def examples(self, query: str, number: int = 20, **more: object) -> Rows:
        """Return the best examples of a query: whole, common and clear sentences, one per document, with ``score``."""
        return self.concordance(query, number, good=True, **more)

    def sketch(self, word: str, **more: object) -> Rows:
        """Return the word sketch of a word: ``relation``, ``collocate``, ``hits``, ``logdice``."""
        rows = Rows()
        for r in self.ask("sketch", word=word, **more)["relations"]:
            if r.get("unary"):
                rows.append({"relation": r["name"], "collocate": "", "hits": r["hits"], "logdice": None})
            rows.extend({"relation": r["name"], "collocate": c["word"], "hits": c["hits"], "logdice": c["score"]} for c in r["collocates"])
        return rows

    def sketchdiff(self, first: str, second: str, **more: object) -> Rows:
        """Return the sketch difference of two words. ``group`` is first, both or second."""
        rows = Rows()
        for r in self.ask("sketchdiff", first=first, second=second, **more)["relations"]:
            for c in r["collocates"]:
                row = {"relation": r["name"], "group": c["group"], "collocate": c["word"]}
                row["hits_1"], row["hits_2"] = c["hits"]
                row["logdice_1"], row["logdice_2"] = c["scores"]
                rows.append(row)
        return rows

    def thesaurus(self, word: str, number: int = 60, **more: object) -> Rows:
        """Return the words that share most contexts with a word: ``word``, ``freq``, ``similarity``, ``cluster``."""
        answer = self.ask("thesaurus", word=word, number=number, **more)
        return Rows({"word": w["word"], "freq": w["freq"], "similarity": w["score"], "cluster": w["cluster"]} for w in answer["similar"])

    def trends(self, number: int = 100, **more: object) -> Rows:
        """Return the words whose frequency changes over time, with the hits per million of each epoch, such as ``"2019"``."""
        answer = self.ask("trends", number=number, **more)
        rows, names = Rows(), [f"{e['time']:g}" for e in answer["epochs"]]
        for r in answer["rows"]:
            rows.append({k: r[k] for k in ("word", "freq", "slope", "change", "p", "q")} | dict(zip(names, r["per_million"], strict=True)))
        return rows

    def terms(self, number: int = 100, **more: object) -> Rows:
        """Return the terms of the corpus, or of a part (``filter=``), against the reference or a part (``refilter=``)."""
        return self._rows("terms", "rows", number=number, **{"against": self._reference, **more})

    def profile(self, word: str, **more: object) -> dict[str, Any]:
        """Return the profile of a word. ``missing`` holds the reasons of parts that the corpus cannot provide."""
        return self.ask("profile", word=word, **more)

    def _rows(self, path: str, name: str, **query: object) -> Rows:
        answer = self.ask(path, **query)
        rows = Rows(answer[name])
        rows.total = answer.get("total")
        return rows
