#!/usr/bin/env bash
# Runs components that the project has written itself beside libraries that do the same, five
# times in turn, and prints processor seconds, results, and the sizes of the programs: readers of
# WARC files (ours, gowarc) over FILES, and writers of workbooks (ours, excelize) of 200,000 rows.
#
#   lab/compare/components/run.sh FILE.warc.gz...
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: lab/compare/components/run.sh FILE.warc.gz..."; exit 2; }
files=()
for f; do files+=("$(realpath "$f")"); done
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
TIMEFORMAT='%U + %S s'
for part in warc-ours warc-gowarc xlsx-ours xlsx-excelize; do
  go build -trimpath -ldflags='-s -w' -o "$out/$part" "./$part"
done
for _ in 1 2 3 4 5; do
  for part in warc-ours warc-gowarc; do
    printf '%-14s ' "$part"
    time "$out/$part" "${files[@]}" 2>&1 >"$out/said"
    cat "$out/said"
  done
  for part in xlsx-ours xlsx-excelize; do
    printf '%-14s ' "$part"
    time "$out/$part" >"$out/book.xlsx"
    stat -c '%s bytes of workbook' "$out/book.xlsx"
  done
done 2>&1
cd "$out" && stat -c '%n: program of %s bytes' warc-ours warc-gowarc xlsx-ours xlsx-excelize
