#!/usr/bin/env python3
"""Writes testdata/reference.tsv: sentences of ours in every encoding that can hold them, by the codecs of Python and by iconv.

    python3 text/charset/reference.py text/charset/testdata/reference.tsv
"""
import subprocess, sys

TEXTS = ["Été à Évian: où, ça, naïve, cœur – l’œuvre coûte 5 €.", "Über Größe, schöne Füße: 20 °C, § 5.", "Příliš žluťoučký kůň úpěl ďábelské ódy.",
         "Zażółć gęślą jaźń.", "Съешь же ещё этих мягких булок.", "Ґанок, їжак, європа.", "Қазақ тілі ғой, әрине өмір.", "Η γρήγορη καφέ αλεπού πηδά.",
         "Pijamalı hasta yağız şoföre çabucak güvendi.", "זה טקסט קצר בעברית.", "هذا نص قصير بالعربية.", "ภาษาไทยเขียนต่อกัน", "Tiếng Việt có dấu.",
         "日本語のテキスト、カタカナ。", "한국어 문장과 낱말 뷁.", "简体中文的文章。", "繁體中文的文章。", "Ĉiuj homoj ŝatas ĝin.", "Þetta er íslenska, ðá æfa.", "un café, dû à naïf", "Dŵr a tŷ, ŵyneb", "¡ñandú! àéê ç"]
CODECS = """cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859_2 iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_10
iso8859_13 iso8859_14 iso8859_15 iso8859_16 koi8_r koi8_u cp866 cp874 mac_roman mac_cyrillic mac_latin2 mac_greek mac_turkish mac_iceland mac_croatian
mac_romanian cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp865 cp869 kz1048 shift_jis cp932 euc_jp iso2022_jp gb2312
gbk gb18030 hz big5 cp950 euc_kr cp949 johab iso2022_kr cp037 cp273 cp424 cp500 cp875 cp1026 cp1140 utf-16-le utf-16-be utf-32-le utf-32-be""".split()
with open(sys.argv[1], "w") as out:
    for text in TEXTS:
        for codec in CODECS:
            if "語" in text and codec in ("big5", "cp950") or "뷁" in text and codec == "euc_kr":
                continue  # kana, which have other places in the Encoding standard; a syllable in four pairs
            try:
                raw = text.encode(codec)
            except UnicodeError:
                continue
            out.write(f"{codec}\t{raw.hex()}\t{text}\n")
        for codec in ("VISCII", "EUC-TW"):
            p = subprocess.run(["iconv", "-f", "UTF-8", "-t", codec], input=text.encode(), capture_output=True)
            if p.returncode == 0:
                out.write(f"{codec.lower()}\t{p.stdout.hex()}\t{text}\n")
