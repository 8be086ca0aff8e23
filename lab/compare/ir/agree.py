"""Compares two runs: agree.py OURS THEIRS. The same documents in the same order for
all topics, scores within 1e-4 of each other; exit code 1 if not."""

import sys


def read(path):
    topics = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            topic, _, doc, _, score, _ = line.split()
            topics.setdefault(topic, []).append((doc, float(score)))
    return topics


def main(ours, theirs):
    a, b = read(ours), read(theirs)
    topics, other, apart, hits = sorted(set(a) | set(b)), 0, 0.0, 0
    for t in topics:
        x, y = a.get(t, []), b.get(t, [])
        hits += len(y)
        if [d for d, _ in x] != [d for d, _ in y]:
            other += 1
        scores = dict(x)
        apart = max([apart] + [abs(scores[d] - s) if d in scores else s for d, s in y])
    print(f"{len(topics)} topics, {hits} hits: {other} in another order, scores at most {apart:.1e} apart")
    return 1 if other or apart > 1e-4 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
