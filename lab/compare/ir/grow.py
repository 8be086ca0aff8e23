"""Makes a collection of documents: grow.py DOCS.jsonl DIR. Topics are three words of
one document, which is relevant; the same ones each time."""

import json
import pathlib
import random
import sys


def main(docs, folder):
    folder = pathlib.Path(folder)
    rng, topics, n = random.Random(1), [], 0
    with open(docs, encoding="utf-8") as f, open(folder / "docs.jsonl", "w", encoding="utf-8") as out:
        for line in f:
            d = json.loads(line)
            n += 1
            out.write(json.dumps({"id": str(n), "text": d["text"]}) + "\n")
            words = [w for w in d["text"].split() if w.isalpha() and len(w) > 3]
            if len(words) >= 20 and (len(topics) < 200 or rng.random() < 200 / n):
                topic = (" ".join(rng.sample(words, 3)), str(n))
                if len(topics) < 200:
                    topics.append(topic)
                else:
                    topics[rng.randrange(200)] = topic
    with open(folder / "queries.tsv", "w", encoding="utf-8") as q, open(folder / "qrels.txt", "w", encoding="utf-8") as r:
        for i, (text, doc) in enumerate(topics, 1):
            q.write(f"{i}\t{text}\n")
            r.write(f"{i} 0 {doc} 1\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
