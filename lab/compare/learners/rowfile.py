"""Tables that package rowfile wrote, and what learners said of their rows."""

import json
import pathlib
import time

import numpy as np

NO_CLASS = 255


class Table:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.meta = json.loads((self.folder / "meta.json").read_text())
        self.rows, self.tests = self.meta["rows"], self.meta["tests"]
        self.classes = len(self.meta.get("class_names", []))
        self.parts = self.array("parts.u8")
        self.target, self.weight, self.count = (self.array(n + ".f32") for n in ("target", "weight", "count"))
        self.class_of = self.array("classes.u8") if self.classes else None

    def array(self, name):
        return np.fromfile(self.folder / name, dtype="u1" if name.endswith("u8") else "<f4")

    def features(self, rows):
        """The values of all features in the given rows: those of neighbours are columns too."""
        pad = self.meta["pad"]
        columns = np.memmap(self.folder / "columns.u8", dtype="u1", mode="r").reshape(-1, self.rows + 2 * pad)
        out = np.empty((len(rows), len(self.meta["features"])), dtype="f4")
        for k, (column, shift) in enumerate(self.meta["features"]):
            out[:, k] = columns[column, pad + shift + rows]
        return out

    def dense(self):
        return self.array("dense.f32").reshape(self.rows, self.meta["width"])

    def documents(self):
        """Pairs of the first row of each document and of the row after its last."""
        inside = np.concatenate([[0], (self.parts > 0).astype(int), [0]])
        edges = np.flatnonzero(np.diff(inside))
        return list(zip(edges[::2], edges[1::2]))

    def save(self, task, learner, version, part, odds, train, score, rows):
        (self.folder / "said").mkdir(exist_ok=True)
        odds.astype("<f4").tofile(self.folder / "said" / f"{task}.{learner}.{part}.f32")
        line = {"task": task, "learner": learner, "version": version, "part": part, "train": train, "score": score, "rows": rows}
        with open(self.folder / "times.jsonl", "a") as f:
            f.write(json.dumps(line) + "\n")


def timed(do):
    """Calls do; returns its result and the processor seconds it took."""
    start = time.process_time()
    result = do()
    return result, time.process_time() - start
