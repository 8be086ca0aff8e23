"""LlamaIndex: a reader of files for ``SimpleDirectoryReader(file_extractor={".html": ChaffinchReader()})``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document as LlamaDocument

from ..cleaning import Cleaner, clean_files
from ..document import Document

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..cleaning import Settings

__all__ = ["ChaffinchReader"]


class ChaffinchReader(BaseReader):
    """Reads pages as Documents of LlamaIndex; skips pages without text."""

    def __init__(self, **settings: Unpack[Settings]) -> None:
        self.cleaner = Cleaner(**settings)

    def load_data(self, file: str | os.PathLike[str], extra_info: dict[str, Any] | None = None, **_: Any) -> list[LlamaDocument]:
        """Return the pages of a file: HTML directly, archives and JSON lines by the command ``chaffinch clean``."""
        path = Path(file)
        if path.suffix.lower() in (".html", ".htm", ".xhtml", ".txt"):
            docs = [self.cleaner.clean(path.read_bytes())]
        else:
            flags = {k: v for k, v in (("keep", self.cleaner.keep), ("favour", self.cleaner.favour), ("lang", self.cleaner.lang)) if v}
            docs = list(clean_files(path, **flags))
        return [_made(doc, str(path), extra_info or {}) for doc in docs if doc.text]


def _made(doc: Document, source: str, more: dict[str, Any]) -> LlamaDocument:
    metadata = {**more, "source": doc.url or source, "language": doc.lang, **{k: v for k, v in doc.metadata.items() if isinstance(v, str)}}
    return LlamaDocument(text=doc.text, metadata=metadata)
