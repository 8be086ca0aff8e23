"""Clean web pages: ``extract`` returns the text, ``clean`` also all decisions and their reasons.

>>> import chaffinch
>>> chaffinch.extract(b"<nav>Home</nav><p>The ferry leaves at nine in the morning, and it comes back at six.</p>")
'The ferry leaves at nine in the morning, and it comes back at six.'
"""

from importlib import metadata as _metadata

from ._pool import Pool
from ._program import program, run
from .cleaning import Cleaner, Page, clean, clean_files, clean_many, clean_warc, explain, extract, extract_many
from .corpus import Corpus
from .document import Block, Document, Sentence
from .errors import ChaffinchError, CommandError, Fault, InputWarning, ProgramMissing, RequestError, WorkerDied
from .texts import (
    Language,
    Token,
    dedup,
    detect_encoding,
    detect_language,
    detect_languages,
    filter_text,
    perplexity,
    tokenize,
    train,
)

try:
    __version__ = _metadata.version("chaffinch")
except _metadata.PackageNotFoundError:  # run from its sources
    __version__ = "0"

__all__ = [
    "Block",
    "ChaffinchError",
    "Cleaner",
    "CommandError",
    "Corpus",
    "Document",
    "Fault",
    "InputWarning",
    "Language",
    "Page",
    "Pool",
    "ProgramMissing",
    "RequestError",
    "Sentence",
    "Token",
    "WorkerDied",
    "__version__",
    "clean",
    "clean_files",
    "clean_many",
    "clean_warc",
    "dedup",
    "detect_encoding",
    "detect_language",
    "detect_languages",
    "explain",
    "extract",
    "extract_many",
    "filter_text",
    "perplexity",
    "program",
    "run",
    "tokenize",
    "train",
]
