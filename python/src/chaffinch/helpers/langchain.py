"""LangChain: a loader of pages and a transformer of Documents that hold pages."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer
from langchain_core.documents import Document as LangchainDocument

from ..cleaning import Cleaner, Page, clean_files
from ..document import Document

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..cleaning import Settings

__all__ = ["ChaffinchLoader", "ChaffinchTransformer"]


def _made(doc: Document, source: str, more: dict[str, Any]) -> LangchainDocument:
    metadata = {**more, "source": source, "language": doc.lang, **doc.metadata}
    return LangchainDocument(page_content=doc.text, metadata=metadata)


class ChaffinchLoader(BaseLoader):
    """Loads the pages of files and folders: HTML, WARC, JSON lines, plain or compressed. Skips pages without text.

    Keywords are the flags of ``chaffinch clean``, such as ``keep="main"``.
    """

    def __init__(self, *paths: str | os.PathLike[str], **flags: object) -> None:
        self.paths = paths
        self.flags = flags

    def lazy_load(self) -> Iterator[LangchainDocument]:
        """Yield the pages with text."""
        for doc in clean_files(*self.paths, **self.flags):
            if doc.text:
                yield _made(doc, doc.url or doc.id, {})


class ChaffinchTransformer(BaseDocumentTransformer):
    """Replaces the HTML in Documents by clean text; drops Documents without text."""

    def __init__(self, **settings: Unpack[Settings]) -> None:
        self.cleaner = Cleaner(**settings)

    def transform_documents(self, documents: Sequence[LangchainDocument], **kwargs: Any) -> Sequence[LangchainDocument]:
        """Return the Documents with text."""
        pages = (Page(d.page_content, d.metadata.get("source")) for d in documents)
        cleaned = self.cleaner.clean_many(pages)
        return [_made(c, str(d.metadata.get("source", "")), d.metadata) for d, c in zip(documents, cleaned, strict=True) if c.text]
