"""Collects text of close languages from fetched repositories and packages.

    close.py --repos DIR --packages DIR --text FILE --out DIR

DIR of --repos holds a clone OWNER+NAME/repo of each repository in REPOS; DIR of
--packages holds the Debian packages libreoffice-l10n-*, firefox-esr-l10n-* and
thunderbird-l10n-*; FILE is text/ml.tar.zst of the data sets. OUT/train/SOURCE/txt/TAG.txt gets the text whose licence
allows training, OUT/measure/SOURCE/txt/TAG.txt the rest, one line per sentence
or message. OUT/SOURCES.tsv lists source, commit or version, licence, tag, lines
and bytes. A source that lacks a language is not filled up from another one.
"""

import argparse
import collections
import html
import io
import json
import pathlib
import random
import re
import struct
import subprocess
import tarfile
import zipfile

LIMIT = 12000  # lines of a source and language

# Tags by the names that the sources use.
NAMES = {}
for tag, names in {
    "nb": "nb nb-no nob no nb_no", "nn": "nn nn-no nno", "da": "da dan", "sv": "sv sv-se swe", "bs": "bs bos bos_latn",
    "hr": "hr hrv", "sr": "sr srp_cyrl sr-ec", "sr-Latn": "sr-latn sr@latin srp_latn sr-el b+sr+latn", "sl": "sl slv", "ms": "ms my mly_latn zsm",
    "id": "id ind in", "pt-PT": "pt-pt por_pt", "pt-BR": "pt-br por_br pt_br pt-rbr", "es": "es es-es spa", "gl": "gl glg", "ast": "ast",
    "oc": "oc oci", "ca": "ca cat cat_latn", "cs": "cs cz ces", "sk": "sk slk", "ru": "ru rus", "uk": "uk ukr", "be": "be bel", "bg": "bg bul",
    "mk": "mk mkd", "zh-Hans": "zh-cn zh-hans cmn_hans zh_cn zh-rcn", "zh-Hant": "zh-tw zh-hant cmn_hant zh_tw zh-rtw", "yue": "yue", "fa": "fa pes_1",
    "ps": "ps pbu", "ckb": "ckb", "ur": "ur urd", "hi": "hi hi-in hin", "mr": "mr mar", "ne": "ne ne-np npi", "zu": "zu zul", "xh": "xh xho",
    "ss": "ss ssw", "en-GB": "en-gb", "en-US": "en-us",
}.items():
    for name in names.split():
        NAMES[name] = tag

LATIN = {"а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "ђ": "đ", "е": "e", "ж": "ž", "з": "z", "и": "i", "ј": "j", "к": "k", "л": "l",
         "љ": "lj", "м": "m", "н": "n", "њ": "nj", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "ћ": "ć", "у": "u", "ф": "f", "х": "h",
         "ц": "c", "ч": "č", "џ": "dž", "ш": "š"}


class Git:
    def __init__(self, repos, name):
        dir = repos / name.replace("/", "+") / "repo"
        self.dir = dir / ".git" if (dir / ".git").exists() else dir
        self.commit = self.run("rev-parse", "HEAD").decode().strip()[:12]

    def run(self, *args, input=None):
        return subprocess.run(["git", "-C", str(self.dir), *args], capture_output=True, check=True, input=input).stdout

    def files(self, pattern):
        """Yields the path and text of the files whose path matches."""
        paths = [p for p in self.run("ls-tree", "-r", "-l", "--full-tree", "HEAD").decode().splitlines()]
        wanted = []
        for p in paths:
            meta, path = p.split("\t", 1)
            if meta.split()[3] not in ("BAD", "-") and re.search(pattern, path):
                wanted.append(path)
        for path in wanted:
            yield path, self.run("cat-file", "blob", "HEAD:" + path).decode("utf-8", "replace")


PLACES = re.compile(r"\{\{[^{}]*\}\}|\$\{[^}]*\}|\{[^{}]*\}|%\d*\$?[-+0-9.]*[a-zA-Z@]\b|\$\d|<[^<>]*>|\[\[[^\]|]*\||\[https?://\S+|https?://\S+|\[|\]|\\n|\\t|'''?|==+")


def clean(s):
    """Removes markup and placeholders from a message."""
    s = html.unescape(s)
    s = re.sub(r"(?<=\w)[~_&](?=\w)|[~](?=\w)|(?<!\w)[_&](?=\w)", "", s)
    s = PLACES.sub(" ", s)
    return re.sub(r"\s+", " ", s).strip()


def words(s):
    return re.findall(r"[^\W\d_]+", s)


