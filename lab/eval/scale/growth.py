"""Measures what dedup, filter, index and plagiarism cost per document as the collection grows.

    growth.py --chaffinch BIN [--source EN.vert] [--sizes 100000,1000000] [--memory 256MiB] [--dir DIR] [--only NAME,...]

Collections of short documents are generated (lab/eval/scale/generate) from the vertical of a text or, without one,
from a vocabulary; one in ten is a copy and one in ten an edited copy of another. All commands run with one worker.
Prints tables in Markdown: processor time, peak memory, its part without mapped files, and peak disk for work and
output, of each command and size. Needs Linux, Go and zstd."""

import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("--chaffinch", required=True)
p.add_argument("--source", help="vertical of a text (default: words of a vocabulary)")
p.add_argument("--sizes", default="100000,1000000", help="documents, comma-separated")
p.add_argument("--length", default="60", help="median tokens of a document (default: 60)")
p.add_argument("--memory", default="256MiB")
p.add_argument("--dir", help="folder for the collections and the work")
p.add_argument("--docs", help="a generated collection to cut instead of a new one")
p.add_argument("--only", help="commands, comma-separated")
a = p.parse_args()
work = pathlib.Path(tempfile.mkdtemp(prefix="growth-", dir=a.dir))
SUSPICIOUS = 200


def folder(path):
    n = 0
    for at, _, names in os.walk(path):
        for name in names:
            try:
                n += os.path.getsize(os.path.join(at, name))
            except FileNotFoundError:
                pass
    return n


def anonymous(pid):
    """The memory of a process without mapped files, in bytes."""
    try:
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def measure(command, at, stdin=None):
    """Runs a command that writes into the folder at. Returns processor seconds, and in MB peak memory, its part without
    mapped files, and peak disk."""
    env = dict(os.environ, TMPDIR=str(at))
    before = folder(at)
    child, disk = subprocess.Popen([str(c) for c in command], stdin=stdin, stdout=subprocess.DEVNULL, env=env), 0
    anon = 0
    while True:
        pid, status, used = os.wait4(child.pid, os.WNOHANG)
        disk, anon = max(disk, folder(at) - before), max(anon, anonymous(child.pid))
        if pid:
            break
        time.sleep(0.05)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise SystemExit(f"{command}: exit code {child.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6, anon / 1e6, disk / 1e6


def generated(flags):
    return [str(work / "generate"), *flags, "-length", a.length, "-tokens", str(1 << 60), *([a.source] if a.source else [])]


def collect(n, out):
    """Writes a collection of n documents."""
    source = f"zstd -dcq {a.docs} | head -n {n}" if a.docs else " ".join(generated(["-jsonl", "-copies", "0.2", "-docs", str(n)]))
    subprocess.run(["bash", "-c", f"{source} | zstd -q -3 -o {out}"], check=True)


def commands(n, docs):
    """Yields the name, the command and the standard input of each measurement."""
    run, out = a.chaffinch, work / "out"
    for method in (["exact"], ["minhash", "--preset", "fineweb"], ["onion"]):
        yield "dedup " + method[0], [run, "dedup", "-q", "-j", "1", "-m", *method, "--memory", a.memory, "--work-dir", out / "work", docs, "-o", out / "kept.jsonl.zst"], None
    yield "filter", [run, "filter", "-q", "-j", "1", "--rules", "fineweb_corpus", docs, "-o", out / "kept.jsonl.zst"], None
    yield "corpus index", [run, "corpus", "index", "--memory", a.memory, "--grammar", "none", "-o", out / "index", "-"], generated(["-docs", str(n), *([] if a.source else ["-copies", "0.2"])])
    yield "plagiarism index", [run, "plagiarism", "index", "-q", "--memory", a.memory, docs, "-o", out / "sources"], None
    yield "plagiarism search", [run, "plagiarism", "search", "-q", "-j", "1", "--index", out / "sources", "-f", "jsonl", work / "suspicious.jsonl"], None


def main():
    subprocess.run(["go", "build", "-o", work / "generate", "./lab/eval/scale/generate"], cwd=here.parents[2], check=True)
    found, sizes = {}, [int(s) for s in a.sizes.split(",")]
    for n in sizes:
        docs, out = work / "docs.jsonl.zst", work / "out"
        collect(n, docs)
        subprocess.run(["bash", "-c", f"zstd -dcq {docs} | tail -n {SUSPICIOUS} | sed 's/\"id\":\"/&s/' > {work}/suspicious.jsonl"], check=True)
        out.mkdir()
        for name, command, feed in commands(n, docs):
            if a.only and name not in a.only.split(","):
                continue
            feeder = subprocess.Popen(feed, stdout=subprocess.PIPE) if feed else None
            cpu, memory, anon, disk = measure(command, out, feeder.stdout if feeder else subprocess.DEVNULL)
            if feeder:
                feeder.wait()
            found.setdefault(name, []).append((SUSPICIOUS if name == "plagiarism search" else n, cpu, memory, disk, anon))
            print(f"{name}, {n:,} documents: {cpu:.1f} s, {memory:.0f} MB, {anon:.0f} MB without mapped files, disk {disk:.0f} MB", flush=True)
            if name != "plagiarism index":
                shutil.rmtree(out)
                out.mkdir()
        shutil.rmtree(out)
        docs.unlink()
    head = "| | " + " | ".join(f"{n:,}" for n in sizes) + " |\n|---|" + "---:|" * len(sizes)
    for title, cell in ((f"processor time per document (of search: per suspicious document, {SUSPICIOUS} of them), µs", lambda r: f"{r[1] / r[0] * 1e6:.1f}"), ("peak memory, MB", lambda r: f"{r[2]:.0f}"), ("peak memory without mapped files, MB", lambda r: f"{r[4]:.0f}"),
                        ("peak disk for work and output, bytes per document", lambda r: f"{r[3] * 1e6 / r[0]:.0f}")):
        print(f"\n{title}:\n\n{head}")
        for name, rows in found.items():
            print(f"| {name} | " + " | ".join(cell(r) for r in rows) + " |")


try:
    main()
finally:
    shutil.rmtree(work)
