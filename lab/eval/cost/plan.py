#!/usr/bin/env python3
"""Compares the largest size of the folder that chaffinch build --plan predicts with the measured one.

  plan.py --chaffinch BIN [--recipes NAME,...] [--work DIR] FILE...

The folder is measured every 20 ms while the build runs. Exit code 1 if a prediction is more
than 15 % away. Needs Linux."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time


def size(folder):
    """Returns the bytes of the files of a folder. Files may disappear meanwhile."""
    n = 0
    for at, _, names in os.walk(folder):
        for name in names:
            try:
                n += os.path.getsize(os.path.join(at, name))
            except FileNotFoundError:
                pass
    return n


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("inputs", nargs="+", metavar="FILE")
    p.add_argument("--chaffinch", default="chaffinch", metavar="BIN")
    p.add_argument("--recipes", default="training-data,linguist", metavar="NAME,...")
    p.add_argument("--work", metavar="DIR", help="folder for the builds (default: a temporary folder)")
    args = p.parse_args()
    far = False
    print("| recipe | predicted MB | measured MB | prediction |\n|---|---:|---:|---:|")
    for recipe in args.recipes.split(","):
        with tempfile.TemporaryDirectory(dir=args.work) as work:
            command = [args.chaffinch, "build", recipe, *args.inputs, "-o", os.path.join(work, "out"), "-q"]
            plan = subprocess.run([*command, "--plan"], stdout=subprocess.PIPE, text=True, check=True).stdout
            number, unit = re.search(r"largest size of the folder: about ([\d.]+) ([kMG]?)B", plan).groups()
            predicted = float(number) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[unit]
            build, most = subprocess.Popen(command), 0
            while build.poll() is None:
                most = max(most, size(work))
                time.sleep(0.02)
            if build.returncode not in (0, 1):  # 1: some input could not be read
                sys.exit(f"plan.py: {' '.join(command)}: exit code {build.returncode}")
            print(f"| {recipe} | {predicted / 1e6:.1f} | {most / 1e6:.1f} | {100 * (predicted / most - 1):+.1f} % |", flush=True)
            far = far or abs(predicted / most - 1) > 0.15
    sys.exit(far)


if __name__ == "__main__":
    main()
