"""A fastText classifier beside chaffinch's model of non-text: see run.sh."""
import hashlib
import json
import re
import sys
import tempfile
from urllib.parse import urlsplit

import fasttext

PIECE = 8000  # characters of a document that are learned from, as chaffinch cuts them
RECALL = 0.97  # share of good text held out that stays

args = [a for a in sys.argv[1:] if a != "--leave-one-out"]
leave_one_out = len(args) < len(sys.argv) - 1


def read(name):
    with open(name, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def tokens(text):
    return " ".join(re.findall(r"\w+|[^\w\s]", text.lower()))


def held_out(doc):
    site = urlsplit(doc.get("url") or "").hostname or doc["text"][:2000]
    return hashlib.sha256(site.encode()).digest()[0] % 5 == 0


def pieces(docs):
    """Long documents count several times, up to six pieces."""
    for d in docs:
        for i in range(0, min(len(d["text"]), 6 * PIECE), PIECE):
            if len(d["text"]) - i > PIECE // 4 or i == 0:
                yield {**d, "text": d["text"][i:i + PIECE]}


def bad_probability(model, doc):
    labels, p = model.predict(tokens(doc["text"]), k=2)
    return float(p[labels.index("__label__bad")])


def train(good, bad):
    """Returns a model and its limit."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as f:
        for label, docs in (("good", good), ("bad", bad)):
            for d in docs:
                if not held_out(d):
                    f.write(f"__label__{label} {tokens(d['text'])}\n")
        f.flush()
        model = fasttext.train_supervised(f.name, wordNgrams=2, epoch=10, lr=0.5, dim=50, bucket=500_000, minCount=2, thread=1, seed=1, verbose=0)
    scores = sorted(bad_probability(model, d) for d in good if held_out(d))
    return model, scores[min(len(scores) - 1, int(RECALL * len(scores)))]


def share(model, limit, docs):
    return sum(bad_probability(model, d) > limit for d in docs) / max(1, len(docs))


def row(name, found, lost, n):
    precision = [f"{100 * p * found / max(1e-9, p * found + (1 - p) * lost):6.1f}" for p in (0.09, 0.22, 0.5)]
    print(f"{name:24} bad {n:6} found {100 * found:5.1f} %   good lost {100 * lost:4.1f} %   precision at 9, 22, 50 %: {' '.join(precision)}", flush=True)


def main():
    train_good, train_bad, test_good = list(pieces(read(args[0]))), read(args[1]), read(args[2])
    sets = {name: read(name) for name in args[3:]}
    kinds = sorted({d["kind"] for docs in sets.values() for d in docs if "kind" in d})
    if leave_one_out:
        for kind in kinds:
            model, limit = train(train_good, [d for d in train_bad if d["kind"] != kind])
            docs = [d for s in sets.values() for d in s if d.get("kind") == kind]
            row("without " + kind, share(model, limit, docs), share(model, limit, test_good), len(docs))
        return
    model, limit = train(train_good, train_bad)
    lost = share(model, limit, test_good)
    for name, docs in sets.items():
        row(name.split("/")[-1], share(model, limit, docs), lost, len(docs))
        for kind in sorted({d["kind"] for d in docs if "kind" in d}):
            some = [d for d in docs if d.get("kind") == kind]
            row("  " + kind, share(model, limit, some), lost, len(some))


main()
