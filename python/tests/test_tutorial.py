"""The Python blocks of docs/tutorials run in their order and print what is quoted below them."""

import contextlib
import io
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TUTORIAL = ROOT / "docs" / "tutorials" / "notebook.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.M | re.S)


def pattern(quoted: str) -> str:
    """Return the expression that output must match: ``...`` is any text."""
    return "".join(re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + " *\n" for line in quoted.splitlines())


@pytest.mark.skipif(not TUTORIAL.exists(), reason="a source archive has no tutorials")
def test_tutorial(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    work = tmp_path / "tutorial"
    work.mkdir()
    shutil.copytree(ROOT / "docs" / "tutorials" / "data", tmp_path / "chaffinch/docs/tutorials/data")
    monkeypatch.chdir(work)
    space: dict[str, object] = {"__name__": "__main__"}
    printed, compared = "", 0
    for kind, text in BLOCK.findall(TUTORIAL.read_text("utf-8")):
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, "notebook.md", "exec"), space)
            printed = out.getvalue()
        elif kind == "text":
            assert re.fullmatch(pattern(text), printed), f"printed\n{printed}\nand the tutorial quotes\n{text}"
            compared += 1
    assert compared > 5