class Out:
    def __init__(self, dir):
        self.dir, self.sets = dir, collections.defaultdict(dict)
        self.about = {}

    def add(self, source, tag, line, messages=True):
        line = clean(line) if messages else re.sub(r"\s+", " ", line).strip()
        if len(words(line)) < 4 and tag[:2] not in ("zh", "yu") or len(line) < 8:
            return
        self.sets[source, tag][line] = None

    def write(self):
        rows = ["source\tversion\tlicence\tuse\ttag\tlines\tbytes"]
        for (source, tag), lines in sorted(self.sets.items()):
            version, licence, use = self.about[source]
            lines = list(lines)
            if len(lines) > LIMIT:
                random.Random(1).shuffle(lines)
                lines = sorted(lines[:LIMIT])
            if len(lines) < 20:
                continue
            file = self.dir / use / source / "txt" / (tag + ".txt")
            file.parent.mkdir(parents=True, exist_ok=True)
            text = "\n".join(lines) + "\n"
            file.write_text(text, "utf-8")
            rows.append("\t".join(map(str, (source, version, licence, use, tag, len(lines), len(text.encode())))))
        (self.dir / "SOURCES.tsv").write_text("\n".join(rows) + "\n", "utf-8")


def mo(data):
    """Yields the pairs of a compiled gettext catalogue."""
    order = "<" if data[:4] == b"\xde\x12\x04\x95" else ">"
    n, keys, values = struct.unpack(order + "III", data[8:20])
    for i in range(n):
        (a, b), (c, d) = struct.unpack_from(order + "II", data, keys + 8 * i), struct.unpack_from(order + "II", data, values + 8 * i)
        yield data[b:b + a].decode("utf-8", "replace"), data[d:d + c].decode("utf-8", "replace")


def fluent(text):
    """Returns the messages of a Fluent file by name."""
    out, name = {}, None
    for line in text.splitlines():
        m = re.match(r"([a-zA-Z-][\w-]*) *= *(.*)", line)
        if m:
            name = m[1]
            out[name] = m[2]
        elif name and re.match(r"\s+\S", line):
            line = line.strip()
            m = re.match(r"\.([\w-]+) *= *(.*)", line)
            if m:
                name = name.split(".")[0] + "." + m[1]
                out[name] = m[2]
            elif line not in "{}":
                out[name] += " " + re.sub(r"^\*?\[\w+\]", "", line)
        elif line.strip() == "" or line.startswith("#"):
            continue
    return out


def deb(file):
    """Yields the names and bytes of the files of a Debian package."""
    tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(file)], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(tar)) as t:
        for m in t:
            if m.isfile():
                yield m.name, t.extractfile(m).read()


def libreoffice(o, packages):
    o.about["libreoffice"] = "7.4.7", "MPL-2.0", "train"
    for file in sorted(packages.glob("libreoffice-l10n-*.deb")):
        for name, data in deb(file):
            m = re.search(r"/resource/([^/]+)/LC_MESSAGES/.*\.mo$", name)
            if not m:
                continue
            code = m[1].lower().replace("_", "-")
            tag = {"pt": "pt-PT"}.get(code, NAMES.get(code))
            for key, value in mo(data) if tag else ():
                key = key.split("\x04")[-1].split("\0")[0]
                for v in value.split("\0"):
                    if key and (v != key or tag.startswith("en")):
                        o.add("libreoffice", tag, v)


def mozilla(o, packages, product):
    o.about[product] = "153.8.0", "MPL-2.0", "train"
    for file in sorted(packages.glob(product + "*-l10n-*.deb")):
        code = re.search(r"-l10n-([a-z-]+)_", file.name)[1]
        tag = NAMES.get(code)
        for name, data in deb(file) if tag else ():
            if not name.endswith(".xpi"):
                continue
            with zipfile.ZipFile(io.BytesIO(data)) as z:
                for n in z.namelist():
                    if not n.endswith((".ftl", ".properties")) or product == "thunderbird" and "/mail" not in n and "messenger" not in n and "calendar" not in n and "chat" not in n:
                        continue
                    text = z.read(n).decode("utf-8", "replace")
                    if n.endswith(".ftl"):
                        for v in fluent(text).values():
                            o.add(product, tag, v)
                    else:
                        for line in text.splitlines():
                            if "=" in line and not line.startswith("#"):
                                o.add(product, tag, line.split("=", 1)[1].replace("\\n", " "))


def www(o, repos):
    g = Git(repos, "mozilla-l10n/www-l10n")
    o.about["www"] = g.commit, "MPL-2.0", "train"
    english = {}
    for path, text in g.files(r"^en/.*\.ftl$"):
        english.update(fluent(text))
    # "en" is American.
    for path, text in g.files(r"^[^/]+/.*\.ftl$"):
        code = path.split("/")[0].lower()
        tag = "en-US" if code == "en" else NAMES.get(code)
        for k, v in fluent(text).items() if tag else ():
            if v != english.get(k) or tag.startswith("en"):
                o.add("www", tag, v)


