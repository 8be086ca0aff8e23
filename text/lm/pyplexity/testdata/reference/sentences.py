#!/usr/bin/env python3
"""Writes sentences.txt: the sentences of text.txt, and odd ones put together
from their words and from every character that PyPlexity's tokeniser treats
in its own way. One JSON string a line, always the same ones."""
import json, random

rng = random.Random(1)
text = open("text.txt", encoding="utf-8").read().split("\n")[:-1]
words = sorted({w for line in text for w in line.split()})
odd = [".", ". ", "..", "... ", ".,", ". ,", ".;", " .", ".\n", ".\n\n", ",", ";", ":", "(", ")", '"', '""', ' " ', "<", ">", "=",
       "'", "`", "?", "¿", "!", "¡", " ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000", "\x1c", "\x1f", "\x85", "\x00",
       "_", "-", "–", "—", "“", "”", "’", "…", "#", "# ", "@", "é", "É", "Ñ", "ñ", "Ü", "ß", "İ", "ÁÉÍÓÚÇÃÕÂÊÔÀÈ", "ÄÖÅØ", "½", "²", "Ⅷ",
       "٣", "१", "ा", "e\u0301", "\u0301", "日本", "😀", "\u200b", "\ufeff", ". é", ". 12", ". _x", ". \u0301a", ". 日本. 語 a", ". a. b. c"]
out = list(text) + ["", " ", ".", "\n", ".\n", "...", "#", "a", "The", '"', "\u00a0", "A" * 500, "the " * 300]
for i in range(2200):
    n = rng.randrange(1, 14)
    parts = [rng.choice(odd) if rng.random() < (0.1, 0.35, 0.7)[i % 3] else rng.choice(words) + rng.choice(["", " "]) for _ in range(n)]
    out.append("".join(parts))
with open("sentences.txt", "w", encoding="utf-8") as f:
    for s in out:
        f.write(json.dumps(s, ensure_ascii=False) + "\n")
