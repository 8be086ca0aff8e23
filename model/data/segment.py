"""Writes the training text of the segmenters for Khmer, Burmese, Lao and Tibetan.

    segment.py km FILES      lines of messages and help pages with zero-width spaces, as words
    segment.py my|lo WORDS FILES  lines segmented by a dictionary
    segment.py bo CLONE VOLUMES   words of the annotations of classical-tibetan-corpus
    segment.py words              the Tibetan words of lists of botok-data, from standard input

model/data/make-segment.sh calls it. One sentence per line, a space between words."""

import collections
import glob
import html
import math
import re
import struct
import subprocess
import sys
import zipfile

RANGES = {"km": "\u1780-\u17ff", "my": "\u1000-\u109f", "lo": "\u0e80-\u0eff"}

# Places where a word may begin: before a syllable.
SYLLABLE = {
    "my": re.compile("(?<!\u1039)[\u1000-\u102a\u103f\u104c-\u104f](?![\u103a\u1039])|[\u1040-\u1049]+|[\u104a\u104b]"),
    "lo": re.compile("[\u0ec0-\u0ec4]|(?<![\u0ec0-\u0ec4])[\u0e81-\u0eae\u0edc-\u0edf](?!\u0ecc)|[\u0ed0-\u0ed9]+|[\u0eaf\u0ec6]"),
}
LONGEST = 12  # syllables of a word
PASSES = 5


def messages(path):
    """Yields the translations of a .mo file, a language pack of Firefox or an HTML page, or lines."""
    if path.endswith(".mo"):
        b = open(path, "rb").read()
        n, _, table = struct.unpack("<8xIII", b[:20])
        for i in range(n):
            size, at = struct.unpack("<II", b[table + 8 * i : table + 8 * i + 8])
            yield from b[at : at + size].decode("utf-8", "replace").split("\0")
    elif path.endswith(".xpi"):
        with zipfile.ZipFile(path) as z:
            for name in z.namelist():
                if re.search(r"\.(ftl|properties|dtd|json)$", name):
                    for line in z.read(name).decode("utf-8", "replace").split("\n"):
                        yield re.sub(r"^[^=]*=\s*", "", line)
    elif path.endswith(".html"):
        yield from re.split("<[^>]*>", open(path, encoding="utf-8", errors="replace").read())
    else:
        yield from open(path, encoding="utf-8")


def lines(lang, files):
    """Yields the different lines that are mostly in the script of lang."""
    letter, seen = re.compile("[%s]" % RANGES[lang]), set()
    for path in files:
        for text in messages(path):
            text = re.sub(r"<[^>]*>|\{[^}]*\}|%\S|[~&_]|\$\S+", "", html.unescape(text))
            for line in text.split("\n"):
                line = " ".join(line.split())
                n = len(letter.findall(line))
                if n >= 8 and n > 0.6 * len(line.replace(" ", "")) and line not in seen:
                    seen.add(line)
                    yield line


def khmer(files):
    for line in lines("km", files):
        words = [w for w in re.split("[\u200b ]+", line.strip()) if w]
        if line.count("\u200b") >= max(3, len(words) / 3):
            print(" ".join(words))


def by_dictionary(lang, dictionary, files):
    """Prints the most probable segmentation of each line. The frequencies of words are estimated
    by expectation maximisation on the best segmentations."""
    words = set()
    for line in open(dictionary, encoding="utf-8"):
        w = line.strip()
        if len(w) <= 24 and re.fullmatch("[%s]+" % RANGES[lang], w):
            words.add(w)
    run = re.compile("[%s]+" % RANGES[lang])
    texts = [line.replace("\u200b", "") for line in lines(lang, files)]
    runs = collections.Counter(r for t in texts for r in run.findall(t))
    cost, unknown = dict.fromkeys(words, 10.0), 14.0

    def segment(s):
        starts = sorted({0, len(s)} | {m.start() for m in SYLLABLE[lang].finditer(s)})
        best = [(0.0, 0)] + [None] * (len(starts) - 1)
        for j in range(1, len(starts)):
            for i in range(max(0, j - LONGEST), j):
                c = cost.get(s[starts[i] : starts[j]], unknown if j == i + 1 else None)
                if c is not None and best[i] is not None and (best[j] is None or best[i][0] + c < best[j][0]):
                    best[j] = (best[i][0] + c, i)
        out, j = [], len(starts) - 1
        while j > 0:
            out.append(s[starts[best[j][1]] : starts[j]])
            j = best[j][1]
        return out[::-1]

    for _ in range(PASSES):
        counts = collections.Counter()
        for r, n in runs.items():
            for w in segment(r):
                counts[w] += min(n, 50)
        total = sum(counts.values()) + 0.3 * len(words)
        cost = {w: -math.log((counts[w] + 0.3) / total) for w in words}
        unknown = max(cost.values()) + 3
    for t in texts:
        out = []
        for part in re.findall("[%s]+|[^\\s%s]+" % (RANGES[lang], RANGES[lang]), t):
            out += segment(part) if run.match(part) else [part]
        if len(out) > 1:
            print(" ".join(out))


def tibetan(clone, volumes):
    def git(*args):
        return subprocess.run(["git", "-C", clone, *args], capture_output=True, check=True, text=True).stdout

    for name in git("ls-tree", "-r", "--name-only", "HEAD", "brat").split():
        parts = name.split("/")
        if len(parts) != 3 or parts[1] not in volumes or not name.endswith(".txt"):
            continue
        text, notes = git("show", "HEAD:" + name), git("show", "HEAD:" + name[:-4] + ".ann")
        sentence, at = [], 0
        for a, b in sorted((int(a), int(b)) for a, b in re.findall(r"^T\d+\t\S+ (\d+) (\d+)\t", notes, re.M)):
            if a < at:
                continue
            sentence += text[at:a].split() + [text[a:b].replace(" ", "")]
            at = b
            if "\u0f0d" in text[a:b] and len(sentence) >= 12:
                print(" ".join(sentence))
                sentence = []
        if sentence:
            print(" ".join(sentence))


def tibetan_words():
    for line in sys.stdin:
        word = line.split("\t")[0].strip("\ufeff\u0f0b\n")
        if len(word) < 16 and re.fullmatch("[\u0f40-\u0fbc\u0f0b]+", word):
            print(word + "\u0f0b")


def main():
    lang, rest = sys.argv[1], sys.argv[2:]
    if lang == "words":
        tibetan_words()
        return
    if lang == "bo":
        tibetan(rest[0], rest[1:])
        return
    files = [f for pattern in rest for f in sorted(glob.glob(pattern, recursive=True))]
    if lang == "km":
        khmer(files)
    else:
        by_dictionary(lang, files[0], files[1:])


main()
