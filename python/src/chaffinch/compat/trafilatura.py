"""trafilatura's functions over chaffinch: ``from chaffinch.compat.trafilatura import extract``.

What is extracted is what chaffinch keeps, not what trafilatura would. ``favor_precision`` and ``favor_recall`` are
chaffinch's ``favour``; comments are kept unless ``include_comments=False``. Links and images are left out of Markdown
unless ``include_links`` and ``include_images`` ask for them, and emphasis with ``include_formatting=False``.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from .._requests import HTML
from ..cleaning import Cleaner, Favour, Format
from ..document import Document
from . import unused

__all__ = ["bare_extraction", "extract", "extract_metadata", "extract_with_metadata", "html2txt"]

_FORMATS: dict[str, Format] = {
    "txt": "text",
    "markdown": "markdown",
    "json": "json",
    "xml": "xml",
    "xmltei": "xml",
    "csv": "text",
    "html": "markdown",
}
_ROLES = "title,byline,standfirst,body,heading,caption,post,aside"


def _cleaner(favor_precision: bool, favor_recall: bool, include_comments: bool, without: str = "") -> Cleaner:
    favour: Favour = "precision" if favor_precision else "recall" if favor_recall else ""
    return Cleaner(favour=favour, keep="" if include_comments else _ROLES, without=without)


def extract(
    filecontent: HTML | None,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: Any = None,
    config: Any = None,
    options: Any = None,
) -> str | None:
    """Return the text of a page, None if there is none, with trafilatura's parameters.

    >>> extract("<p>The ferry leaves at nine in the morning, and it comes back at six.</p>")
    'The ferry leaves at nine in the morning, and it comes back at six.'
    """
    unused(
        "extract",
        {
            "tei_validation": tei_validation, "include_tables": include_tables, "deduplicate": bool(deduplicate),
            "date_extraction_params": date_extraction_params, "max_tree_size": max_tree_size, "settingsfile": settingsfile,
            "prune_xpath": prune_xpath, "config": config, "options": options, "record_id": record_id,
        },
        {"include_tables": True, "tei_validation": False, "deduplicate": False},
    )  # fmt: skip
    if output_format not in _FORMATS:
        raise AttributeError(f"output_format={output_format!r}: wanted one of {', '.join(_FORMATS)}")
    if filecontent is None:  # what fetch_url returns for a page that it cannot fetch
        return None
    emphasis = include_formatting or (include_formatting is None and output_format != "txt")
    left_out = {"links": not include_links, "images": not include_images, "emphasis": not emphasis}
    cleaner = _cleaner(favor_precision, favor_recall, include_comments, ",".join(name for name, out in left_out.items() if out))
    needs = with_metadata or only_with_metadata or target_language or url_blacklist or author_blacklist or output_format in ("json", "csv")
    if not needs:
        form = _FORMATS[output_format]
        if form == "text" and (include_formatting or include_links or include_images):
            form = "markdown"
        return cleaner.extract(filecontent, url, form)
    doc = cleaner.clean(filecontent, url)
    if not doc.text or _refused(doc, target_language, only_with_metadata, url_blacklist, author_blacklist):
        return None
    return _written(doc, cleaner, filecontent, url, output_format, with_metadata)


def _refused(doc: Document, language: str | None, complete: bool, urls: set[str] | None, authors: set[str] | None) -> bool:
    return bool(
        (language and doc.lang.split("-")[0] != language.split("-")[0])
        or (complete and not (doc.date and doc.title and doc.url))
        or (urls and not urls.isdisjoint((doc.url, doc.canonical)))
        or (authors and any(a in authors for a in doc.authors))
    )


def _fields(doc: Document) -> dict[str, Any]:
    return {
        "title": doc.title or None, "author": "; ".join(doc.authors) or None, "hostname": _host(doc.url), "date": doc.date or None,
        "url": doc.url or None, "sitename": doc.site or None, "description": doc.description or None, "categories": doc.categories,
        "tags": doc.tags, "license": doc.license or None, "language": None if doc.lang in ("", "und") else doc.lang,
        "image": doc.image or None, "pagetype": doc.type or None,
    }  # fmt: skip


def _host(url: str) -> str | None:
    from urllib.parse import urlsplit

    return urlsplit(url).hostname if url else None


def _written(doc: Document, cleaner: Cleaner, html: HTML, url: str | None, form: str, with_metadata: bool) -> str | None:
    if form == "json":
        record = {**(_fields(doc) if with_metadata else {}), "text": doc.text}
        return json.dumps(record, ensure_ascii=False)
    if form == "csv":
        out = io.StringIO()
        csv.writer(out, delimiter="\t", lineterminator="\n").writerow(
            [doc.url, doc.id, "", _host(doc.url) or "", doc.title, doc.image, doc.date, doc.text, "", doc.license, doc.type]
        )
        return out.getvalue().removesuffix("\n")
    text = cleaner.extract(html, url, _FORMATS[form])
    if text and with_metadata and form in ("txt", "markdown"):
        head = "".join(f"{k}: {v}\n" for k, v in _fields(doc).items() if v)
        text = f"---\n{head}---\n{text}"
    return text


def bare_extraction(filecontent: HTML | None, url: str | None = None, *args: Any, **more: Any) -> Any:
    """Return a Document, or with ``as_dict`` a dictionary with trafilatura's names; None for a page without text."""
    as_dict = more.pop("as_dict", False)
    known = {k: more.pop(k) for k in ("favor_precision", "favor_recall", "include_comments") if k in more}
    keys = ("target_language", "only_with_metadata", "url_blacklist", "author_blacklist")
    limits = [more.pop(k, None) for k in keys]
    more.pop("with_metadata", None)
    if more.get("output_format") == "python":
        more.pop("output_format")
    unused("bare_extraction", more, {"fast": False, "no_fallback": False})
    if filecontent is None:
        return None
    cleaner = _cleaner(known.get("favor_precision", False), known.get("favor_recall", False), known.get("include_comments", True))
    doc = cleaner.clean(filecontent, url)
    if not doc.text or _refused(doc, *limits):
        return None
    return {**_fields(doc), "text": doc.text, "raw_text": doc.text} if as_dict else doc


def extract_with_metadata(filecontent: HTML | None, url: str | None = None, **more: Any) -> Document | None:
    """Return a Document with text and metadata, None for a page without text."""
    doc: Document | None = bare_extraction(filecontent, url, **more)
    return doc


def extract_metadata(filecontent: HTML, default_url: str | None = None, *_: Any, **__: Any) -> Document:
    """Return a Document with the page's metadata."""
    return Cleaner().clean(filecontent, default_url)


def html2txt(content: HTML, clean: bool = True) -> str:
    """Return all text of a page, including boilerplate."""
    return Cleaner(method="keep").extract(content) or ""
