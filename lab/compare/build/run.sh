#!/usr/bin/env bash
# Builds the pages of all data sets three ways, and prints what each leaves and how
# much of that is duplicates.
#
#   run.sh DATA OUT
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2; }
out=$2
"$here/pages.py" "$1" "$out"
program=$out/chaffinch
go build -C "$here/../../.." -o "$(realpath "$out")/chaffinch" ./cmd/chaffinch
for way in text body filtered; do
  "$program" build "$here/$way.yaml" "$out/in" -o "$out/$way" -q || [ $? -eq 1 ] # 1: some of the pages are broken
  for method in exact minhash; do
    "$program" dedup -m "$method" "$out/$way/corpus.jsonl.zst" -q -o /dev/null --summary "$out/$way-$method.json"
  done
done
python3 - "$out" <<'PY'
import json, os, sys
out = sys.argv[1]
for way in ("text", "body", "filtered"):
    size = os.path.getsize(f"{out}/{way}/corpus.jsonl.zst")
    row = [way, f"{size / 1e6:.1f} MB packed"]
    with open(f"{out}/{way}/build.json") as f:
        kept = [s["flow"]["kept"] for s in json.load(f)["steps"] if "flow" in s][-1]
    row.append(f"{kept['pages']} pages, {kept['words']} words, {kept['bytes'] / 1e6:.1f} MB")
    for method in ("exact", "minhash"):
        with open(f"{out}/{way}-{method}.json") as f:
            r = json.load(f)
        a, b = r["in"], r["out"]
        row.append(f"{method}: {a['docs'] - b['docs']} documents, {100 * (1 - b['tokens'] / a['tokens']):.2f} % of tokens")
    print("; ".join(row))
PY
