"""Figures of what learners said of the rows of tables: figures.py TABLE...

Tables NAME-0, NAME-1 ... are folds of one. Rows that all learners of a task have measured are
pooled: F1 of a yes at log odds of 0, accuracy, log loss in nats, all weighted by how much a row
counts. The interval is that of the difference to our learner's first figure, of 1,000 draws of
documents, seed 0. Training is in processor seconds for each part, scoring in microseconds for
each row."""

import collections
import json
import pathlib
import re
import sys

import numpy as np
from rowfile import NO_CLASS, Table

OURS = {"yes": "boost", "classes": "boost", "nets": "recurrent"}
DRAWS = 1000


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def sums(table, task, odds, part):
    """By document: true positives, false positives, false negatives, right, loss, all."""
    row = np.arange(table.rows)
    use = table.parts == part
    if task == "classes":
        use &= table.class_of != NO_CLASS
        p = softmax(odds.reshape(table.rows, -1)[use].astype(float))
        wanted = table.class_of[use].astype(int)
        right = p.argmax(axis=1) == wanted
        loss = -np.log(np.maximum(p[np.arange(len(wanted)), wanted], 1e-9))
        yes = np.zeros((3, len(wanted)))
    else:
        z, wanted = odds[use].astype(float), table.target[use] >= 0.5
        said = z >= 0
        right = said == wanted
        loss = np.logaddexp(0, np.where(wanted, -z, z))
        yes = np.array([said & wanted, said & ~wanted, ~said & wanted], dtype=float)
    count = table.count[use].astype(float)
    each = np.vstack([yes, right, loss, np.ones(len(right))]) * count
    starts = np.array([a for a, _ in table.documents()])
    document = np.searchsorted(starts, row[use], side="right")
    _, document = np.unique(document, return_inverse=True)
    return np.array([np.bincount(document, weights=v) for v in each]).T


def figures(s, task):
    tp, fp, fn, right, loss, everything = s.sum(axis=0)
    accuracy = 100 * right / everything
    first = accuracy if task == "classes" else 100 * 2 * tp / (2 * tp + fp + fn)
    return first, accuracy, loss / everything


def interval(ours, theirs, task):
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(DRAWS):
        k = rng.integers(len(ours), size=len(ours))
        gains.append(figures(theirs[k], task)[0] - figures(ours[k], task)[0])
    return np.percentile(gains, [2.5, 97.5])


def read(folders):
    said, times = collections.defaultdict(dict), collections.defaultdict(dict)
    for folder in folders:
        table = Table(folder)
        name = re.sub(r"-\d+$", "", table.folder.name)
        last = {}  # of each run that was repeated
        for line in (table.folder / "times.jsonl").read_text().splitlines():
            t = json.loads(line)
            last[t["task"], t["learner"], t["part"]] = t
        for (task, learner, part), t in last.items():
            odds = table.array(f"said/{task}.{learner}.{part}.f32")
            said[name, task, learner][table.folder.name, part] = sums(table, task, odds, part)
            times[name, task, learner][table.folder.name, part] = t
    return said, times


def main(*folders):
    said, times = read(folders)
    for name, task in sorted({k[:2] for k in said}):
        of = {k[2]: v for k, v in said.items() if k[:2] == (name, task)}
        parts = sorted(set.intersection(*(set(v) for v in of.values())))
        joined = {learner: np.concatenate([v[p] for p in parts]) for learner, v in of.items()}
        ours = joined[OURS[task]]
        print(f"\n{name}, {task}: {len(parts)} parts, {len(ours)} documents")
        print("| learner | F1 or accuracy | difference | accuracy | log loss | training | µs per row | version |\n|---|---|---|---|---|---|---|---|")
        for learner, s in joined.items():
            first, accuracy, loss = figures(s, task)
            gap = ""
            if learner != OURS[task]:
                low, high = interval(ours, s, task)
                gap = f"{first - figures(ours, task)[0]:+.2f} ({low:+.2f} to {high:+.2f})"
            runs = [t for key, t in times[name, task, learner].items() if key in parts]
            trained = np.mean([t["train"] for t in runs])
            scored = 1e6 * sum(t["score"] for t in runs) / sum(t["rows"] for t in runs)
            print(f"| {learner} | {first:.2f} | {gap} | {accuracy:.2f} | {loss:.4f} | {trained:.1f} s | {scored:.2f} | {runs[0]['version']} |")


if __name__ == "__main__":
    main(*[str(pathlib.Path(f)) for f in sys.argv[1:]])
