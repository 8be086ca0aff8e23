"""Runs finders of near-duplicates with a Python interface over documents.

    rivals.py --docs FILE.jsonl --out DIR [RIVAL ...]
    rivals.py --list

FILE.jsonl has an object with id and text on each line (chaffinch eval dedup
--save-docs). Each rival runs in a process of its own, on one core. OUT/<rival>
gets documents.tsv (id, cluster, 1 if it is dropped) and system.json: name,
version, documents, seconds and cpu_seconds of the whole process, load_seconds
for its imports alone, and seconds by stage where the rival has stages.
"""

import argparse
import collections
import importlib.metadata
import json
import logging
import os
import pathlib
import pickle
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def read(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def clusters(ids, pairs):
    """Cluster and dropped by document number: union of pairs, the first stays."""
    parent = {}

    def find(x):
        while parent.get(x, x) != x:
            parent[x] = parent.get(parent[x], parent[x])
            x = parent[x]
        return x

    for a, b in pairs:
        a, b = find(a), find(b)
        parent[max(a, b)] = min(a, b)
    root = [find(i) for i in range(len(ids))]
    size = collections.Counter(root)
    return [(i, str(r) if size[r] > 1 else "", r != n) for n, (i, r) in enumerate(zip(ids, root))]


def datatrove(docs, work, stages, **config):
    """The four stages of datatrove's MinHash, one task each (buckets: one a bucket)."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    from datatrove.utils.hashing import HashConfig
    yield
    bits, function = config.pop("bits", 64), config.pop("function", "xxhash")
    c = MinhashConfig(hash_config=HashConfig(precision=bits, hash_fc=function), **config)
    folder = os.path.join(work, "in")
    os.makedirs(folder)
    os.symlink(os.path.abspath(docs), os.path.join(folder, "docs.jsonl"))
    at = lambda name: os.path.join(work, name)
    plan = [
        ("signatures", [JsonlReader(folder), MinhashDedupSignature(at("sig"), config=c)], 1),
        ("buckets", [MinhashDedupBuckets(at("sig"), at("buckets"), config=c)], c.num_buckets),
        ("cluster", [MinhashDedupCluster(at("buckets"), at("remove"), config=c, save_cluster_id=True)], 1),
        ("filter", [JsonlReader(folder), MinhashDedupFilter(at("remove"), load_cluster_ids=True, exclusion_writer=JsonlWriter(at("gone"), compression=None)),
                    JsonlWriter(at("kept"), compression=None)], 1),
    ]
    for name, steps, tasks in plan:
        began = time.perf_counter()
        LocalPipelineExecutor(steps, tasks=tasks, workers=1, logging_dir=at("log-" + name)).run()
        stages[name] = time.perf_counter() - began
    yield
    out = []
    for part, gone in (("kept", False), ("gone", True)):
        for f in pathlib.Path(at(part)).rglob("*.jsonl"):
            for d in read(f):
                n = d["metadata"].get("minhash_cluster_id", -1)
                out.append((d["id"], str(n) if n >= 0 else "", gone))
    yield out


def text_dedup(docs, work, stages, module="minhash", options=()):
    """text-dedup's own command; its imports alone first, to know what they take."""
    subprocess.run([sys.executable, "-c", "import text_dedup.minhash"], check=True)
    yield
    at = lambda name: os.path.join(work, name)
    env = dict(os.environ, HF_HOME=at("hf"), HF_DATASETS_OFFLINE="1", HF_HUB_OFFLINE="1")
    command = [sys.executable, "-m", "text_dedup." + module, "--path", "json", "--data_files", os.path.abspath(docs), "--split", "train", "--cache_dir", at("cache"),
               "--output", at("out"), "--column", "text", "--idx_column", "id", "--num_proc", "1", "--debug", "--batch_size", "10000", *options]
    r = subprocess.run(command, env=env, capture_output=True, text=True)
    if r.returncode:
        raise SystemExit(f"text-dedup: {r.stdout[-2000:]}{r.stderr[-2000:]}")
    for name, seconds in re.findall(r"(Loading|MinHashing|Clustering|Filtering|Saving|Total) *: ([\d.]+)s", r.stdout + r.stderr):
        stages[name.lower()] = float(seconds)
    yield
    from datasets import load_from_disk
    with open(at("out/uf.pkl"), "rb") as f:
        uf = pickle.load(f)
    parent = uf.parent if hasattr(uf, "parent") else uf
    kept = set(load_from_disk(at("out"))["id"])
    ids = [d["id"] for d in read(docs)]
    number = {i: n for n, i in enumerate(ids)}
    pairs = [(number.get(a, a), number.get(b, b)) for a, b in parent.items()]
    out = clusters(ids, pairs)
    # what it leaves out for being short counts as dropped: it is not in its output
    yield [(i, c, i not in kept) for i, c, _ in out]


def tokens(text, n=5):
    """The shingles that text-dedup makes, for libraries that leave them to the caller."""
    words = text.lower().split()
    return {" ".join(words[i:i + n]) for i in range(max(1, len(words) - n + 1))}


def datasketch(docs, work, stages, num_perm=256, threshold=0.7):
    from datasketch import MinHash, MinHashLSH
    yield
    all = read(docs)
    lsh, pairs = MinHashLSH(threshold=threshold, num_perm=num_perm), []
    began = time.perf_counter()
    hashes = []
    for d in all:
        m = MinHash(num_perm=num_perm)
        m.update_batch([t.encode() for t in tokens(d["text"])])
        hashes.append(m)
    stages["signatures"] = time.perf_counter() - began
    began = time.perf_counter()
    for n, m in enumerate(hashes):
        pairs += [(k, n) for k in lsh.query(m)]
        lsh.insert(n, m, check_duplication=False)
    stages["cluster"] = time.perf_counter() - began
    with open(os.path.join(work, "kept.jsonl"), "w", encoding="utf-8") as f:
        out = clusters([d["id"] for d in all], pairs)
        f.writelines(json.dumps(d, ensure_ascii=False) + "\n" for d, o in zip(all, out) if not o[2])
    yield
    yield out


def rensa(docs, work, stages, num_perm=128, threshold=0.7):
    import rensa as module
    yield
    all = read(docs)
    began = time.perf_counter()
    hashes = module.RMinHash.from_token_sets([list(tokens(d["text"])) for d in all], num_perm=num_perm, seed=42)
    stages["signatures"] = time.perf_counter() - began
    began = time.perf_counter()
    best = module.RMinHashLSH(threshold=threshold, num_perm=num_perm, num_bands=num_perm // 8)
    pairs = []
    for n, m in enumerate(hashes):
        pairs += [(k, n) for k in best.query(m) if hashes[k].jaccard(m) >= threshold]
        best.insert(n, m)
    stages["cluster"] = time.perf_counter() - began
    with open(os.path.join(work, "kept.jsonl"), "w", encoding="utf-8") as f:
        out = clusters([d["id"] for d in all], pairs)
        f.writelines(json.dumps(d, ensure_ascii=False) + "\n" for d, o in zip(all, out) if not o[2])
    yield
    yield out


MINHASH = ("--ngram", "5", "--threshold", "0.7", "--num_perm")
RIVALS = {
    "datatrove-14x8": (datatrove, dict(n_grams=5, num_buckets=14, hashes_per_bucket=8), "datatrove"),
    "datatrove-14x8-sha1": (datatrove, dict(n_grams=5, num_buckets=14, hashes_per_bucket=8, function="sha1"), "datatrove"),
    "text-dedup-240": (text_dedup, dict(options=(*MINHASH, "240")), "text-dedup"),
    "text-dedup-240-xxh3": (text_dedup, dict(options=(*MINHASH, "240", "--hash_func", "xxh3")), "text-dedup"),
    "datasketch-256": (datasketch, {}, "datasketch"),
    "rensa-128": (rensa, {}, "rensa"),
}


def used():
    """Processor seconds of this process and its children."""
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def child(name, docs, out):
    """One rival in this process."""
    logging.disable(logging.WARNING)
    function, config, package = RIVALS[name]
    work = tempfile.mkdtemp(prefix="dedup-rival-")
    stages = {}
    try:
        began = time.perf_counter()
        steps = function(docs, work, stages, **config)
        next(steps)
        load, load_cpu = time.perf_counter() - began, used()
        next(steps)
        seconds, cpu = time.perf_counter() - began, used()
        if function is text_dedup:  # loaded twice
            seconds, cpu = seconds - load, cpu - load_cpu
        mb = max(resource.getrusage(w).ru_maxrss for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) * 1024 / 1e6
        rows = next(steps)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    into = pathlib.Path(out, name)
    into.mkdir(parents=True, exist_ok=True)
    with open(into / "documents.tsv", "w", encoding="utf-8") as f:
        f.writelines(f"{i}\t{c}\t{int(gone)}\n" for i, c, gone in rows)
    meta = {"name": name, "version": importlib.metadata.version(package), "documents": len(rows), "seconds": round(seconds, 3), "cpu_seconds": round(cpu, 3),
            "load_seconds": round(load, 3), "load_cpu_seconds": round(load_cpu, 3), "memory_mb": round(mb), "stages": {k: round(v, 3) for k, v in stages.items()}}
    (into / "system.json").write_text(json.dumps(meta) + "\n", encoding="utf-8")
    print(json.dumps(meta), file=sys.stderr)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--docs")
    p.add_argument("--out", default="compare-out")
    p.add_argument("--core", type=int, default=0, help="the one core to run on")
    p.add_argument("--list", action="store_true")
    p.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    p.add_argument("rival", nargs="*")
    a = p.parse_args()
    if a.list:
        print(*RIVALS)
        return
    for name in a.rival or RIVALS:
        if name not in RIVALS:
            sys.exit(f"no rival {name!r}: there are {', '.join(RIVALS)}")
        if a.child:
            child(name, a.docs, a.out)
            continue
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {a.core})
        env = dict(os.environ, OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false")
        r = subprocess.run([sys.executable, __file__, "--child", "--docs", a.docs, "--out", a.out, name], env=env)
        if r.returncode:
            print(f"{name}: exit code {r.returncode}", file=sys.stderr)


main()
