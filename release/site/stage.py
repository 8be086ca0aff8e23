"""Copies the pages of the site into a folder, or lists the versions of the site.

    stage.py FOLDER            # the Markdown files in git, the files that they link to, and the help of all commands
    stage.py --versions OUT    # writes OUT/versions.js and OUT/index.html
"""

import base64
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[^)\s]*)?\)|src=\"([^\":]+)\"")
PAGES = ["docs", "lab/results", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]


def stage(folder):
    """Copies the pages, the landing page and all files that pages link to."""
    root = pathlib.Path.cwd()
    tracked = set(subprocess.check_output(["git", "ls-files", "-z"], text=True).split("\0")[:-1])
    listed = subprocess.check_output(["git", "ls-files", "-z", *PAGES], text=True).split("\0")[:-1]
    pages = [name for name in listed if name.endswith(".md")]
    pictures = [name for name in tracked if name.startswith("docs/pictures/") and name.endswith((".svg", ".png"))]
    wanted = set(pages + pictures)
    for page in pages:
        text = (root / page).read_text(encoding="utf-8")
        for target in LINK.findall(text):
            name = os.path.normpath(os.path.join(os.path.dirname(page), target[0] or target[1]))
            if name in tracked and not name.endswith(".md"):
                wanted.add(name)
    for name in sorted(wanted):
        to = folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, to)
    commands = folder / "docs/reference/commands"
    subprocess.run(["go", "run", "./cmd/chaffinch", "man", "-f", "markdown", str(commands)], check=True, stderr=subprocess.DEVNULL)
    shutil.copyfile(root / "serve/view/finch.svg", folder / "logo.svg")
    for name in ["index.md", "try.md"]:
        text = (root / "release/site" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace("](../../", "]("), encoding="utf-8")
    for name in ["extra.css", "worker.js", "menu.js", "try.js"]:
        shutil.copyfile(root / "release/site" / name, folder / name)
    (folder / "cleaner.js").write_text(cleaner(root), encoding="utf-8")
    goroot = pathlib.Path(subprocess.check_output(["go", "env", "GOROOT"], text=True).strip())
    shutil.copyfile(goroot / "lib/wasm/wasm_exec.js", folder / "wasm_exec.js")


def cleaner(root):
    """Returns the script with the cleaner for browsers, compressed, and an example for it."""
    with tempfile.TemporaryDirectory() as work:
        program = pathlib.Path(work) / "cleaner.wasm"
        build = ["go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", str(program), "./examples/browser"]
        subprocess.run(build, check=True, env={**os.environ, "GOOS": "js", "GOARCH": "wasm"})
        packed = base64.b64encode(gzip.compress(program.read_bytes(), mtime=0)).decode()
    example = (root / "examples/pages/en/article.html").read_text(encoding="utf-8")
    return f"window.cleaner = {json.dumps(packed)};\nwindow.example = {json.dumps(example)};\n"


def versions(out):
    """Lists the versions in OUT for the menu; the newest is where OUT/index.html leads."""
    found = [p.parent.name for p in out.glob("*/search")]
    found.sort(key=lambda v: [int(n) for n in re.findall(r"\d+", v)], reverse=True)
    (out / "versions.js").write_text(f"window.versions = {json.dumps(found)};\n")
    (out / "index.html").write_text(f'<!doctype html><meta charset="utf-8"><title>Chaffinch</title><meta http-equiv="refresh" content="0; url={found[0]}/index.html"><a href="{found[0]}/index.html">Chaffinch {found[0]}</a>\n')


if __name__ == "__main__":
    if sys.argv[1] == "--versions":
        versions(pathlib.Path(sys.argv[2]))
    else:
        stage(pathlib.Path(sys.argv[1]))
