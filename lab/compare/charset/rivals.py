#!/usr/bin/env python3
"""Asks detectors written in Python (or bound to it) for the encodings of files.

    rivals.py --data DIR --out DIR [--every N] [RIVAL ...]

DIR is the unpacked charset/charset.tar.zst. OUT/<rival>.jsonl gets a line {"path", "encoding"} for each file of the sets that have one (every N-th
of a set), for chaffinch eval charset --predictions. A line of JSON for each rival tells its files and its processor time without reading.
"""
import argparse, json, pathlib, sys, time


def chardet(raw):
    import chardet

    return chardet.detect(raw)["encoding"]


def charset_normalizer(raw):
    import charset_normalizer

    best = charset_normalizer.from_bytes(raw).best()
    return best and best.encoding


def uchardet(raw):
    import cchardet

    return cchardet.detect(raw)["encoding"]


def chardetng(raw):
    import chardetng_py

    return chardetng_py.detect(raw)


def resiliparse(raw):
    from resiliparse.parse.encoding import detect_encoding

    return detect_encoding(raw)


RIVALS = {f.__name__: f for f in (uchardet, chardet, chardetng, resiliparse, charset_normalizer)}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--every", type=int, default=1)
    p.add_argument("rivals", nargs="*")
    a = p.parse_args()
    data, out = pathlib.Path(a.data), pathlib.Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    files = [f for s in sorted(data.iterdir()) if s.is_dir() for f in sorted(s.rglob("*.*"))[:: a.every] if f.name != "index.tsv"]
    files = [(str(f.relative_to(data)), f.read_bytes()) for f in files if f.is_file()]
    for name in a.rivals or RIVALS:
        detect = RIVALS[name]
        detect("žluťoučký kůň".encode("cp1250"))
        with open(out / f"{name}.jsonl", "w") as w:
            spent = 0.0
            for path, raw in files:
                start = time.process_time()
                try:
                    enc = detect(raw)
                except Exception as e:  # a rival that fails does not know
                    print(f"{name}: {path}: {e}", file=sys.stderr)
                    enc = None
                spent += time.process_time() - start
                w.write(json.dumps({"path": path, "encoding": enc or ""}) + "\n")
        print(json.dumps({"rival": name, "files": len(files), "cpu_s": round(spent, 2), "files_per_cpu_s": round(len(files) / spent)}), flush=True)


main()
