"""The result of cleaning a page: a :class:`Document` with its blocks, kept and dropped."""

from __future__ import annotations

import html as _html
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .texts import Token

__all__ = ["Block", "Document", "Sentence"]

_KEPT = ("good", "neargood")
_SHOWN = 60  # characters of a block in its repr


@dataclass(slots=True)
class Sentence:
    """A sentence of a block, where the method labels sentences; ``start`` and ``end`` are bytes of its UTF-8."""

    start: int
    end: int
    label: str = ""
    score: float | None = None


@dataclass(slots=True, repr=False)
class Block:
    """A block of a page: its text, and the decision on it.

    ``label`` is ``good`` or ``bad`` (methods that look at neighbours have ``neargood`` and ``short`` too),
    ``role`` what the block is on its page, ``score`` the method's measure, ``why`` the reason.
    """

    text: str
    kind: str = "paragraph"
    label: str = ""
    role: str = ""
    score: float | None = None
    why: str = ""
    by: str = ""
    lang: str = ""
    lang_confidence: float | None = None
    level: int = 0
    hidden: bool = False
    path: str = ""
    start: int = 0
    end: int = 0
    link_chars: int = 0
    tags: int = 0
    row: int = 0
    column: int = 0
    context_free: str = ""
    sentences: tuple[Sentence, ...] = ()

    def __repr__(self) -> str:
        text = " ".join(self.text.split())
        text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        return f"<Block {' '.join(x for x in (self.label, self.role) if x)} {text!r}>"

    @property
    def kept(self) -> str:
        """The kept text: all text, the kept sentences, or ``""``."""
        if self.label not in _KEPT:
            return ""
        keep = [s for s in self.sentences if s.label in _KEPT]
        if len(keep) == len(self.sentences):
            return self.text
        raw = self.text.encode()
        out, last = b"", 0
        for s in keep:
            if out:
                out += b"\n" if b"\n" in raw[last : s.start] else b" "
            out += raw[s.start : s.end]
            last = s.end
        return out.decode()

    @property
    def is_boilerplate(self) -> bool:
        """Whether the block is dropped."""
        return self.label not in _KEPT


_BLOCK_FIELDS = frozenset(f.name for f in fields(Block))


def _block(record: dict[str, Any]) -> Block:
    if "sentences" in record:
        sentences = tuple(Sentence(s["start"], s["end"], s.get("label", ""), s.get("score")) for s in record["sentences"])
        record = {**record, "sentences": sentences}
    try:
        return Block(**record)
    except TypeError:  # a field of another release, or of several methods
        return Block(**{k: v for k, v in record.items() if k in _BLOCK_FIELDS})


def _cell(text: str) -> str:
    return text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " ")


def kept_text(blocks: list[Block]) -> str:
    """Return the kept text of blocks, one line per block; a row of a table is one line with tabs between cells."""
    lines: list[str] = []
    i = 0
    while i < len(blocks):
        row = blocks[i].row
        if row == 0:
            lines.append(blocks[i].kept)
            i += 1
            continue
        line, column = "", 0
        while i < len(blocks) and blocks[i].row == row:
            b = blocks[i]
            i += 1
            kept = b.kept
            if not kept:
                continue
            if line and b.column <= column:
                line += " "
            if b.column > column:
                line += "\t" * (b.column - column)
                column = b.column
            line += _cell(kept)
        lines.append(line)
    return "\n".join(line for line in lines if line)


