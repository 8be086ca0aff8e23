"""Scrapy: an item pipeline that adds clean text to items that hold a page.

``ITEM_PIPELINES = {"chaffinch.helpers.scrapy.CleanPipeline": 300}``; settings: ``CHAFFINCH_HTML`` (field of the page,
``html``), ``CHAFFINCH_URL`` (``url``), ``CHAFFINCH_TEXT`` (field that gets the text, ``text``), ``CHAFFINCH_DROP`` (drop items
without text, False), and ``CHAFFINCH_SETTINGS``, a dictionary of those of :class:`chaffinch.Cleaner`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem

from ..cleaning import Cleaner
from ..document import Document

__all__ = ["CleanPipeline"]


class CleanPipeline:
    """Adds the text, the language and the title to items."""

    def __init__(
        self, html: str = "html", url: str = "url", text: str = "text", drop: bool = False, cleaner: Cleaner | None = None
    ) -> None:
        self.html, self.url, self.text, self.drop = html, url, text, drop
        self.cleaner = cleaner or Cleaner()

    @classmethod
    def from_crawler(cls, crawler: Any) -> CleanPipeline:
        """Return a pipeline with the settings of a crawler."""
        s = crawler.settings
        return cls(
            s.get("CHAFFINCH_HTML", "html"),
            s.get("CHAFFINCH_URL", "url"),
            s.get("CHAFFINCH_TEXT", "text"),
            s.getbool("CHAFFINCH_DROP", False),
            Cleaner(**s.getdict("CHAFFINCH_SETTINGS", {})),
        )

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        """Clean the page of an item without blocking the crawler."""
        adapter = ItemAdapter(item)
        page = adapter.get(self.html)
        if not page:
            return item
        try:
            doc = await asyncio.get_running_loop().run_in_executor(None, self.cleaner.clean, page, adapter.get(self.url))
        except RuntimeError:  # a reactor without asyncio
            doc = self.cleaner.clean(page, adapter.get(self.url))
        return self._filled(item, adapter, doc)

    def _filled(self, item: Any, adapter: Any, doc: Document) -> Any:
        if self.drop and not doc.text:
            raise DropItem(f"no text: {doc.drop}")
        names = set(adapter.field_names()) if not isinstance(item, dict) else None
        for name, value in ((self.text, doc.text), ("lang", doc.lang), ("title", doc.title)):
            if (names is None or name in names) and not (name != self.text and adapter.get(name)):
                adapter[name] = value
        return item