def mediawiki(o, repos, source, licence, use, names):
    commits = []
    for name in names:
        g = Git(repos, name)
        commits.append(g.commit)
        for path, text in g.files(r"(^|/)i18n/(.*/)?[a-z-]+\.json$"):
            code = path.rsplit("/", 1)[1][:-5]
            tag = {"pt": "pt-PT"}.get(code, NAMES.get(code))
            if not tag or code in ("en", "my", "no", "zh-cn", "zh-tw"):
                continue
            try:
                messages = json.loads(text)
            except ValueError:
                continue
            for k, v in messages.items():
                if isinstance(v, str):
                    o.add(source, tag, v)
    o.about[source] = "+".join(commits), licence, use


def strings(v):
    if isinstance(v, str):
        yield v
    elif isinstance(v, dict):
        for x in v.values():
            yield from strings(x)
    elif isinstance(v, list):
        for x in v:
            yield from strings(x)


def editor(o, repos):
    g = Git(repos, "openstreetmap/iD")
    o.about["editor"] = g.commit, "ISC", "train"
    for path, text in g.files(r"^dist/locales/[\w-]+\.min\.json$"):
        code = path.rsplit("/", 1)[1].split(".")[0].lower()
        tag = {"pt": "pt-PT"}.get(code, NAMES.get(code))
        for s in strings(json.loads(text)) if tag else ():
            o.add("editor", tag, s)


def encyclopedia(o, repos):
    g = Git(repos, "wikimedia/apps-android-wikipedia")
    o.about["encyclopedia-app"] = g.commit, "Apache-2.0", "train"
    for path, text in g.files(r"^app/src/main/res/values-[^/]+/strings\.xml$"):
        code = path.split("values-")[1].split("/")[0].lower()
        tag = {"pt": "pt-PT"}.get(code, NAMES.get(code))
        for s in re.findall(r">([^<>]{8,})</(?:string|item)>", text) if tag else ():
            o.add("encyclopedia-app", tag, s.replace("\\'", "'").replace('\\"', '"'))


def lingua(o, repos):
    g = Git(repos, "pemistahl/lingua-rs")
    o.about["lingua"] = g.commit, "Apache-2.0", "train"
    for path, text in g.files(r"^language-models/[a-z]+/testdata/sentences\.txt$"):
        tag = NAMES.get(path.split("/")[1])
        tag = {"zh": "", "pt": "pt", "en": "en"}.get(path.split("/")[1], tag)
        for line in text.splitlines() if tag else ():
            o.add("lingua", tag, line, False)


def dslcc(o, repos):
    g = Git(repos, "Simdiva/DSL-Task")
    o.about["dslcc"] = g.commit, "CC0-1.0", "train"
    for path, text in g.files(r"^data/DSLCC-v2.0/gold/test-gold.txt$"):
        for line in text.splitlines():
            s, _, code = line.rpartition("\t")
            tag = NAMES.get(code.strip().lower())
            if tag:
                o.add("dslcc", {"sr": "sr-Latn"}.get(tag, tag), s, False)


def dsltl(o, repos):
    g = Git(repos, "yvesscherrer/DSL-ML-2024")
    o.about["dsl-tl"] = g.commit, "none", "measure"
    for path, text in g.files(r"^(PT|EN|ES)/.._(train|dev)\.tsv$"):
        for line in text.splitlines():
            code, _, s = line.partition("\t")
            tag = NAMES.get(code.strip().lower())
            if tag and tag != "es":
                o.add("dsl-tl", tag, s, False)


def conllu(text):
    for s in re.split(r"\n\n+", text):
        m = re.search(r"^# text = (.*)$", s, re.M)
        i = re.search(r"^# sent_id = (.*)$", s, re.M)
        if m:
            yield i[1] if i else "", m[1]
        else:
            tokens = [l.split("\t")[1] for l in s.splitlines() if re.match(r"\d+\t", l)]
            if tokens:
                yield "", re.sub(r" ([.,:;!?»)])", r"\1", " ".join(tokens)).replace("« ", "«").replace("( ", "(")


def treebanks(o, repos):
    g = Git(repos, "ltgoslo/norne")
    o.about["treebank"] = g.commit, "CC0-1.0 and CC-BY-SA-4.0", "train"
    for path, text in g.files(r"^ndt/(nob|nno)/.*\.conll$"):
        for _, s in conllu(text):
            o.add("treebank", "nb" if "/nob/" in path else "nn", s, False)
    for name, tag in {"UD_Danish-DDT": "da", "UD_Swedish-Talbanken": "sv", "UD_Portuguese-Bosque": "pt", "UD_Galician-CTG": "gl", "UD_Catalan-AnCora": "ca",
                      "UD_Spanish-GSD": "es", "UD_Croatian-SET": "hr", "UD_Serbian-SET": "sr-Latn"}.items():
        try:
            u = Git(repos, "UniversalDependencies/" + name)
        except (subprocess.CalledProcessError, OSError):
            continue
        for _, text in u.files(r"-dev\.conllu$"):
            for i, s in conllu(text):
                t = tag
                if tag == "pt":  # newspapers of Portugal and of Brazil
                    t = {"CP": "pt-PT", "CF": "pt-BR"}.get(i[:2])
                if t:
                    o.add("treebank", t, s, False)


