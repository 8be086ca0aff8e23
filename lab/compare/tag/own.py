"""Scores a model of chaffinch and prints a row of the table of others.py.

    own.py CHAFFINCH MODEL DEV.conllu NAME

If MODEL.txt exists, the scores are the cross-validation in it. The row then has no speed: MODEL saw
the words.
"""

import os
import re
import resource
import subprocess
import sys


def main():
    program, model, dev, name = sys.argv[1:5]
    run = subprocess.run([program, "eval", "tag", model, dev], capture_output=True, text=True, check=True)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    table = run.stdout
    speed = re.search(r"([\d,]+) words/s", run.stderr)[1]
    if os.path.exists(model + ".txt"):
        with open(model + ".txt", encoding="utf-8") as f:
            table, speed = f.read(), "-"
    scores = table.split("\n")[1].split()[-6:]  # words UPOS XPOS UFeats AllTags Lemmas
    treebank = os.path.basename(os.path.dirname(dev))
    print(f"| {treebank} | {name} | {scores[1]} | {scores[3]} | {scores[5]} | {speed} | {memory / 1024:,.0f} |")


if __name__ == "__main__":
    main()
