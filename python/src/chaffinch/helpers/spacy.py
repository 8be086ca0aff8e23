"""spaCy: a ``Doc`` with chaffinch's tokens, sentences and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from ..document import Document, kept_text
from ..texts import tokenize

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["to_doc"]


def to_doc(document: Document | str, nlp: Language | Vocab | None = None, lang: str | None = None) -> Doc:
    """Return a spaCy Doc of the kept text.

    Tokens and sentences are chaffinch's. ``doc.spans["blocks"]`` has the blocks, with their role as label;
    ``doc.user_data`` the metadata. Other components of ``nlp`` can work on it: ``nlp(to_doc(document, nlp))``.
    """
    if isinstance(document, str):
        text, lang = document, lang
    else:
        text, lang = document.text, lang or document.lang
    vocab = nlp if isinstance(nlp, Vocab) else Vocab() if nlp is None else nlp.vocab
    words: list[str] = []
    spaces: list[bool] = []
    starts: list[bool | int | None] = []
    at = 0
    for sentence in tokenize(text, lang or None):
        for i, t in enumerate(sentence):
            gap = text[at : t.start]
            if gap.startswith(" ") and words:
                spaces[-1], gap = True, gap[1:]
            if gap:  # spaCy has white space beyond one blank as a token
                words.append(gap)
                spaces.append(False)
                starts.append(False)
            words.append(t.text)
            spaces.append(False)
            starts.append(i == 0)
            at = t.end
    rest = text[at:]
    if rest.startswith(" ") and words:
        spaces[-1], rest = True, rest[1:]
    if rest:
        words.append(rest)
        spaces.append(False)
        starts.append(False)
    doc = Doc(vocab, words=words, spaces=spaces, sent_starts=starts)
    if isinstance(document, Document):
        doc.user_data.update(document.metadata)
        doc.spans["blocks"] = _blocks(doc, document)
    return doc


def _blocks(doc: Doc, document: Document) -> list[Span]:
    spans: list[Span] = []
    at = 0
    for b in document.blocks:
        kept = kept_text([b]) if not b.row else ""
        start = doc.text.find(kept, at) if kept else -1
        if start < 0:
            continue
        at = start + len(kept)
        span = doc.char_span(start, at, label=b.role or b.kind, alignment_mode="expand")
        if span is not None:
            spans.append(span)
    return spans
