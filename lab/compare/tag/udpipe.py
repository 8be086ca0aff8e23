"""Trains UDPipe 1 with its default options, unless MODEL exists, and scores it on gold tokens.

    udpipe.py TRAIN.conllu DEV.conllu MODEL
"""

import os
import sys
import time

import ufal.udpipe as udpipe

from others import features


def sentences(path):
    """Reads a treebank."""
    reader = udpipe.InputFormat.newConlluInputFormat()
    with open(path, encoding="utf-8") as f:
        reader.setText(f.read())
    out = udpipe.Sentences()
    while True:
        s = udpipe.Sentence()
        if not reader.nextSentence(s):
            return out
        out.append(s)


def words(text):
    """Yields the columns of the words of CoNLL-U."""
    for line in text.split("\n"):
        columns = line.split("\t")
        if columns[0].isdigit():
            yield columns


def make(train, model):
    """Trains a model."""
    start = time.process_time()
    failed = udpipe.ProcessingError()
    data = udpipe.Trainer.train("morphodita_parsito", sentences(train), udpipe.Sentences(), "none", "", "none", failed)
    if failed.occurred():
        sys.exit(failed.message)
    with open(model + ".part", "wb") as f:
        f.write(data)
    os.replace(model + ".part", model)
    print(f"trained UDPipe 1 in {time.process_time() - start:,.0f} s")


def main():
    train, dev, model = sys.argv[1:4]
    if not os.path.exists(model):
        make(train, model)
    loaded = udpipe.Model.load(model)  # the pipeline does not keep it alive
    pipeline = udpipe.Pipeline(loaded, "conllu", "", "none", "conllu")
    with open(dev, encoding="utf-8") as f:
        gold = f.read()
    start = time.process_time()
    found = pipeline.process(gold)
    spent = time.process_time() - start
    n, right = 0, [0] * 5
    for g, f in zip(words(gold), words(found), strict=True):
        tags = [g[3] == f[3], g[4] == f[4], features(g[5]) == features(f[5])]
        n += 1
        for i, ok in enumerate([*tags, all(tags), g[2] == "_" or g[2] == f[2]]):
            right[i] += ok
    figures = "  ".join(f"{name} {100 * r / n:.2f}" for name, r in zip(["UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"], right, strict=True))
    print(f"UDPipe 1: {figures}, {n / spent:,.0f} words/s, {os.path.getsize(model):,} bytes")


if __name__ == "__main__":
    main()
