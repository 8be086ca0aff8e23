"""Scores another tagger on the gold tokens of a treebank and prints a row of a table.

    others.py spacy PIPELINE DEV.conllu
    others.py hanta MODEL DEV.conllu
    others.py simplemma LANG DEV.conllu
    others.py opennlp MODEL DEV.conllu      CLASSPATH holds opennlp-tools and slf4j-api

The row has UPOS, universal features, lemmas (%), words per second of processor time, and peak
memory. Loading is not in the time, except for OpenNLP, whose time includes the start of Java.
"""

import os
import resource
import subprocess
import sys
import time


UNIVERSAL = set(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm"
    " Mood Tense Aspect Voice Evident Polarity Person Polite".split()
)

# Parts of speech of STTS, the tags of HanTa, by their longest known beginning.
STTS = {
    "NN": "NOUN", "NE": "PROPN", "ADJ": "ADJ", "CARD": "NUM", "VV": "VERB", "VA": "AUX", "VM": "AUX", "ART": "DET",
    "PDAT": "DET", "PIAT": "DET", "PIDAT": "DET", "PPOSAT": "DET", "PWAT": "DET", "PRELAT": "DET",
    "PDS": "PRON", "PIS": "PRON", "PPER": "PRON", "PPOSS": "PRON", "PRELS": "PRON", "PRF": "PRON", "PWS": "PRON",
    "AP": "ADP", "ADV": "ADV", "PWAV": "ADV", "PAV": "ADV", "PROAV": "ADV", "PTKVZ": "ADP", "PTK": "PART",
    "PTKANT": "INTJ", "PTKA": "ADV", "KON": "CCONJ", "KOUS": "SCONJ", "KOUI": "SCONJ", "KOKOM": "ADP",
    "ITJ": "INTJ", "TRUNC": "NOUN", "$": "PUNCT", "--": "PUNCT",
}  # fmt: skip


def upos(tag):
    """Returns the universal part of speech of a tag of STTS."""
    return next((STTS[tag[:n]] for n in range(len(tag), 0, -1) if tag[:n] in STTS), "X")


def features(column):
    """Returns the universal features."""
    return sorted(f for f in column.split("|") if f.split("=")[0] in UNIVERSAL)


def sentences(path):
    """Yields the words of sentences as columns."""
    words = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            columns = line.rstrip("\n").split("\t")
            if columns[0].isdigit():
                words.append(columns)
            elif line == "\n" and words:
                yield words
                words = []


def tag_spacy(name, texts):
    """Tags by a pipeline, without its parser."""
    import spacy

    nlp = spacy.load(name, exclude=["parser", "ner", "senter"])
    docs = [spacy.tokens.Doc(nlp.vocab, words=t) for t in texts]
    start = time.process_time()
    found = [[(w.pos_, str(w.morph), w.lemma_) for w in doc] for doc in nlp.pipe(docs)]
    return found, time.process_time() - start


def tag_hanta(name, texts):
    """Tags by the Hanover Tagger."""
    from HanTa import HanoverTagger

    tagger = HanoverTagger.HanoverTagger(name)
    start = time.process_time()
    found = [[(upos(tag), None, lemma) for _, lemma, tag in tagger.tag_sent(t)] for t in texts]
    return found, time.process_time() - start


def tag_simplemma(lang, texts):
    """Returns lemmas only."""
    import simplemma

    simplemma.lemmatize("a", lang)
    start = time.process_time()
    found = [[(None, None, simplemma.lemmatize(w, lang)) for w in t] for t in texts]
    return found, time.process_time() - start


def tag_opennlp(model, texts):
    """Tags by a model of OpenNLP. Blanks in words become underscores."""
    here = os.path.dirname(os.path.abspath(__file__))
    lines = "".join(" ".join(w.replace(" ", "_") for w in t) + "\n" for t in texts)
    done = subprocess.run(
        ["java", os.path.join(here, "../../../model/data/taggers/Pos.java"), model],
        input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    lists = done.stdout.decode().rstrip("\n").split("\n\n")
    found = [[(line.split("\t")[1], None, None) for line in one.split("\n")] for one in lists]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found, used.ru_utime + used.ru_stime


def main():
    tool, model, dev = sys.argv[1:4]
    gold = list(sentences(dev))
    found, spent = globals()["tag_" + tool](model, [[w[1] for w in s] for s in gold])
    n, right, has = 0, [0] * 3, [False] * 3
    for g, f in zip(gold, found, strict=True):
        for w, tags in zip(g, f, strict=True):
            n += 1
            want = (w[3], features(w[5]), w[2])
            for i, x in enumerate(tags):
                if x is None:
                    continue
                has[i] = has[i] or x != ""
                right[i] += want[i] == (features(x) if i == 1 else x) or i == 2 and w[2] == "_"
    cells = [f"{100 * r / n:.2f}" if h else "-" for r, h in zip(right, has, strict=True)]
    memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    name = f"{tool} {os.path.basename(model)}".removesuffix(".bin").removesuffix(".pgz")
    print(f"| {os.path.basename(os.path.dirname(dev))} | {name} | {' | '.join(cells)} | {n / spent:,.0f} | {memory / 1024:,.0f} |")


if __name__ == "__main__":
    main()
