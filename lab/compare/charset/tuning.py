#!/usr/bin/env python3
"""Makes files in known encodings from running text, to tune the detector with: never from the text of the test sets.

    tuning.py --text DIR --out DIR [--files N] [--seed N]

DIR is the unpacked text/ml of the data. The lines are those that chaffinch train charset holds out: every tenth of a file,
from the first. Each text is wrapped in nothing, HTML or RSS, of about 100, 300, 1000 or 8000 bytes, and encoded in an
encoding of its language. OUT gets <lang>/<encoding>/<n>.txt and index.tsv, as chaffinch eval charset reads them.
"""
import argparse, collections, pathlib, random, unicodedata

LATIN1 = ["windows-1252", "iso8859_15", "mac_roman", "cp850", "cp437"]
LATIN2 = ["cp1250", "iso8859_2", "cp852", "mac_latin2"]
CYRILLIC = ["cp1251", "koi8_r", "iso8859_5", "cp866", "mac_cyrillic", "cp855"]
ENCODINGS = {
    **{l: LATIN1 for l in "en de fr es it pt nl sv da fi nb ca gl eu is ga".split()},
    **{l: LATIN2 for l in "cs sk pl hu sl hr sr-Latn".split()},
    **{l: CYRILLIC for l in "ru bg sr mk be".split()},
    "uk": ["cp1251", "koi8_u", "iso8859_5", "mac_cyrillic"], "ro": ["cp1250", "iso8859_2", "iso8859_16", "cp852"],
    "et": ["cp1257", "iso8859_13", "iso8859_4", "iso8859_15"], "lv": ["cp1257", "iso8859_13", "iso8859_4"], "lt": ["cp1257", "iso8859_13", "iso8859_4"],
    "mt": ["iso8859_3"], "eo": ["iso8859_3"], "tr": ["cp1254", "cp857", "iso8859_9"], "el": ["cp1253", "iso8859_7", "cp737", "mac_greek"],
    "he": ["cp1255", "iso8859_8", "cp862"], "ar": ["cp1256", "iso8859_6", "cp720"], "fa": ["cp1256"], "th": ["tis_620"], "vi": ["cp1258"],
    "kk": ["kz1048"], "ja": ["shift_jis", "euc_jp", "iso2022_jp"], "ko": ["cp949", "johab", "iso2022_kr"], "zh-Hans": ["gb18030", "hz"], "zh-Hant": ["big5"],
    "cy": ["iso8859_14"], "sq": LATIN1,
}
NAMES = {"nb-NO": "nb", "sv-SE": "sv", "ga-IE": "ga", "zh-CN": "zh-Hans", "zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh_CN": "zh-Hans", "sr@latin": "sr-Latn",
         "zh-hans": "zh-Hans", "zh-hant": "zh-Hant", "pt_BR": "pt", "heb": "he", "als": "sq", "lit": "lt", "tha": "th"}
WRAP = [
    lambda t: "\n".join(t) + "\n",
    lambda t: "<html><head><title>%s</title><script>var a='x';function f(){return a}</script><style>body{margin:0}</style></head><body class=\"main\">\n<div id=nav><a href=\"/index.html\">Home</a> | <a href=\"/a.html\">News</a></div>\n%s\n<div class=footer>&copy; 2005 Example Inc. All rights reserved.</div></body></html>\n"
    % (t[0][:60], "\n".join("<p class=\"text\">%s <a href=\"http://www.example.com/%d\">%s</a></p>" % (s, i, s.split(" ")[0]) for i, s in enumerate(t))),
    lambda t: "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>%s</title><link>http://www.example.com/feed</link><language>xx</language>\n%s</channel></rss>\n"
    % (t[0][:60], "".join("<item><title>%s</title><link>http://www.example.com/2005/%d.html</link><description>&lt;p&gt;%s&lt;/p&gt;</description><pubDate>Mon, 05 Dec 2005 10:00:00 GMT</pubDate></item>\n" % (s[:50], i, s) for i, s in enumerate(t))),
]


def flat(s):
    return s.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x201E: '"', 0x2013: "-", 0x2014: "-", 0x2026: "..."})


def tones(s):
    out = []
    for c in s:
        d = unicodedata.normalize("NFD", c)
        tone = [m for m in d[1:] if m in "\u0300\u0301\u0303\u0309\u0323"]
        out.append(unicodedata.normalize("NFC", "".join(m for m in d if m not in tone)) + "".join(tone) if tone else c)
    return "".join(out)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--text", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--files", type=int, default=24)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    rng = random.Random(a.seed)
    lines = collections.defaultdict(list)
    for f in sorted(pathlib.Path(a.text).rglob("*.txt")):
        parts = f.parts
        name = parts[parts.index("txt") + 1] if "txt" in parts else f.stem
        name = name.removesuffix(".txt")
        lang = NAMES.get(name, name)
        if lang in ENCODINGS:
            lines[lang] += [l.strip() for i, l in enumerate(f.read_text("utf-8", "ignore").split("\n")) if i % 10 == 0 and l.strip()]
    out = pathlib.Path(a.out)
    rows = []
    for lang in sorted(ENCODINGS):
        for enc in ENCODINGS[lang]:
            done = 0
            for n in range(a.files * 6):
                if done == a.files or not lines[lang]:
                    break
                size = (100, 300, 1000, 8000)[n % 4]
                text, have = [], 0
                while have < size:
                    text.append(rng.choice(lines[lang]))
                    have += len(text[-1].encode())
                text[-1] = text[-1][: max(20, size - have + len(text[-1]))]
                if rng.random() < 0.2 and "'" in "".join(text):
                    text = [s.replace("'", "’") for s in text]
                if rng.random() < 0.2:
                    text = ["“" + s + "”" if rng.random() < 0.3 else s.replace(" - ", " – ") for s in text]
                s = WRAP[n // 4 % 3](text)
                if lang == "vi":
                    s = tones(s)
                if lang == "fa":
                    s = s.replace("ی", "ي").replace("ک", "ك")
                if lang == "ro" and enc != "iso8859_16":
                    s = s.translate(str.maketrans("șțȘȚ", "şţŞŢ"))
                if lang == "ro" and enc == "iso8859_16":
                    s = s.translate(str.maketrans("şţŞŢ", "șțȘȚ"))
                codec = "cp1252" if enc == "windows-1252" else enc
                raw = None
                for t in (s, flat(s)):
                    try:
                        raw = t.encode(codec)
                        break
                    except UnicodeError:
                        pass
                if raw is None:
                    raw = flat(s).encode(codec, "ignore")
                if enc not in ("hz", "iso2022_kr", "iso2022_jp") and max(raw) < 128:
                    continue
                path = f"{lang}/{enc}/{n:03d}.txt"
                (out / path).parent.mkdir(parents=True, exist_ok=True)
                (out / path).write_bytes(raw)
                rows.append((path, enc, lang, ("text", "html", "rss")[n // 4 % 3] + str(size)))
                done += 1
    (out / "index.tsv").write_text("path\ttrue_encoding\tlang\tform\n" + "".join("\t".join(r) + "\n" for r in rows))
    print(len(rows), "files")


main()
