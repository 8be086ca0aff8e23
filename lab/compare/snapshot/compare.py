"""Measures the recipe training-data, in one pass and in steps, the recipe linguist, and two rival
pipelines on the same web archives, in one run.

  compare.py --chaffinch BIN --python VENV/bin/python [flags] FILE.warc.gz...

Prints tables in Markdown: the cost of each pipeline and its ratio to ours, the processor time and
the pages of each stage, how far the outputs agree, and memory, bytes and cost of each step of the
recipes. Rounds alternate between the pipelines; of each pipeline the round with the least processor
time counts. The recipe linguist has one round. Needs Linux and pyarrow."""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from collections import Counter

import pyarrow.parquet as pq

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../eval/cost"))
import cost  # noqa: E402

OURS = "chaffinch --one-pass"
RECIPES = {OURS: "training-data --one-pass", "chaffinch": "training-data"}
RIVALS = {"trafilatura, datatrove": "datatrove_pipeline.py", "Resiliparse, FastWARC": "resiliparse_pipeline.py"}


def ours(args, recipe, out):
    cpu, memory, steps = cost.build(args.chaffinch, recipe, args.inputs, out)
    stages = [{"stage": "read", "cpu": 0, "pages": cost.read_pages(steps)}]
    for s in steps:
        kept = s["flow"]["kept"]["pages"] if "flow" in s else stages[-1]["pages"]
        stages.append({"stage": s["name"], "cpu": s["cost"]["cpu_seconds"], "pages": kept})
    return {"cpu": cpu, "memory": memory, "disk": max(s["cost"]["disk_bytes"] for s in steps), "steps": steps, "stages": stages, "texts": texts(os.path.join(out, "corpus.parquet"))}


def rival(args, script, out):
    with open(f"{out}.log", "w", encoding="utf-8") as log:
        cpu, _ = cost.run([args.python, os.path.join(here, script), out, *args.inputs], stdout=log, stderr=log)
    with open(os.path.join(out, "stages.json"), encoding="utf-8") as f:
        made = json.load(f)
    disk = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(out) for name in names)
    return {"cpu": cpu, "memory": made["memory"], "disk": disk, "stages": made["stages"], "texts": texts(os.path.join(out, "corpus"))}


def texts(path):
    """Returns the texts of Parquet by the ID of their record."""
    table = pq.read_table(path, columns=["id", "text"])
    return {id.strip("<>"): text for id, text in zip(table["id"].to_pylist(), table["text"].to_pylist())}


def f1(a, b):
    """Returns the F-score of the words of two texts."""
    a, b = Counter(a.split()), Counter(b.split())
    both = (a & b).total()
    return 2 * both / (a.total() + b.total() or 1)


def agreement(results, rivals):
    print("| pages of both | chaffinch alone | rival alone | both | word F, median | word F, 10th percentile |\n|---|" + "---:|" * 5)
    mine = results[OURS]["texts"]
    for name in rivals:
        other = results[name]["texts"]
        both = sorted(mine.keys() & other.keys())
        scores = sorted(f1(mine[id], other[id]) for id in both)
        cost.row(name, f"{len(mine) - len(both):,}", f"{len(other) - len(both):,}", f"{len(both):,}", f"{100 * statistics.median(scores):.1f} %", f"{100 * scores[len(scores) // 10]:.1f} %")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("inputs", nargs="+", metavar="FILE", help="web archives")
    p.add_argument("--chaffinch", required=True, metavar="BIN")
    p.add_argument("--python", default=sys.executable, metavar="BIN", help="interpreter with the packages of requirements.txt")
    p.add_argument("--rivals", default=";".join(RIVALS), metavar="NAME;...", help="rival pipelines, with semicolons between them (default: all)")
    cost.add_flags(p)
    args = p.parse_args()
    rivals = args.rivals.split(";")
    size, results, all_cpu = sum(os.path.getsize(name) for name in args.inputs), {}, {}
    with tempfile.TemporaryDirectory(dir=args.work) as work:
        for _ in range(args.rounds):
            for name in [*RECIPES, *rivals]:
                out = os.path.join(work, "out")
                r = ours(args, RECIPES[name], out) if name in RECIPES else rival(args, RIVALS[name], out)
                all_cpu.setdefault(name, []).append(r["cpu"])
                if name not in results or r["cpu"] < results[name]["cpu"]:
                    results[name] = r
                shutil.rmtree(out)
        linguist = cost.build(args.chaffinch, "linguist", args.inputs, out)
    html = cost.unpacked(args.inputs)
    pages = results[OURS]["stages"][0]["pages"]
    print(f"{pages:,} pages, {cost.mb(size)} MB compressed, {cost.mb(html)} MB unpacked; least of {args.rounds} rounds\n")
    print("| pipeline | core-seconds | core-seconds per GB of WARC | peak memory MB | folder MB | pages kept | core-hours per snapshot | ratio |\n|---|" + "---:|" * 7)
    for name, r in results.items():
        hours = cost.snapshot(args, r["cpu"], r["disk"], pages, size)[0][0]
        cost.row(name, f"{r['cpu']:.1f}", f"{r['cpu'] / size * 1e9:,.0f}", cost.mb(r["memory"]), cost.mb(r["disk"]), f"{len(r['texts']):,}", f"{hours:,.0f}", f"{r['cpu'] / results[OURS]['cpu']:.2f}")
    print("\nCore-seconds of all rounds: " + "; ".join(f"{name} " + ", ".join(f"{c:.1f}" for c in list) for name, list in all_cpu.items()) + "\n")
    for name, r in results.items():
        print(f"| {name} | core-seconds | pages left |\n|---|---:|---:|")
        for s in r["stages"]:
            cost.row(s["stage"], f"{s['cpu']:.2f}", f"{s['pages']:,}")
        print()
    agreement(results, rivals)
    for name, recipe in RECIPES.items():
        print()
        cost.report(args, recipe, size, html, *(results[name][key] for key in ("cpu", "memory", "steps")))
    print()
    cost.report(args, "linguist", size, html, *linguist)


if __name__ == "__main__":
    main()
