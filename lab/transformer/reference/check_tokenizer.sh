#!/usr/bin/env bash
# check_tokenizer.sh TEXTS [LINES] [PIECES]: trains a tokenizer of XLM-R's form
# with SentencePiece's rule nmt_nfkc on the labelled lines and the texts in many
# scripts of a data folder, and compares ids line by line with Python's
# tokenizers, in four variants; prints the speed of both, on one core.
# TEXTS holds ml/ml-udhr/txt/*.txt and the .jsonl of labelled lines anywhere below.
set -euo pipefail
texts=$(realpath "$1"); count=${2:-3000}; pieces=${3:-8000}
cd "$(dirname "$0")/.."
source reference/venv.sh
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
go build -o "$work/chaffinch-lines" ./cmd/chaffinch-lines
mapfile -t files < <(find -L "$texts" -name '*.train.jsonl' -o -name '*.dev.jsonl' -o -path '*ml-udhr/txt/*.txt' | sort)
[ ${#files[@]} -gt 0 ] || { echo "no texts below $texts"; exit 2; }
"$python" reference/tokenizer.py train "$work" "$pieces" "${files[@]}"
"$python" reference/tokenizer.py sample "$count" "${files[@]}" >"$work/lines"
for t in "$work"/*.tokenizer.json; do
  name=$(basename "$t" .tokenizer.json)
  "$python" reference/tokenizer.py encode "$t" <"$work/lines" >"$work/python.ids"
  GOMAXPROCS=1 "$work/chaffinch-lines" tokens --ids --time --tokenizer "$t" <"$work/lines" >"$work/go.ids"
  awk -v name="$name" 'NR==FNR { want[FNR] = $0; n = FNR; next } want[FNR] == $0 { same++ } want[FNR] != $0 && shown++ < 5 { print "line " FNR; print " got  " $0; print " want " want[FNR] }
    END { printf "%s: %d of %d lines identical\n", name, same, n; exit same != n }' "$work/python.ids" "$work/go.ids" || failed=1
done
exit ${failed:-0}
