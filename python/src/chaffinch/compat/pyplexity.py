"""PyPlexity's names over chaffinch: ``from chaffinch.compat.pyplexity import PerplexityModel, PerplexityProcessor``.

With one of PyPlexity's models (a file ``.st``) the scores are PyPlexity's, its oddities too; ``en`` is chaffinch's
embedded model of English, whose scores are on another scale. Sentences are chaffinch's.
"""

from __future__ import annotations

import os

from .._pool import Pool
from .._requests import HTML
from ..cleaning import Cleaner
from ..texts import perplexities, tokenize

__all__ = ["HTMLTagRemover", "PerplexityModel", "PerplexityProcessor"]


class PerplexityModel:
    """A word model. Create one with :meth:`from_str`."""

    def __init__(self, name: str) -> None:
        self.name = name
        theirs = False
        if os.path.isfile(name):
            with open(name, "rb") as f:
                theirs = f.read(4) == b"pst0"
        self._pool = Pool(1, ("--model", name, *(["--compat", "pyplexity"] if theirs else [])))

    @staticmethod
    def from_str(perpl_model: str) -> PerplexityModel:
        """Return a model from a file, or ``en``, the embedded model.

        >>> model = PerplexityModel.from_str("en")
        >>> model.compute_sentence("The ferry leaves at nine.") < model.compute_sentence("nine The at ferry leaves.")
        True
        """
        return PerplexityModel(perpl_model)

    def compute_sentence(self, sentence: str) -> float:
        """Return the perplexity of a sentence; infinity without words."""
        return self.compute_sentences([sentence])[0]

    compute = compute_sentence

    def compute_sentences(self, sentences: list[str]) -> list[float]:
        """Return the perplexities of sentences."""
        lines = [" ".join(s.split()) for s in sentences]
        return [float("inf") if p is None else float(p) for p in perplexities(self._pool, lines)]


class PerplexityProcessor:
    """Removes improbable sentences."""

    def __init__(self, perpl_model: PerplexityModel, perpl_limit: float = 8000.0) -> None:
        self.perpl_model = perpl_model
        self.perpl_limit = perpl_limit

    def process(self, content: str | bytes) -> str:
        """Return a text in which sentences at or above the limit are marked, as PyPlexity marks them."""
        text = content if isinstance(content, str) else content.decode(errors="ignore")
        sentences = [text[s[0].start : s[-1].end] for s in tokenize(text) if s]
        out = ""
        for sentence, score in zip(sentences, self.perpl_model.compute_sentences(sentences), strict=True):
            out += f" {sentence}" if score < self.perpl_limit else f"<ppl {score}>{sentence}</ppl>."
        return out


class HTMLTagRemover:
    """Removes tags, scripts and styles, and keeps all text."""

    def process(self, content: HTML) -> str:
        """Return all text of a page.

        >>> HTMLTagRemover().process(b"<p>Home</p><script>x()</script><p>It leaves at nine.</p>")
        'Home\\nIt leaves at nine.'
        """
        return Cleaner(method="keep").extract(content) or ""
