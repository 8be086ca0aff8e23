#!/usr/bin/env python3
"""Builds the training text of the embedded model of languages from public repositories.

    model/data/langid-sources.py REPOS OUT [--held HELD]

REPOS holds a clone of each repository of SOURCES below, REPOS/<owner>/<name>, bare or not. OUT
gets text, OUT/<source>/txt/<code>.txt with one sentence, verse or message per line, and word lists,
OUT/words/<code>.words, and OUT/web.tsv with the bytes of web text by language. With --held, part of the text goes to HELD/txt/<code>.txt instead, for the
evaluation of languages: the stories and the Bible where there is other text, otherwise every
fourth article of the Declaration of Human Rights.

Messages of software are cleaned of markup. Messages of fewer than four words, and those equal to
the English message, are omitted. The same commits give the same bytes.
"""
import argparse
import collections
import csv
import html
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET

# Repositories with their commits, and licences as they state them.
SOURCES = {
    "unicode-org/udhr": ("91daa23a768864dfd2f5a9ddeeefe37e95fac31b", "public domain text"),
    "christos-c/bible-corpus": ("44e5fca1bfb369a5da2ee23ebc6f421c88489c5c", "CC0 1.0"),
    "global-asp/asp-source": ("99e022369a980bd52bce8c6f86d5f24e9a4ada9d", "CC BY, by story; stories under other licences are omitted"),
    "global-asp/pb-source": ("9ea530dfb0011dd1cbaf42e6ffe74aa3ef5733ed", "CC BY or public domain, by story"),
    "wikimedia/VisualEditor": ("88d3ba9bc4e2d93d2c1c6e77ac41e6b337fb0ebb", "MIT"),
    "wikimedia/mediawiki-extensions-VisualEditor": ("58c1bcb5b5e43356f28809390ed3c8dcb9a47e5e", "MIT"),
    "wikimedia/mediawiki-extensions-UniversalLanguageSelector": ("edb042a95cce48b78992e31e8c5e063829485495", "MIT or GPL-2.0+"),
    "wikimedia/apps-android-wikipedia": ("aa428fa31b6f9fac1129116cdae5a32e8774809b", "Apache-2.0"),
    "commons-app/apps-android-commons": ("c5d5b227caec6d45595d57202a3c38ac18ab2270", "Apache-2.0"),
    "WikiEducationFoundation/WikiEduDashboard": ("1fe5b27da8f4e491804f799e5e2e6670229c7604", "MIT"),
    "Krinkle/intuition": ("39cc5fbb3ced1d1bff166bbe3434b5f1953bdd06", "MIT"),
    "mozilla-l10n/www-firefox-l10n": ("09adbfacd64b5038f5ba056f9248ca712d580b44", "MPL-2.0"),
    "mozilla/common-voice": ("168898f413d7deb17d0ed665e8159abe877c7f19", "MPL-2.0 (messages)"),
    "huggingface/fineweb-2": ("d0defb24f193bb9a5a11b8b14524a03c4858e1b6", "Apache-2.0"),
}

LIST_WORDS = 1500  # of a language, the most frequent ones
BIBLE_BYTES = 400_000
# Codes of the Declaration of Human Rights that are withdrawn or not standard. "" omits the text:
# of the Chinese languages, Mandarin with a few words replaced; of others, a rare script.
DECLARATIONS = {
    "auv": "oci", "lnc": "oci", "prv": "oci", "blu": "hnj", "ccx": "zha", "flm": "cfm", "fri": "fry", "tzc": "tzo", "hsf": "hus", "hva": "hus",
    "fuv2": "fuv", "gsw1": "gsw", "tha2": "tha", "ven2": "ven", "mly_latn": "zsm", "mly_arab": "zsm_arab", "qq": "", "eml": "",
    "nan": "", "hak": "", "gan": "", "wuu": "", "cjy": "", "hsn": "", "vie_han": "",
    "uig_latn": "", "tuk_cyrl": "", "jav_java": "", "san_gran": "", "fuf_adlm": "", "kkh_lana": "", "tgl_tglg": "", "bos_cyrl": "", "ckb": "",
}
ENGLISH = 20 * 10**12  # bytes of web text in English, which the table of other languages lacks

