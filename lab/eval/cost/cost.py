#!/usr/bin/env python3
"""Measures what builds from web archives cost and extrapolates to a snapshot of Common Crawl.

  cost.py --chaffinch BIN [flags] FILE.warc.gz...

Runs one build per recipe with one worker, as child processes, and prints tables in Markdown:
processor time, memory, disk and bytes of each step, for the input and per GB of WARC, and the
cost of a snapshot scaled by pages and by bytes. Processor time comes from the operating system
(user and system time of the child), the figures of steps from build.json. With --rounds, the
build with the least processor time counts. Needs Linux."""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile


def add_flags(p):
    """Adds the flags that describe a snapshot."""
    p.add_argument("--pages", type=float, default=2.5e9, help="pages of a snapshot (default: 2.5 billion)")
    p.add_argument("--files", type=float, default=90_000, help="WARC files of a snapshot (default: 90,000)")
    p.add_argument("--file-bytes", type=float, default=1e9, help="compressed size of a WARC file of a snapshot (default: 1 GB)")
    p.add_argument("--price", type=float, default=0.04, help="price of a core-hour (default: 0.04)")
    p.add_argument("--rounds", type=int, default=1, metavar="N", help="runs of each pipeline; the cheapest counts (default: 1)")
    p.add_argument("--work", metavar="DIR", help="folder for the builds (default: a temporary folder)")


def run(command, codes=(0,), **options):
    """Runs a command. Returns the processor seconds and the peak memory of the process, in bytes."""
    child = subprocess.Popen(command, **options)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = code = os.waitstatus_to_exitcode(status)
    if code not in codes:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {' '.join(command)}: exit code {code}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def build(chaffinch, recipe, inputs, out, langs=None):
    """Runs a build. Returns its processor seconds, peak memory and steps."""
    name, *flags = recipe.split()
    command = [chaffinch, "build", name, *inputs, "-o", out, "-q", "-j", "1", "--force", *flags]
    if langs:
        command += ["--langs", langs]
    cpu, memory = run(command, codes=(0, 1))  # 1: some input could not be read
    with open(os.path.join(out, "build.json"), encoding="utf-8") as f:
        return cpu, memory, json.load(f)["steps"]


def unpacked(inputs):
    """Returns the number of bytes of web archives without compression."""
    size = 0
    for name in inputs:
        with gzip.open(name) if name.endswith(".gz") else open(name, "rb") as f:
            while b := f.read(1 << 20):
                size += len(b)
    return size


def read_pages(steps):
    """Returns the number of pages that the first step read."""
    flow = steps[0]["flow"]
    pages = flow["kept"]["pages"] + flow["removed"]["pages"]
    return pages or sys.exit("no pages in the input: name web archives with HTML pages")


def mb(n):
    return f"{n / 1e6:,.1f}"


def row(name, *cells):
    print(f"| {name} | " + " | ".join(cells) + " |")


def snapshot(args, cpu, disk, pages, size):
    """Returns the core-hours and the disk of a snapshot, scaled by pages and by bytes."""
    by_page, by_byte = args.pages / pages, args.files * args.file_bytes / size
    return [(cpu * factor / 3600, disk * factor) for factor in (by_page, by_byte)]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("inputs", nargs="+", metavar="FILE", help="web archives")
    p.add_argument("--chaffinch", default="chaffinch", metavar="BIN")
    p.add_argument("--recipes", default="training-data,training-data --one-pass,linguist", metavar="NAME,...",
                   help="recipes, each with flags of chaffinch build (default: %(default)s)")
    p.add_argument("--langs", metavar="TAG,...", help="languages, instead of the languages of the recipes")
    add_flags(p)
    args = p.parse_args()
    size, html = sum(os.path.getsize(name) for name in args.inputs), unpacked(args.inputs)
    with tempfile.TemporaryDirectory(dir=args.work) as work:
        for recipe in args.recipes.split(","):
            out = os.path.join(work, os.path.basename(recipe.split()[0]))
            rounds = [build(args.chaffinch, recipe, args.inputs, out, args.langs) for _ in range(args.rounds)]
            report(args, recipe, size, html, *min(rounds, key=lambda r: r[0]))
            shutil.rmtree(out)


def report(args, recipe, size, html, cpu, memory, steps):
    pages, disk = read_pages(steps), max(s["cost"]["disk_bytes"] for s in steps)
    print(f"## {recipe}\n\n{pages:,} pages, {mb(size)} MB compressed, {mb(html)} MB unpacked\n")
    row("step", "core-seconds", "core-seconds per GB", "share of the time for counting", "peak memory MB", "output MB", "output MB per GB", "folder MB", "core-hours per snapshot")
    print("|---|" + "---:|" * 8)
    for s in steps:
        c, written = s["cost"], sum(o["bytes"] for o in s["outputs"])
        row(s["name"], f"{c['cpu_seconds']:.2f}", f"{c['cpu_seconds'] / size * 1e9:.1f}", f"{100 * c.get('tally_seconds', 0) / (c['seconds'] or 1):.0f} %",
            mb(c["memory_bytes"]), mb(written), f"{written / size * 1e3:,.0f}", mb(c["disk_bytes"]), f"{c['cpu_seconds'] / pages * args.pages / 3600:,.0f}")
    scaled = snapshot(args, cpu, disk, pages, size)
    row("process", f"{cpu:.2f}", f"{cpu / size * 1e9:.1f}", "", mb(memory), "", "", mb(disk), f"{scaled[0][0]:,.0f}")
    print()
    row("scaled by", "core-hours", "cost", "core-seconds per file", "peak disk TB")
    print("|---|" + "---:|" * 4)
    for name, (hours, disk) in zip(("pages", "bytes"), scaled):
        row(name, f"{hours:,.0f}", f"{hours * args.price:,.0f}", f"{hours * 3600 / args.files:.1f}", f"{disk / 1e12:.1f}")
    kept = steps[0]["flow"]["kept"]["pages"]
    print(f"""
- Snapshot: {args.pages:,.0f} pages in {args.files:,.0f} files of {args.file_bytes / 1e9:g} GB; {args.price:g} per core-hour.
- A page has {size / pages / 1e3:.1f} kB compressed here ({html / pages / 1e3:.0f} kB unpacked), and {args.files * args.file_bytes / args.pages / 1e3:.1f} kB in the snapshot.
- The clean step kept {kept:,} of {pages:,} pages. Later steps cost less if it keeps fewer.
""", flush=True)


if __name__ == "__main__":
    main()
