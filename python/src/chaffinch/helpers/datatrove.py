"""datatrove: an extractor, a filter and a filter of duplicates.

The extractor cleans pages in batches over the pool of this process instead of one page at a time in a sandbox: a
page that is too slow or kills its process is dropped, with the reason in ``metadata``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from datatrove.data import Document as TroveDocument
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.writers.disk_base import DiskWriter

from ..cleaning import Cleaner, Page
from ..texts import DedupMethod, dedup, filter_text

__all__ = ["Chaffinch", "ChaffinchDedup", "ChaffinchFilter"]


class Chaffinch(BaseExtractor):
    """Extracts text with chaffinch; fills in ``language``, ``title``, ``date`` and, for dropped pages, ``filter_reason``."""

    name = "🐦 Chaffinch"

    def __init__(self, cleaner: Cleaner | None = None, exclusion_writer: DiskWriter | None = None) -> None:
        super().__init__()
        self.cleaner = cleaner or Cleaner()
        self.exclusion_writer = exclusion_writer

    def extract(self, text: str) -> str:
        """Return the text of one page."""
        return self.cleaner.extract(text) or ""

    def run(self, data: Iterable[TroveDocument] | None, rank: int = 0, world_size: int = 1) -> Iterator[TroveDocument]:
        """Yield the documents with text."""
        waiting: list[TroveDocument] = []

        def pages() -> Iterator[Page]:
            for d in data or ():
                self.stat_update("total")
                waiting.append(d)
                yield Page(d.text, d.metadata.get("url"))

        with self.exclusion_writer or contextlib.nullcontext() as writer:
            for cleaned in self.cleaner.clean_many(pages()):
                d = waiting.pop(0)
                for name in ("lang", "title", "date", "url"):
                    if value := getattr(cleaned, name):
                        d.metadata.setdefault("language" if name == "lang" else name, value)
                if cleaned.text:
                    d.text = cleaned.text
                    self.stat_update("forwarded")
                    self.update_doc_stats(d)
                    yield d
                    continue
                reason = cleaned.drop or "no-text"
                d.metadata["filter_reason"] = cleaned.error or cleaned.drop_rule or reason
                self.stat_update("dropped", f"dropped_{reason}")
                if writer is not None:
                    writer.write(d, rank)


class ChaffinchFilter(BaseFilter):
    """Filters by quality rules, such as ``fineweb``, ``gopher_quality`` or ``nontext``; the broken limit is the reason."""

    name = "🐦 Chaffinch rules"

    def __init__(self, rules: str | list[str] = "fineweb", exclusion_writer: DiskWriter | None = None) -> None:
        super().__init__(exclusion_writer)
        self.rules = rules

    def filter(self, doc: TroveDocument) -> bool | tuple[bool, str]:
        """Return True for a document to keep, else False and the score, its value and the limit."""
        lang = doc.metadata.get("language")
        said = filter_text(doc.text, self.rules, str(lang) if lang else None)
        return True if said["kept"] else (False, said.get("rule") or said.get("drop") or "filtered")


class ChaffinchDedup(PipelineStep):
    """Removes duplicates within the documents that one task reads: ``exact``, ``minhash`` or ``onion``."""

    type = "🫂 - DEDUP"
    name = "🐦 Chaffinch duplicates"

    def __init__(self, method: DedupMethod = "minhash", exclusion_writer: DiskWriter | None = None, **flags: object) -> None:
        super().__init__()
        self.method, self.exclusion_writer, self.flags = method, exclusion_writer, flags

    def run(self, data: Iterable[TroveDocument] | None, rank: int = 0, world_size: int = 1) -> Iterator[TroveDocument]:
        """Yield the remaining documents, without text that occurs in earlier ones."""
        docs = list(data or ())
        with self.exclusion_writer or contextlib.nullcontext() as writer:
            for d, text in zip(docs, dedup((d.text for d in docs), self.method, **self.flags), strict=True):
                self.stat_update("total")
                if text is None:
                    d.metadata["filter_reason"] = "duplicate"
                    self.stat_update("dropped", "dropped_duplicate")
                    if writer is not None:
                        writer.write(d, rank)
                    continue
                d.text = text
                self.stat_update("forwarded")
                yield d
