"""Processor time and documents of the stages of a pipeline of generators."""

import json
import resource
import time


class Stages:
    """Counts stages in the order of their names."""

    def __init__(self):
        self.rows = []

    def clock(self, name):
        """Returns a step that counts the documents of the stages before it and their processor time."""
        row = {"stage": name, "cpu": 0.0, "pages": 0}
        self.rows.append(row)

        def step(data, rank=0, world_size=1):
            data, start = iter(data), 0
            while True:
                start = time.process_time()
                try:
                    doc = next(data)
                except StopIteration:
                    return
                finally:
                    row["cpu"] += time.process_time() - start
                row["pages"] += 1
                yield doc

        return step

    def exclusive(self, since=0):
        """Subtracts from each stage since a position the time of the stages before it."""
        rows = self.rows[since:]
        for before, row in reversed(list(zip(rows, rows[1:]))):
            row["cpu"] -= before["cpu"]

    def add(self, name, cpu, pages):
        self.rows.append({"stage": name, "cpu": cpu, "pages": pages})

    def write(self, file):
        own, children = (resource.getrusage(w).ru_maxrss * 1024 for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        with open(file, "w", encoding="utf-8") as f:
            json.dump({"stages": self.rows, "memory": own + children}, f, indent=1)