# Codes of messages that differ from BCP 47. "" omits them.
CODES = {
    "als": "gsw", "bat-smg": "sgs", "fiu-vro": "vro", "roa-rup": "rup", "zh-classical": "lzh", "zh-min-nan": "nan", "nb-no": "nb",
    "zh-cn": "zh-hans", "zh-tw": "zh-hant", "zh-rcn": "zh-hans", "zh-rtw": "zh-hant", "zh-hk": "", "zh-rhk": "", "zh": "", "zh-hans": "zh-hans",
    "zh-hant": "zh-hant", "b+zh+hans": "zh-hans", "b+zh+hant": "zh-hant", "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "no": "nb",
    "sr-ec": "sr", "sr-el": "sr-latn", "b+sr+latn": "sr-latn", "tt-cyrl": "tt", "tg-cyrl": "tg", "kk-cyrl": "kk", "ku-latn": "ku", "kmr": "ku",
    "crh-latn": "crh", "hif-latn": "hif", "gom-latn": "gom-latn", "gom-deva": "gom", "skr-arab": "skr", "ug-arab": "ug", "ike-cans": "iu",
    "yue-hant": "yue", "pt-br": "pt", "pt-rbr": "pt", "pt-pt": "pt", "pt-rpt": "pt", "sv-se": "sv", "ga-ie": "ga", "fy-nl": "fy", "gu-in": "gu", "hi-in": "hi",
    "hy-am": "hy", "ne-np": "ne", "nn-no": "nn", "pa-in": "pa", "es-es": "es", "bn-bd": "bn", "be-rby": "be", "sh": "", "hbs": "", "qqq": "", "qqx": "",
    "mo": "", "sh-latn": "", "sh-cyrl": "", "map-bms": "", "roa-tara": "", "be-tarask": "", "simple": "", "en": "en", "eml": "eml", "lzh": "",
    "rm-sursilv": "rm", "rm-vallader": "rm", "bho": "bho", "bcc": "bal", "bqi": "bqi", "pap-aw": "pap", "uz": "", "tly-cyrl": "", "abs": "abs",
    "lgg-official": "lgg", "ha-ne": "ha", "tw-akua": "ak", "tw-asan": "ak", "tw": "ak", "kln": "kln", "arz": "arz", "ary": "ary", "hif": "",
}


def code_of(name):
    """Returns the code of a folder or file of translations, or "" for varieties."""
    name = name.lower().replace("_", "-")
    if name in CODES:
        return CODES[name]
    return name if re.fullmatch(r"[a-z]{2,3}", name) else ""


class Repo:
    """A repository at its commit."""

    def __init__(self, name):
        self.dir, self.commit = f"{args.repos}/{name}", SOURCES[name][0]

    def git(self, *a, **k):
        return subprocess.run(["git", "-C", self.dir, *a], check=True, capture_output=True, **k).stdout

    def files(self, pattern):
        """Yields the match and the text of each file whose path matches, in the order of paths."""
        found = []
        for line in self.git("ls-tree", "-r", "-l", "-z", self.commit).decode().split("\0"):
            if not line:
                continue
            meta, path = line.split("\t", 1)
            _, kind, sha, size = meta.split()
            m = re.fullmatch(pattern, path)
            if m and kind == "blob" and size.isdigit():
                found.append((m, sha))
        out = self.git("cat-file", "--batch", input="".join(sha + "\n" for _, sha in found).encode())
        at = 0
        for m, _ in found:
            end = out.index(b"\n", at)
            size = int(out[at:end].split()[2])
            yield m, out[end + 1:end + 1 + size].decode("utf-8", "replace")
            at = end + 1 + size + 1


