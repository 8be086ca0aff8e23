"""Macro F1 of scikit-learn's LinearSVC on the features that chaffinch eval classify
--save-features wrote: linear_svc.py FEATURES [COST...]

FEATURES has TASK/SYSTEM/SPLIT.train and SPLIT.test. Each cost is tried with equal and
with balanced classes, all other parameters at their defaults. Decisions are counted
over all splits, as chaffinch counts them."""

import pathlib
import sys

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC

WIDTH = 1 << 18


def load(path):
    x, y = load_svmlight_file(str(path), n_features=WIDTH, multilabel=True)
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)  # all that LinearSVC takes
    return x, y


def main(features, *costs):
    for folder in sorted(p for p in pathlib.Path(features).glob("*/*") if p.is_dir()):
        splits = [(load(p), load(p.with_suffix(".test"))) for p in sorted(folder.glob("*.train"))]
        labels = [y for train, test in splits for y in train[1] + test[1]]
        classes = MultiLabelBinarizer().fit(labels)
        several = any(len(y) != 1 for y in labels)
        for cost in [float(c) for c in costs] or [1.0]:
            for weight in None, "balanced":
                model = LinearSVC(C=cost, class_weight=weight, random_state=0)
                want, got = [], []
                for (x, y), (test_x, test_y) in splits:
                    want.append(classes.transform(test_y))
                    if several:
                        got.append(OneVsRestClassifier(model).fit(x, classes.transform(y)).predict(test_x))
                    else:
                        model.fit(x, [int(c[0]) for c in y])
                        got.append(classes.transform([(c,) for c in model.predict(test_x)]))
                want, got = np.vstack(want), np.vstack(got)
                f1 = f1_score(want, got, average=None, zero_division=0)
                occurs = want.any(axis=0)
                print(f"{folder.parent.name}\t{folder.name}\tcost {cost:g}\t{weight or 'equal'}\t"
                      f"macro F1 {100 * f1[occurs].mean():.2f}\t" + " ".join(f"{100 * f:.1f}" for f in f1), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
