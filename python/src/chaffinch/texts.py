"""Functions that analyse and deduplicate texts, and train models."""

from __future__ import annotations

import codecs
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from . import _pool
from ._program import run
from ._requests import HTML, ask, body, request
from .errors import ChaffinchError

DedupMethod = Literal["exact", "minhash", "onion", "decontaminate"]
ModelKind = Literal[
    "blocks", "charset", "filter-limits", "langid", "lines", "ncleaner", "nontext", "segmenter", "sentences", "stopwords", "words"
]

__all__ = [
    "Language",
    "Token",
    "dedup",
    "detect_encoding",
    "detect_language",
    "detect_languages",
    "filter_text",
    "perplexity",
    "tokenize",
    "train",
]


@dataclass(frozen=True)
class Language:
    """A language as a BCP 47 tag, ``und`` if undetermined, with its confidence or its share of the text."""

    lang: str
    confidence: float


def _str(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a text of type {type(text).__name__}: wanted str")
    return text


def _detect(html: HTML) -> dict[str, Any]:
    data, kind = body(html)
    answer: dict[str, Any] = json.loads(ask(request("/v1/detect", data, kind)).body)
    return answer


def detect_encoding(data: bytes) -> str:
    """Return the encoding of a page or text by its WHATWG name.

    >>> detect_encoding("Die Fähre fährt um neun Uhr über den Fluss zurück.".encode("latin-1"))
    'windows-1252'
    """
    return str(_detect(data)["charset"])


def detect_language(html: HTML) -> Language:
    """Return the language of a page or text.

    >>> detect_language("Die Fähre fährt morgens um neun Uhr über den Fluss und kommt am Abend zurück.").lang
    'de'
    """
    d = _detect(html)
    return Language(str(d["lang"]), float(d["confidence"]))


def detect_languages(html: HTML) -> list[Language]:
    """Return the languages of the blocks of a page with their shares of the text, largest first."""
    return [Language(str(s["lang"]), float(s["share"])) for s in _detect(html)["langs"]]


@dataclass(frozen=True)
class Token:
    """A token and its position: ``text[start:end]`` of the given string.

    ``lemma``, ``upos`` (universal part of speech), ``xpos`` (tag of the treebank) and ``feats``
    (morphological features) are empty without a tagger for the language.
    """

    text: str
    start: int
    end: int
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    feats: str = ""


def tokenize(text: str, lang: str | None = None, *, tag: bool = False) -> list[list[Token]]:
    """Return the sentences of a text, each the list of its tokens, with ``tag`` also their annotation.

    >>> [[t.text for t in s] for s in tokenize("It leaves at nine. I know.", lang="en")]
    [['It', 'leaves', 'at', 'nine', '.'], ['I', 'know', '.']]
    """
    data = _str(text).encode("utf-8", "replace") or b"\n"
    answer = json.loads(ask(request("/v1/tokenize", data, "text/plain; charset=utf-8", lang=lang, tag="true" if tag else None)).body)
    at = _characters(data)
    mark = 3 if data.startswith(codecs.BOM_UTF8) else 0  # the program counts from the end of the byte order mark
    return [
        [
            Token(t["text"], at(mark + t["start"]), at(mark + t["end"]), *(t.get(k, "") for k in ("lemma", "upos", "xpos", "feats")))
            for t in s["tokens"]
        ]
        for s in answer["sentences"]
    ]


def _characters(data: bytes) -> Callable[[int], int]:
    """Return a function from byte offsets to character offsets; rising offsets need one pass."""
    if data.isascii():
        return lambda at: at
    byte = character = 0

    def of(at: int) -> int:
        nonlocal byte, character
        if at < byte:
            byte = character = 0
        character += len(data[byte:at].decode("utf-8", "replace"))
        byte = at
        return character

    return of


def perplexity(text: str | Sequence[str]) -> list[float | None]:
    """Return the perplexity of each line of a text by the embedded model of English words; None without words.

    >>> a, b = perplexity(["The ferry leaves at nine in the morning.", "nine the leaves at ferry morning the in"])
    >>> a is not None and b is not None and a < b
    True
    """
    lines = text.split("\n") if isinstance(text, str) else [_str(t).replace("\n", " ") for t in text]
    return perplexities(_pool.default_pool(), lines)


def perplexities(pool: _pool.Pool, lines: list[str]) -> list[float | None]:
    """Return the perplexities of lines by the model of a pool; None of a line without words."""
    out: list[float | None] = [None] * len(lines)
    filled = [i for i, line in enumerate(lines) if line.lstrip("\ufeff").strip()]  # the program removes a byte order mark
    if not filled:
        return out
    data = "\n".join(lines[i] for i in filled).encode("utf-8", "replace")
    answer = _pool.checked(pool.call(request("/v1/perplexity", data, "text/plain; charset=utf-8")))
    scored = json.loads(answer.body)["lines"]
    if len(scored) != len(filled):
        raise ChaffinchError(f"perplexities of {len(scored)} lines, wanted {len(filled)}")
    for i, line in zip(filled, scored, strict=True):
        out[i] = line["perplexity"]
    return out


def filter_text(text: str, rules: str | Sequence[str] = "fineweb", lang: str | None = None) -> dict[str, Any]:
    """Score a text by quality rules: returns ``kept``, the broken ``rule``, all ``scores``, and dropped ``lines``.

    >>> filter_text("Too short.", "gopher_quality", lang="en")["rule"].split()[0]
    'gopher_quality.words'
    """
    names = [rules] if isinstance(rules, str) else list(rules)
    data = _str(text).encode("utf-8", "replace") or b"\n"
    asked = request("/v1/filter", data, "text/plain; charset=utf-8", rules=",".join(names), lang=lang)
    answer: dict[str, Any] = json.loads(ask(asked).body)
    return answer


def dedup(texts: Iterable[str | None], method: DedupMethod = "exact", **flags: Any) -> list[str | None]:
    """Return texts without duplicates of earlier texts; None for a missing text, and for one of which nothing remains.

    ``method`` and keywords are flags of ``chaffinch dedup run``: ``exact`` (texts and their paragraphs), ``minhash``
    (near-duplicates), ``onion`` (paragraphs by n-grams), ``decontaminate`` (texts that share n-grams with the test sets
    ``against``). The texts are written to a file in a temporary folder.

    >>> dedup(["The ferry leaves.", "It comes back.", "The ferry leaves."])
    ['The ferry leaves.', 'It comes back.', None]
    """
    if isinstance(texts, str):
        raise TypeError("texts of type str: wanted an iterable of texts, such as a list")
    if method not in get_args(DedupMethod):
        raise ValueError(f"method={method!r}: wanted one of {', '.join(get_args(DedupMethod))}")
    with tempfile.TemporaryDirectory(prefix="chaffinch-") as folder:
        source, out = Path(folder, "in.jsonl"), Path(folder, "out.jsonl")
        n = 0
        with source.open("w", encoding="utf-8", errors="replace") as f:
            for n, text in enumerate(texts, 1):
                f.write(json.dumps({"id": str(n - 1), "text": None if text is None else _str(text)}) + "\n")
        if n == 0:
            return []
        run("dedup", "run", source, out=out, method=method, quiet=True, **flags)
        left: list[str | None] = [None] * n
        with out.open(encoding="utf-8") as f:
            for line in f:
                record = json.loads(line)
                left[int(record["id"])] = record["text"]
        return left


def train(kind: ModelKind, *inputs: str | os.PathLike[str], **flags: Any) -> str:
    """Train a model on your own text or pages with ``chaffinch train KIND``; return its standard output.

    ``train("words", "texts/", out="my.st")`` is ``chaffinch train words texts/ --out my.st``;
    ``run("train", "--help")`` lists the kinds.
    """
    return run("train", kind, *inputs, **flags)