@dataclass(repr=False)
class Document:
    """A page after cleaning.

    ``blocks`` holds all of the page, kept or not; :attr:`text` what is kept. A page without text worth
    keeping is no error: ``drop`` says why, and ``text`` is empty. ``error`` has the words of what went wrong
    with a page of :func:`chaffinch.clean_many`.

    >>> import chaffinch
    >>> d = chaffinch.clean(b"<p>The ferry leaves at nine in the morning, and it comes back at six.</p>")
    >>> d.text
    'The ferry leaves at nine in the morning, and it comes back at six.'
    >>> d.blocks[0].label, d.blocks[0].role, d.lang
    ('good', 'body', 'en')
    """

    blocks: list[Block] = field(default_factory=list[Block])
    id: str = ""
    url: str = ""
    title: str = ""
    authors: list[str] = field(default_factory=list[str])
    date: str = ""
    modified: str = ""
    fetched: str = ""
    site: str = ""
    description: str = ""
    categories: list[str] = field(default_factory=list[str])
    tags: list[str] = field(default_factory=list[str])
    license: str = ""
    optout: str = ""
    translated: str = ""
    canonical: str = ""
    image: str = ""
    type: str = ""
    declared_lang: str = ""
    lang: str = ""
    lang_confidence: float | None = None
    langs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    charset: str = ""
    mime: str = ""
    confidence: float | None = None
    confidence_policy: str = ""
    page_type: str = ""
    page_type_confidence: float | None = None
    drop: str = ""
    drop_rule: str = ""
    cut: str = ""
    error: str = ""
    counts: dict[str, int] = field(default_factory=dict[str, int])
    source: dict[str, Any] = field(default_factory=dict[str, Any])
    notes: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    other: dict[str, Any] = field(default_factory=dict[str, Any])
    _explain: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def from_json(cls, record: str | bytes | dict[str, Any]) -> Document:
        """Return the Document of a line that ``chaffinch clean --format jsonl --annotate`` writes.

        Fields that the page brought itself stand in ``other``.
        """
        d: dict[str, Any] = dict(record) if isinstance(record, dict) else json.loads(record)
        doc = cls(blocks=[_block(b) for b in d.pop("blocks", [])])
        for k, v in d.items():
            if k in _DOCUMENT_FIELDS:
                setattr(doc, k, v)
            else:
                doc.other[k] = v
        return doc

    @cached_property
    def tokens(self) -> list[list[Token]]:
        """The sentences of the text, each the list of its tokens with lemma and part of speech."""
        from .texts import tokenize

        return tokenize(self.text, self.lang or None, tag=True)

    @cached_property
    def text(self) -> str:
        """The kept text, as written by the command."""
        return "" if self.drop else kept_text(self.blocks)

    @property
    def language(self) -> str:
        """The language as BCP 47 tag: another name of ``lang``."""
        return self.lang

    @property
    def encoding(self) -> str:
        """The encoding that the page was decoded from: another name of ``charset``."""
        return self.charset

    @property
    def metadata(self) -> dict[str, Any]:
        """The page's own metadata, without empty fields."""
        values = {name: getattr(self, name) for name in _METADATA}
        return {k: v for k, v in values.items() if v}

    def to_dict(self) -> dict[str, Any]:
        """Return all fields and the text as plain data for JSON."""
        d = asdict(replace(self, _explain=None))  # which asdict would copy with all that it holds
        del d["_explain"]
        return {"text": self.text, **d}

    def explain(self) -> str:
        """Return the HTML of ``chaffinch explain``: the decisions of every method on the page, with reasons.

        Only :func:`chaffinch.clean` leaves the page with its Document; else use :func:`chaffinch.explain`.
        """
        if self._explain is None:
            raise ValueError("this Document does not hold its page: call chaffinch.explain(html)")
        return self._explain()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_explain": None}

    def __repr__(self) -> str:
        words = len(self.text.split())
        parts = [repr(self.title or self.url or self.id), self.lang, f"{words:,} words" if words != 1 else "1 word"]
        if self.drop or self.error:
            parts.append(f"dropped: {self.error or self.drop_rule or self.drop}")
        return " ".join(f"<Document {', '.join(p for p in parts if p)}>".split())

    def __len__(self) -> int:
        return len(self.text)

    def __bool__(self) -> bool:
        return bool(self.text)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Show the blocks in a notebook: kept blocks with a green edge, dropped blocks grey with a red edge."""
        rows: list[str] = []
        for b in self.blocks:
            kept = bool(b.kept) and not self.drop
            score = "" if b.score is None else f"{b.score:.3f}"
            tip = _html.escape(" · ".join(x for x in (b.label, b.role, score, b.why, b.path) if x), quote=True)
            style = f"border-left:4px solid {'#2e7d32' if kept else '#c62828'};margin:2px 0;padding:1px 8px;white-space:pre-wrap"
            if not kept:
                style += ";opacity:.55"
            if b.kind == "heading":
                style += ";font-weight:bold"
            role = f'<small style="float:right;opacity:.7">{_html.escape(b.role or b.label)}</small>'
            rows.append(f'<div style="{style}" title="{tip}">{role}{_html.escape(b.text)}</div>')
        head = " · ".join(_html.escape(x) for x in (self.title, self.lang, self.charset, self.date) if x)
        if self.drop or self.error:
            head += f" · <b>dropped: {_html.escape(self.error or self.drop_rule or self.drop)}</b>"
        return f'<div style="max-width:60em"><p><small>{head}</small></p>{"".join(rows)}</div>'


_METADATA = (
    "url", "title", "authors", "date", "modified", "fetched", "site", "description", "categories", "tags", "license",
    "optout", "translated", "canonical", "image", "type", "declared_lang",
)  # fmt: skip
_DOCUMENT_FIELDS = frozenset(f.name for f in fields(Document)) - {"blocks", "other", "_explain"}