def shared(o, file):
    """Adds the sources of text/ml in which most groups have several members."""
    tar = subprocess.run(["zstd", "-dc", str(file)], capture_output=True, check=True).stdout
    for source, name, licence in ("commonvoice", "ml-commonvoice", "CC0-1.0"), ("guides", "ml-opensource-guide", "CC-BY-4.0"):
        o.about[source] = "text/ml", licence, "train"
        with tarfile.open(fileobj=io.BytesIO(tar)) as t:
            for m in t:
                got = re.search(name + r"/txt/([^/.]+)", m.name)
                code = got and got[1].lower()
                tag = {"zh-hk": "yue", "pt": None if source == "commonvoice" else "pt", "nn-no": "nn"}.get(code, NAMES.get(code))
                if not m.isfile() or not tag:
                    continue
                for line in t.extractfile(m).read().decode("utf-8", "replace").splitlines():
                    o.add(source, tag, line, False)


def udhr(o, repos):
    g = Git(repos, "unicode-org/udhr")
    o.about["udhr"] = g.commit, "public domain", "train"
    for path, text in g.files(r"udhr_[\w-]+\.(xml|txt)$"):
        code = re.search(r"udhr_([\w-]+)\.", path)[1].lower()
        tag = NAMES.get(code)
        if not tag:
            continue
        paras = re.findall(r"<para>([^<]*)</para>", text) if path.endswith(".xml") else text.splitlines()[6:]
        for p in paras:
            o.add("udhr", tag, p, False)


def subtitles(o, repos):
    """Adds lines of words drawn from lists of frequencies."""
    g = Git(repos, "hermitdave/FrequencyWords")
    o.about["subtitles"] = g.commit, "CC-BY-SA-4.0", "train"
    for path, text in g.files(r"^content/2018/\w+/\w+_(50k|full)\.txt$"):
        code = path.split("/")[2]
        tag = {"pt": "pt-PT", "no": "nb", "sr": "sr-Latn"}.get(code, NAMES.get(code.replace("_", "-")))
        if not tag or tag == "nb" or tag[:2] == "zh" or path.endswith("_full.txt") and code not in ("hi", "ur"):
            continue
        pairs = [l.split() for l in text.splitlines()]
        pairs = [(w, int(n)) for w, n in (p for p in pairs if len(p) == 2)]
        rng = random.Random(tag)
        drawn = rng.choices([w for w, _ in pairs], [n ** 0.8 for _, n in pairs], k=60000)
        for i in range(0, len(drawn), 10):
            o.add("subtitles", tag, " ".join(drawn[i:i + 10]), False)


def serbian(o):
    """Adds the text of Serbian sources in the other script, as Latin."""
    table = {**LATIN, **{k.upper(): v.capitalize() for k, v in LATIN.items()}}
    for (source, tag), lines in list(o.sets.items()):
        if tag == "sr":
            for line in lines:
                if re.search(r"[а-шА-Ш]", line):
                    o.sets[source, "sr-Latn"]["".join(table.get(c, c) for c in line)] = None


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in "repos", "packages", "text", "out":
        a.add_argument("--" + name, type=pathlib.Path, required=True)
    a = a.parse_args()
    o = Out(a.out)
    libreoffice(o, a.packages)
    mozilla(o, a.packages, "firefox")
    mozilla(o, a.packages, "thunderbird")
    www(o, a.repos)
    mw = "wikimedia/mediawiki-extensions-"
    mediawiki(o, a.repos, "wiki-mit", "MIT", "train", ["wikimedia/VisualEditor"] + [mw + n for n in ("VisualEditor", "Echo", "DiscussionTools", "PageTriage", "Kartographer")])
    mediawiki(o, a.repos, "wiki-gpl", "GPL-2.0", "measure", [mw + n for n in ("ContentTranslation", "UploadWizard", "AbuseFilter", "Translate", "CentralAuth")])
    editor(o, a.repos)
    encyclopedia(o, a.repos)
    lingua(o, a.repos)
    dslcc(o, a.repos)
    dsltl(o, a.repos)
    treebanks(o, a.repos)
    udhr(o, a.repos)
    subtitles(o, a.repos)
    shared(o, a.text)
    serbian(o)
    o.write()


if __name__ == "__main__":
    main()
