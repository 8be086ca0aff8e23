"""Compares the profile fineweb2 with datatrove's filters under the limits of FineWeb-2.

    fineweb2.py --program CHAFFINCH --configs FOLDER [--limit N] FILE.jsonl...

FOLDER is the folder configs of github.com/huggingface/fineweb-2. A line of a file has the fields id,
lang and text. Both decide on the same documents: first with the tokens of chaffinch tokenize, then
datatrove with its own tokenizers, whose packages are in requirements.txt.
"""

import argparse
import collections
import json
import os
import subprocess
import tempfile

import yaml
from datatrove.pipeline.filters import FineWebQualityFilter, GopherQualityFilter, GopherRepetitionFilter

import compare

CONFIGS = {
    "ar": "arb_Arab", "cs": "ces_Latn", "de": "deu_Latn", "el": "ell_Grek", "es": "spa_Latn", "fi": "fin_Latn", "fr": "fra_Latn", "ja": "jpn_Jpan",
    "pl": "pol_Latn", "ru": "rus_Cyrl", "th": "tha_Thai", "zh-Hans": "cmn_Hani", "zh-Hant": "cmn_Hani",
}


def filters(c, lang):
    """Returns the filters of fineweb-2-pipeline.py for a configuration."""
    return [
        GopherRepetitionFilter(language=lang, dup_para_frac=0, dup_line_char_frac=0, dup_para_char_frac=0, dup_line_frac=c["dup_line_frac"], top_n_grams=c["top_n_grams"], dup_n_grams=c["dup_n_grams"]),
        FineWebQualityFilter(language=lang, short_line_thr=999, char_duplicates_ratio=0.1, line_punct_thr=c["line_punct_thr"], new_line_ratio=c["new_line_ratio"]),
        GopherQualityFilter(language=lang, max_avg_word_length=c["max_avg_word_length"], min_avg_word_length=c["min_avg_word_length"], stop_words=c["stopwords"], max_non_alpha_words_ratio=c["max_non_alpha_words_ratio"], min_stop_words=2),
    ]


def decide(filters, text):
    """Returns the rule that drops a text, "" if all filters keep it."""
    for f in filters:
        stays, why, _ = compare.decide(f, text)
        if not stays:
            return compare.REASONS.get(why, why)
    return ""


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--program", required=True)
    args.add_argument("--configs", required=True)
    args.add_argument("--limit", type=int, default=200, help="documents of a language")
    args.add_argument("files", nargs="+")
    args = args.parse_args()
    docs, number = [], collections.Counter()
    for path in args.files:
        for d in map(json.loads, open(path, encoding="utf-8")):
            lang = d.get("lang")
            if lang in CONFIGS and number[lang] < args.limit:
                number[lang] += 1
                docs.append({"id": f"{len(docs)}", "lang": lang, "text": d["text"]})
    with tempfile.TemporaryDirectory() as folder:
        corpus, out = os.path.join(folder, "corpus.jsonl"), os.path.join(folder, "out.jsonl")
        with open(corpus, "w", encoding="utf-8") as f:
            f.writelines(json.dumps(d, ensure_ascii=False) + "\n" for d in docs)
        subprocess.run([args.program, "filter", corpus, "-q", "-r", "fineweb2", "--annotate", "-o", out], check=True)
        ours = {d["id"]: d["filter"].get("rule", "") for d in map(json.loads, open(out, encoding="utf-8"))}
    configs = {lang: yaml.safe_load(open(os.path.join(args.configs, name + ".yml"), encoding="utf-8")) for lang, name in CONFIGS.items() if number[lang]}
    compare.learn(args.program, [(d["lang"], d["text"]) for d in docs], [])
    same = {d["id"]: decide(filters(configs[d["lang"]], d["lang"]), d["text"]) for d in docs}
    compare.use(compare.OWN_WORDS, compare.OWN_SENTENCES)
    theirs = {d["id"]: decide(filters(configs[d["lang"]], CONFIGS[d["lang"]]), d["text"]) for d in docs}
    print(f"{'language':10} {'documents':>9} {'kept':>6} {'same tokens':>12} {'kept: own tokens':>17} {'same decision':>14}")
    for lang in sorted(number):
        ids = [d["id"] for d in docs if d["lang"] == lang]
        kept = [sum(not which[i] for i in ids) for which in (ours, theirs)]
        rules = sum(ours[i] == same[i] or same[i] == "empty" for i in ids)
        print(f"{lang:10} {len(ids):9} {kept[0]:6} {rules:12} {kept[1]:17} {sum((ours[i] == '') == (theirs[i] == '') for i in ids):14}")
        for (a, b), n in collections.Counter((ours[i], theirs[i]) for i in ids if (ours[i] == "") != (theirs[i] == "")).most_common(3):
            print(f"{'':10} {n} ours {a or 'keep'}, theirs {b or 'keep'}")


if __name__ == "__main__":
    main()