def words(text):
    """Counts the words of a line; four letters count as one without spaces."""
    letters = sum(c.isalpha() for c in text)
    wide = sum(c > "\u0e00" and c.isalpha() for c in text)
    return max(len(text.split()), wide // 4) if letters >= 12 or wide >= 6 else 0


def clean(text):
    """Returns a message without markup and parameters."""
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
    text = html.unescape(text.replace("\\n", " ").replace("\\'", "'").replace('\\"', '"'))
    text = re.sub(r"<[^<>]*>", " ", text)
    for _ in range(3):
        text = re.sub(r"\{\{(?:PLURAL|GENDER|plural|gender):[^|{}]*\|([^|{}]*)[^{}]*\}\}", r"\1", text)
        text = re.sub(r"\{\{[^{}]*\}\}", " ", text)
    text = re.sub(r"\[\[(?:[^|\]]*\|)?([^\]|]*)\]\]", r"\1", text)
    text = re.sub(r"\[?https?://\S+", " ", text)
    text = re.sub(r"%\d?\$?[sd@]|%\{\w+\}|\$\d|\{[^{}]*\}|&\w+;|[\[\]{}]", " ", text)
    return re.sub(r"\s+", " ", text).strip()


texts = collections.defaultdict(lambda: collections.defaultdict(dict))  # source, code: lines, in order
english = set()


def message(source, code, text):
    text = clean(text)
    if words(text) < 4:
        return
    if code == "en":
        english.add(text)
    elif code:
        texts[source][code][text] = None


def udhr():
    repo = Repo("unicode-org/udhr")
    index = {}
    for _, text in repo.files(r"data/udhr/index\.xml"):
        for u in ET.fromstring(text).iter("udhr"):
            index[u.get("f")] = u.get("iso639-3")
    for m, text in repo.files(r"data/udhr/udhr_(.+)\.xml"):
        code = m[1]
        if code.isdigit():
            code = index.get(code, "und")
        code = DECLARATIONS.get(code, code)
        if index.get(m[1], "und") == "und" or not code:
            continue
        for n, part in enumerate(p for p in ET.fromstring(text).iter() if p.tag.rsplit("}", 1)[-1] in ("preamble", "article")):
            lines = [" ".join("".join(p.itertext()).split()) for p in part.iter() if p.tag.rsplit("}", 1)[-1] == "para"]
            for line in lines:
                if line and not re.search(r"\(?(?:missing|no text)\)?$", line):
                    texts["held-udhr" if n % 4 == 3 else "udhr"][code][line] = None


def bible():
    repo = Repo("christos-c/bible-corpus")
    codes = {}
    for _, text in repo.files(r"metadata\.csv"):
        for row in text.splitlines()[1:]:
            name, code = row.split(",")[:2]
            codes[name] = code
    for m, text in repo.files(r"bibles/(.*\.xml)"):
        code = codes.get(m[1], "")
        if not code or code in ("que", "syr", "cop") or m[1] == "K'iche'-NT.xml":
            continue
        lines = [" ".join((seg.text or "").split()) for seg in ET.fromstring(text).iter("seg")]
        size = sum(len(line.encode()) for line in lines)
        every = max(1, round(size / BIBLE_BYTES))
        for i, line in enumerate(lines):
            if line and i // 20 % every == 0:
                texts["bible"][code][line] = None


def stories():
    for name in ("global-asp/asp-source", "global-asp/pb-source"):
        for m, text in Repo(name).files(r"([a-z-]+)/.*\.md"):
            if not re.search(r"License: \[?(CC[- ]BY|Public Domain)\]?\s*$", text, re.M) or not (code := code_of(m[1])):
                continue
            body = text.split("\n* License:")[0]
            for page in body.split("\n##"):
                line = " ".join(page.replace("#", " ").split())
                if words(line) >= 4 and code != "en":
                    texts["stories"][code][line] = None


def wiki():
    for name, pattern in (
        ("wikimedia/VisualEditor", r"i18n/([\w-]+)\.json"),
        ("wikimedia/mediawiki-extensions-VisualEditor", r"i18n/.*?([\w-]+)\.json"),
        ("wikimedia/mediawiki-extensions-UniversalLanguageSelector", r"i18n/.*?([\w-]+)\.json"),
        ("Krinkle/intuition", r"language/messages/.*/([\w-]+)\.json"),
    ):
        for m, text in Repo(name).files(pattern):
            try:
                messages = json.loads(text)
            except ValueError:
                continue
            for k, v in messages.items():
                if k != "@metadata" and isinstance(v, str):
                    message("wiki", code_of(m[1]), v)
    for name in ("wikimedia/apps-android-wikipedia", "commons-app/apps-android-commons"):
        for m, text in Repo(name).files(r"app/src/main/res/values(-[\w+-]+)?/strings\.xml"):
            try:
                root = ET.fromstring(text)
            except ET.ParseError:
                continue
            for e in root.iter():
                if e.tag in ("string", "item"):
                    message("wiki", code_of(m[1][1:]) if m[1] else "en", "".join(e.itertext()))
    for m, text in Repo("WikiEducationFoundation/WikiEduDashboard").files(r"config/locales/([\w-]+)\.yml"):
        for line in text.splitlines():
            if v := re.match(r"\s+[\w-]+: (.{12,})", line):
                message("wiki", code_of(m[1]), v[1].strip("'\""))


def mozilla():
    for name, pattern in (("mozilla-l10n/www-firefox-l10n", r"([\w-]+)/.*\.ftl"), ("mozilla/common-voice", r"web/locales/([\w-]+)/messages\.ftl")):
        for m, text in Repo(name).files(pattern):
            code = code_of(m[1])
            for line in text.splitlines():
                if v := re.match(r"(?:[\w-]+|\s+\.[\w-]+) = (.+)|    (?!\.)([^\s.\[*}].+)", line):
                    message("mozilla", code, v[1] or v[2])


def lists():
    """Writes the word lists and the sizes of web text.

    A word of rank r counts as 2,000 / (1 + r/15) in a million.
    """
    scripts = collections.defaultdict(list)
    repo = Repo("huggingface/fineweb-2")
    found = list(repo.files(r"misc/precision_filtering/wordlists-0\.85/([a-z]+)_(\w+)\.txt"))
    for m, _ in found:
        scripts[m[1]].append(m[2])
    os.makedirs(f"{args.out}/words", exist_ok=True)
    for m, text in found:
        ranked = dict.fromkeys(w.lower() for w in text.split("\n") if w and not any(c.isspace() for c in w))
        code = m[1] if len(scripts[m[1]]) == 1 else f"{m[1]}-{m[2]}"
        rows = collections.defaultdict(list)
        for r, w in enumerate(list(ranked)[:LIST_WORDS]):
            if "#" not in w:
                rows[max(1, round(2000 / (1 + r / 15)))].append(w)
        with open(f"{args.out}/words/{code}.words", "w", encoding="utf-8") as f:
            for n, listed in rows.items():
                f.write(f"{n} {' '.join(listed)}\n")
    sizes = {"eng": ENGLISH}
    for _, text in repo.files(r"fineweb2-language-distribution\.csv"):
        for row in csv.DictReader(text.splitlines()):
            if row["split"] == "train" and not row["subset"].endswith("_removed"):
                code = row["code"] if len(scripts[row["code"]]) < 2 else f"{row['code']}-{row['script']}"
                for c in ("cmn_hans", "cmn_hant") if code == "cmn" else (code,):
                    sizes[c] = int(row["utf8_bytes"])
    with open(f"{args.out}/web.tsv", "w", encoding="utf-8") as f:
        for code, size in sizes.items():
            f.write(f"{code}\t{size}\n")


def untranslated():
    """Removes messages that are the same in several languages, except from that with most messages."""
    for source in ("wiki", "mozilla"):
        of = texts[source]
        owner = dict.fromkeys(english, "en")
        for code in sorted(of, key=lambda c: (-len(of[c]), c)):
            of[code] = [line for line in of[code] if owner.setdefault(line, code) == code]


def save():
    held = collections.defaultdict(list)
    codes = {code for source in texts for code in texts[source]}
    for code in sorted(codes):
        has = [s for s in ("bible", "stories") if texts[s].get(code)]
        other = any(texts[s].get(code) for s in ("udhr", "wiki", "mozilla"))
        for source in sorted(texts):
            lines = list(texts[source].get(code, ()))
            target = source
            if args.held and source in has and other:
                held[code] += lines[:2000]
                continue
            if source == "held-udhr":
                if args.held and not (has and other):
                    held[code] += lines
                    continue
                target = "udhr"
            if lines:
                os.makedirs(f"{args.out}/{target}/txt", exist_ok=True)
                with open(f"{args.out}/{target}/txt/{code}.txt", "a", encoding="utf-8") as f:
                    f.write("\n".join(lines) + "\n")
    if args.held:
        os.makedirs(f"{args.held}/txt", exist_ok=True)
        for code, lines in held.items():
            with open(f"{args.held}/txt/{code}.txt", "w", encoding="utf-8") as f:
                f.write("\n".join(lines) + "\n")


parser = argparse.ArgumentParser()
parser.add_argument("repos")
parser.add_argument("out")
parser.add_argument("--held")
args = parser.parse_args()
for build in (udhr, bible, stories, wiki, mozilla, lists, untranslated, save):
    build()
