"""Hooks of MkDocs: the navigation, and links that lead out of the site."""

import pathlib
import re

SECTIONS = [
    ("Tutorials", "docs/tutorials"),
    ("Guides", "docs/guides"),
    ("Reference", "docs/reference"),
    ("Explanation", "docs/explanation"),
    ("Results", "lab/results"),
    ("Contributing", "docs/contributing"),
]
# Pages outside the folders of the sections.
EXTRA = {
    "Reference": ["docs/glossary.md", "CHANGELOG.md"],
    "Explanation": ["docs/architecture.md", "docs/dependencies.md"],
    "Contributing": ["CONTRIBUTING.md", "SECURITY.md"],
}


def title(path):
    """Returns the first heading of a page, or the name of the file."""
    m = re.search(r"(?m)^#\s+(.*?)\s*$", path.read_text(encoding="utf-8"))
    return re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", m[1]) if m else path.stem


def section(root, folder):
    """Lists the pages of a folder by title, README.md first, then its folders."""
    pages = sorted(folder.glob("*.md"), key=lambda p: (p.name != "README.md", title(p).lower()))
    nav = [{title(p): p.relative_to(root).as_posix()} for p in pages]
    for sub in sorted(p for p in folder.iterdir() if p.is_dir() and any(p.glob("*.md"))):
        nav.append({sub.name.capitalize(): section(root, sub)})
    return nav


def on_config(config):
    """Makes the navigation from the folders."""
    root = pathlib.Path(config.docs_dir)
    nav = [{"Home": "index.md"}, {"Try it": "try.md"}, {"I want to ...": "docs/README.md"}]
    for name, folder in SECTIONS:
        if not (root / folder).is_dir():
            continue
        extra = [{title(root / p): p} for p in EXTRA.get(name, [])]
        nav.append({name: section(root, root / folder) + extra})
    config.nav = nav
    return config


def on_page_markdown(markdown, page, config, files):
    """Turns links to folders and to Markdown outside the site into plain text."""
    here = pathlib.Path(page.file.abs_src_path).parent
    root = pathlib.Path(config.docs_dir)

    def link(m):
        target = m[2].split("#")[0]
        if ":" in target or not target:
            return m[0]
        if (here / target).resolve() == root / "README.md":
            return f"[{m[1]}]({'../' * len(here.relative_to(root).parts)}index.md)"
        return m[0] if (here / target).is_file() else m[1]

    return re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", link, markdown)


SILENT = "connect-src 'self'; form-action 'none'"
SHIM = '<script src="https://unpkg.com/iframe-worker/shim"></script>'


def local(html, up):
    """Replaces the one script that the theme loads from another host and adds the list of versions."""
    return html.replace(SHIM, f'<script src="{up}worker.js"></script>').replace("</head>", f'<script src="{up}../versions.js"></script></head>')


def on_post_page(output, page, config):
    """Makes a page independent of other hosts. The page with the cleaner can send nothing to other hosts."""
    if page.file.src_uri == "try.md":
        output = output.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{SILENT}">', 1)
    return local(output, "../" * page.url.count("/"))


def on_post_template(output_content, template_name, config):
    """Makes a page of the theme, such as 404.html, independent of other hosts."""
    return local(output_content, "")
