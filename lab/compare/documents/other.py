"""The HTML that other programs read from documents."""
import email
import email.policy
import html
import pathlib
import re
import subprocess

PANDOC = {"docx": "docx", "odt": "odt", "epub": "epub", "rtf": "rtf", "fb2": "fb2", "mediawiki": "mediawiki", "rst": "rst", "latex": "latex",
          "markdown": "gfm+footnotes+definition_lists+yaml_metadata_block-tex_math_dollars"}
SUFFIXES = {".docx": "docx", ".docm": "docx", ".dotx": "docx", ".pptx": "pptx", ".pptm": "pptx", ".ppsx": "pptx", ".odt": "odt", ".fodt": "odt",
            ".epub": "epub", ".rtf": "rtf", ".fb2": "fb2", ".mediawiki": "mediawiki", ".wiki": "mediawiki", ".md": "markdown", ".rst": "rst",
            ".tex": "latex", ".adoc": "asciidoc", ".asciidoc": "asciidoc", ".eml": "eml", ".srt": "srt", ".vtt": "vtt"}
# asciidoctor writes admonitions and the marks of code as tables.
LAYOUT = re.compile(r"<table>\s*<tr>\s*<td class=\"icon\">.*?</td>\s*<td class=\"content\">(.*?)</td>\s*</tr>\s*</table>", re.DOTALL)


def run(*command):
    """What a program prints, or None if it fails."""
    try:
        out = subprocess.run(command, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    return out.stdout.decode("utf-8", "replace") if out.returncode == 0 else None


def pandoc(*args):
    return run("pandoc", "--sandbox", "--to", "html", "--mathjax", "--wrap", "none", *args)


def paragraphs(lines):
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)


def mail(path):
    """The body of a message, as Python's library reads it."""
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    body = message.get_body(("plain", "html"))
    if body is None:
        return None
    try:
        text = body.get_content()
    except (LookupError, AttributeError):
        return None
    if body.get_content_subtype() != "html":
        text = paragraphs(text.splitlines())
    return paragraphs([str(message["subject"] or "")]) + text


def subtitles(path):
    """The cues of subtitles, as pysubs2 reads them."""
    import pysubs2
    return paragraphs(event.plaintext for event in pysubs2.load(path) if not event.is_comment)


def read(kind, path):
    """The name of the program that reads a format, and the HTML that it reads; None if it fails."""
    path = str(pathlib.Path(path).resolve())
    if kind in PANDOC and not path.endswith(".fodt"):
        return "pandoc", pandoc("--from", PANDOC[kind], *(["--standalone", "--metadata", "pagetitle=-"] if kind in ("docx", "rst", "latex", "markdown") else []), path)
    if kind == "asciidoc":
        out = run("asciidoctor", "--safe-mode", "secure", "--quiet", "--attribute", "last-update-label!", "--out-file", "-", path)
        return "asciidoctor", out and LAYOUT.sub(r"<div>\1</div>", out)
    try:
        if kind == "eml":
            return "email", mail(path)
        if kind in ("srt", "vtt"):
            return "pysubs2", subtitles(path)
    except Exception as err:
        return str(err), None
    return "", None
