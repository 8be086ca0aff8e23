#!/usr/bin/env python3
"""Measures what builds from web archives cost and extrapolates to a snapshot of Common Crawl.

  cost.py --chaffinch BIN [flags] FILE.warc.gz...

Runs one build per recipe with one worker, as child processes, and prints a table in Markdown:
processor time, time, memory, disk and bytes of each step. Processor time comes from the
operating system (user and system time of the child), the figures of steps from build.json.
Needs Linux."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile


def measure(chaffinch, recipe, inputs, langs, out):
    """Runs a build. Returns the processor seconds and peak memory of the process, and the steps."""
    command = [chaffinch, "build", recipe, *inputs, "-o", out, "-q", "-j", "1"]
    if langs:
        command += ["--langs", langs]
    child = subprocess.Popen(command)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = code = os.waitstatus_to_exitcode(status)
    if code not in (0, 1):  # 1: some input could not be read
        sys.exit(f"cost.py: {' '.join(command)}: exit code {code}")
    with open(os.path.join(out, "build.json"), encoding="utf-8") as f:
        steps = json.load(f)["steps"]
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, steps


def mb(n):
    return f"{n / 1e6:,.1f}"


def row(name, *cells):
    print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("inputs", nargs="+", metavar="FILE", help="web archives")
    p.add_argument("--chaffinch", default="chaffinch", metavar="BIN")
    p.add_argument("--recipes", default="training-data,linguist", metavar="NAME,...")
    p.add_argument("--langs", metavar="TAG,...", help="languages, instead of the languages of the recipes")
    p.add_argument("--pages", type=float, default=2.5e9, help="pages of a snapshot (default: 2.5 billion)")
    p.add_argument("--files", type=float, default=90_000, help="WARC files of a snapshot (default: 90,000)")
    p.add_argument("--price", type=float, default=0.04, help="price of a core-hour (default: 0.04)")
    p.add_argument("--work", metavar="DIR", help="folder for the builds (default: a temporary folder)")
    args = p.parse_args()
    size = sum(os.path.getsize(name) for name in args.inputs)
    with tempfile.TemporaryDirectory(dir=args.work) as work:
        for recipe in args.recipes.split(","):
            out = os.path.join(work, os.path.basename(recipe))
            cpu, memory, steps = measure(args.chaffinch, recipe, args.inputs, args.langs, out)
            report(args, recipe, size, cpu, memory, steps)
            shutil.rmtree(out)


def report(args, recipe, size, cpu, memory, steps):
    pages = steps[0]["flow"]
    read = pages["kept"]["pages"] + pages["removed"]["pages"]
    if not read:
        sys.exit("cost.py: no pages in the input: name web archives with HTML pages")
    hours = cpu / read * args.pages / 3600
    print(f"## {recipe}\n\n{read:,} pages, {mb(size)} MB compressed\n")
    row("step", "core-seconds", "seconds", "of them counting", "peak memory MB", "peak disk MB", "output MB", "core-hours per snapshot")
    print("|---|" + "---:|" * 7)
    for s in steps:
        c = s["cost"]
        written = sum(o["bytes"] for o in s["outputs"])
        row(s["name"], f"{c['cpu_seconds']:.2f}", f"{c['seconds']:.2f}", f"{c.get('tally_seconds', 0):.2f}", mb(c["memory_bytes"]),
            mb(c["disk_bytes"]), mb(written), f"{c['cpu_seconds'] / read * args.pages / 3600:,.0f}")
    row("process", f"{cpu:.2f}", "", "", mb(memory), mb(max(s["cost"]["disk_bytes"] for s in steps)), "", f"{hours:,.0f}")
    by_page, by_file = args.pages / read, args.files
    print(f"\nSnapshot of {args.pages:,.0f} pages in {by_file:,.0f} files: {hours:,.0f} core-hours, cost {hours * args.price:,.0f} "
          f"at {args.price:g} per core-hour, {hours * 3600 / by_file:.1f} core-seconds per file, "
          f"peak disk {max(s['cost']['disk_bytes'] for s in steps) * by_page / 1e12:.1f} TB.\n", flush=True)


if __name__ == "__main__":
    main()
