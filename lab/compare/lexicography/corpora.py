"""Writes preverticals for the lexicographer's tasks: English by domain and year, and spam; help and other text in German, French and Spanish.

    python3 lab/compare/lexicography/corpora.py OUT

It reads text/*.tar.zst in $CHAFFINCH_DATA. A document has the attributes id, lang, domain, title and, for speeches and
novels, year. Text is cut after a number of bytes for each domain, so that no domain dominates. The spam is 800 shop pages of stuffed
keywords, made from the lists below: a crawl is the English text with the spam.
"""

import os
import random
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

# (archive, folder in it, file, domain, maximum bytes)
ENGLISH = [
    ("en", "en/en-plos/", "biology", 5_000_000),
    ("en", "en/en-us-speeches/", "speeches", 4_000_000),
    ("en", "en/en-digitalgov/", "government", 8_000_000),
    ("en", "en/en-18f/", "government", 4_000_000),
    ("en", "en/en-masc/", "mixed", 4_000_000),
    ("en", "en/en-oss-docs/", "software", 3_000_000),
    ("en", "en/en-eltec/", "novels", 12_000_000),
]
LANGUAGES = {"de": "deu", "fr": "fra", "es": "spa"}
GOODS = {
    "watch": ["replica watch", "luxury watch", "discount watch", "swiss movement", "free shipping"],
    "pill": ["slimming pill", "diet pill", "detox tea", "fat burner", "money back guarantee"],
    "essay": ["cheap essay", "custom essay", "term paper", "plagiarism free work", "urgent deadline"],
    "ticket": ["lottery ticket", "jackpot ticket", "free spin", "welcome bonus", "fast payout"],
    "follower": ["real follower", "cheap follower", "instant like", "video view", "secure payment"],
}
TOWNS = ["Abbotsworth", "Castlebury", "Dunmere", "Fernleigh", "Kingsfold", "Larkhampton", "Northwick", "Thornley"]
FRAMES = [
    "Buy # online in @ and save on #.",
    "Where can you buy #? Buy your # in @ now and get # with every #.",
    "Do not pay more: buy # from our shop, compare # and # today.",
    "Everyone in @ wants to buy # because # has never been so cheap.",
    "Buy #, buy # and buy # near @ with #.",
]
YEAR = re.compile(r"(1[789]\d\d|20[0-2]\d)")


def files(archive, folder):
    """Yields the name and text of each text file of a folder, in the order of names."""
    path = Path(os.environ["CHAFFINCH_DATA"], "text", archive + ".tar.zst")
    out = []
    with subprocess.Popen(["zstd", "-dc", path], stdout=subprocess.PIPE) as p, tarfile.open(fileobj=p.stdout, mode="r|") as tar:
        for m in tar:
            name = m.name.removeprefix("./")
            if m.isfile() and name.startswith(folder) and name.endswith(".txt"):
                out.append((name[folder.rindex("/") + 1 :].removeprefix("txt/"), tar.extractfile(m).read().decode("utf-8", "replace")))
    return sorted(out)


def year(name):
    """Returns the year of a speech, or of a novel from its ELTeC number, such as ENG18440."""
    m = YEAR.match(re.sub(r"^(?:.*/)?(?:[A-Z]{3})?", "", name))
    return m[1] if m else ""


def write(out, lang, domain, name, text):
    """Writes a document with a paragraph for each line that is not empty."""
    attrs = {"id": f"{domain}/{name}", "lang": lang, "domain": domain, "title": Path(name).stem}
    if domain in ("speeches", "novels") and year(name):
        attrs["year"] = year(name)
    out.write("<doc " + " ".join(f"{k}={quoteattr(v)}" for k, v in attrs.items()) + ">\n")
    for line in text.splitlines():
        if line := line.strip():
            out.write("<p>\n" + line.replace("&", "&amp;").replace("<", "&lt;") + "\n</p>\n")
    out.write("</doc>\n")


def cut(found, most):
    """Yields files until a number of bytes."""
    for name, text in found:
        if most <= 0:
            return
        yield name, text[:most]
        most -= len(text.encode())


def spam():
    """Yields the names and texts of pages of keyword spam; each is for one kind of goods and one town."""
    rng = random.Random(1)
    for n in range(800):
        keys, town = GOODS[rng.choice(list(GOODS))], rng.choice(TOWNS)
        lines = []
        for _ in range(rng.randint(6, 20)):
            if rng.random() < 0.4:
                lines.append(" | ".join(rng.choice(keys) + rng.choice(["", " " + town]) for _ in range(rng.randint(6, 24))))
                continue
            text = " ".join(rng.choice(FRAMES) for _ in range(rng.randint(2, 5)))
            lines.append("".join(rng.choice(keys) if c == "#" else town if c == "@" else c for c in text))
        yield f"{n}.html", "\n".join(lines)


def main(to):
    to = Path(to)
    to.mkdir(parents=True, exist_ok=True)
    with open(to / "en.prevert", "w") as out:
        for archive, folder, domain, most in ENGLISH:
            for name, text in cut(files(archive, folder), most):
                write(out, "en", domain, name, text)
    with open(to / "spam.prevert", "w") as out:
        for name, text in spam():
            write(out, "en", "spam", name, text)
    for lang, novels in LANGUAGES.items():
        with open(to / f"{lang}.prevert", "w") as out:
            for domain, archive, folder, most in [
                ("help", "ml", f"ml/ml-gnome-help/txt/{lang}.", 3_000_000),
                ("sentences", "ml", f"ml/ml-commonvoice/txt/{lang}.", 3_000_000),
                ("novels", "ml-novels", f"ml-novels/ml-eltec/{novels}/", 6_000_000),
            ]:
                for name, text in cut(files(archive, folder), most):
                    write(out, lang, domain, name, text)


if __name__ == "__main__":
    main(sys.argv[1])
