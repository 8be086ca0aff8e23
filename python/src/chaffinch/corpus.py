"""Ask an index of a corpus (``chaffinch corpus index``): concordances, frequencies, collocations, keywords."""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import Any
from urllib.parse import quote

from ._pool import Pool, checked
from .api import get
from .errors import ChaffinchError

__all__ = ["Corpus", "Rows"]


class Rows(list[dict[str, Any]]):
    """Rows of an answer. ``total`` is how many there are of them in all, where the program says it."""

    total: int | None = None

    def to_pandas(self) -> Any:
        """Return the rows as a DataFrame; needs pandas."""
        return import_module("pandas").DataFrame(list(self))


_PAGE = 10_000  # the most hits of one answer


class Corpus:
    """An index of a corpus. It has a process of its own, which ends with :meth:`close` or this process.

    ``Corpus("news.idx").concordance('[lemma="ferry"]')`` returns rows; ``.to_pandas()`` makes a DataFrame of them.
    Queries are in CQL (docs/cql.md). Keywords of the methods are the parameters of docs/serve.md, such as
    ``context=60``, ``sort="left"``, ``filter='doc.lang="de"'``.
    """

    def __init__(self, path: str | os.PathLike[str], workers: int = 1) -> None:
        self.path = os.path.abspath(path)
        if not os.path.isdir(self.path):
            raise ChaffinchError(f"{os.fspath(path)}: no folder of an index: chaffinch corpus index makes one")
        self._pool = Pool(workers, (f"corpus={self.path}",))

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
        """Return the answer of ``/v1/corpora/NAME/PATH`` as plain data."""
        target = "/v1/corpora/corpus" + ("/" + quote(path) if path else "")
        given = {k: ("true" if v is True else None if v is False else v) for k, v in query.items()}
        answer: dict[str, Any] = json.loads(checked(self._pool.call(get(target, **given))).body)
        return answer

    def info(self) -> dict[str, Any]:
        """Return what is in the corpus: sizes, attributes, structures."""
        return self.ask()

    def concordance(self, query: str, number: int = 100, **more: object) -> Rows:
        """Return the first matches of a query with their context: ``left``, ``match``, ``right``, ``refs``."""
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
        """Return the matches of a query divided by an attribute, the most frequent first."""
        return self._rows("freq", "rows", patt=query, group=group, **more)

    def words(self, number: int = 100, **more: object) -> Rows:
        """Return the words of the corpus, or n-grams (``n=2``), with frequencies."""
        return self._rows("words", "rows", number=number, **more)

    def collocations(self, query: str, **more: object) -> Rows:
        """Return the collocates of a query."""
        return self._rows("collocations", "rows", patt=query, **more)

    def keywords(self, **more: object) -> Rows:
        """Return the keywords of a part of the corpus (``filter=``) against the whole."""
        return self._rows("keywords", "rows", **more)

    def _rows(self, path: str, name: str, **query: object) -> Rows:
        answer = self.ask(path, **query)
        rows = Rows(answer[name])
        rows.total = answer.get("total")
        return rows
