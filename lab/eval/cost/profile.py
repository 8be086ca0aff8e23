#!/usr/bin/env python3
"""Compares profiles of builds by kind of work: seconds and share of the samples of each.

  profile.py PROGRAM=PROFILE[,PROFILE...] ...

Profiles are those of chaffinch build --cpuprofile; several of one program are averaged. A sample
belongs to the first kind that matches a function of its stack. Needs go."""

import re
import subprocess
import sys

KINDS = {
    "counts for the report": r"build\.\(\*builder\)\.tally|build\.\(\*(digest|tally|vocabulary)\)",
    "languages": r"langid\.\(\*(Pages|Filter)\)\.Do",
    "decoding and extraction": r"extract\.\(\*Extractor\)\.Do",
    "labels": r"clean\.\(\*Stage\)\.Do",
    "rules of quality": r"filterStage\.Do|chaffinch/filter\.",
    "near-duplicates": r"chaffinch/dedup\.",
    "reading and decompression": r"input\.\(\*Reader\)\.Next|zstd\.\(\*(Decoder|blockDec)|internal/inflate",
    "encoding, compression, writing": r"zstd\.|pipeline\.finish|parquet|Encoder|pipeline\.\(\*collector\)",
    "garbage collection": r"gcBgMarkWorker",
    "rest": r"",
}
SECONDS = {"s": 1, "ms": 1e-3, "us": 1e-6}


def measure(program, profiles):
    """Returns the seconds of each kind in a profile of the program, on average."""
    traces = subprocess.run(["go", "tool", "pprof", "-traces", program, *profiles], check=True, capture_output=True, text=True).stdout
    sums = dict.fromkeys(KINDS, 0)
    for stack in re.split(r"^-+\+-+$", traces, flags=re.M):
        if sample := re.search(r"^\s*([\d.]+)(s|ms|us)\s", stack, re.M):
            kind = next(k for k, functions in KINDS.items() if re.search(functions, stack))
            sums[kind] += float(sample[1]) * SECONDS[sample[2]] / len(profiles)
    return sums


def main():
    if len(sys.argv) < 2 or not all("=" in a for a in sys.argv[1:]):
        sys.exit(__doc__)
    pairs = [a.split("=", 1) for a in sys.argv[1:]]
    columns = [measure(program, profiles.split(",")) for program, profiles in pairs]
    print("| | " + " | ".join(f"{program}, s | share" for program, _ in pairs) + " |")
    print("|---|" + "---:|" * 2 * len(pairs))
    for kind in KINDS:
        print(f"| {kind} | " + " | ".join(f"{c[kind]:.2f} | {c[kind] / sum(c.values()):.1%}" for c in columns) + " |")
    print("| all | " + " | ".join(f"{sum(c.values()):.2f} | " for c in columns) + " |")


if __name__ == "__main__":
    main()
