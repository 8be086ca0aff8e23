"""jusText's function over chaffinch's own jusText: ``from chaffinch.compat.justext import justext``.

``Paragraph`` has what jusText's has for readers of its results: ``text``, ``is_boilerplate``, ``class_type``,
``is_heading``, ``dom_path``. The stop words are chaffinch's, of the page's language.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._requests import HTML
from ..cleaning import Cleaner
from . import unused

__all__ = ["Paragraph", "get_stoplist", "get_stoplists", "justext"]

_LANGUAGES = {"English": "en", "German": "de", "French": "fr", "Spanish": "es", "Italian": "it", "Czech": "cs", "Polish": "pl",
              "Portuguese": "pt", "Dutch": "nl", "Swedish": "sv", "Danish": "da", "Finnish": "fi", "Russian": "ru",
              "Norwegian_Bokmal": "nb", "Norwegian_Nynorsk": "nn"}  # fmt: skip


@dataclass
class Paragraph:
    """A block of text of a page."""

    text: str
    class_type: str
    cf_class: str
    dom_path: str
    is_heading: bool
    score: float | None = None

    @property
    def is_boilerplate(self) -> bool:
        """Whether the block is dropped."""
        return self.class_type != "good"

    @property
    def words_count(self) -> int:
        """Number of words."""
        return len(self.text.split())


class _Stoplist(frozenset[str]):
    """A placeholder for the stop words of a language, which the program holds."""

    lang = ""


def get_stoplists() -> frozenset[str]:
    """Return the language names accepted by :func:`get_stoplist`, which also accepts BCP 47 tags."""
    return frozenset(_LANGUAGES)


def get_stoplist(language: str) -> frozenset[str]:
    """Return a placeholder for the stop words of a language.

    >>> get_stoplist("German").lang
    'de'
    """
    s = _Stoplist()
    s.lang = _LANGUAGES.get(language, language)
    return s


def justext(html_text: HTML, stoplist: frozenset[str] = frozenset(), *args: Any, **more: Any) -> list[Paragraph]:
    """Return the paragraphs of a page, each with its class.

    >>> html = "<p>" + "The ferry leaves at nine in the morning, and it comes back to the island at six. " * 4 + "</p>"
    >>> [p.is_boilerplate for p in justext(html, get_stoplist("English"))]
    [False]
    """
    own = {"stoplist": list(stoplist)[:3]} if stoplist else {}  # the first words of an own list
    unused("justext", {**own, **{f"argument {i}": a for i, a in enumerate(args, 3)}, **more}, {"encoding": None})
    lang = stoplist.lang if isinstance(stoplist, _Stoplist) else ""
    doc = Cleaner(method="justext", lang=lang).clean(html_text)
    return [Paragraph(b.text, b.label, b.context_free, b.path, b.kind == "heading", b.score) for b in doc.blocks]
