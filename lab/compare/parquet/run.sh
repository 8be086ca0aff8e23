#!/usr/bin/env bash
# Writes pages as Parquet and as JSON lines and checks that pyarrow, Polars,
# DuckDB and datasets read the same values from both.
#
#   lab/compare/parquet/run.sh [INPUT...]      # default: examples/pages of the checkout
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
. "$here/../venv.sh" "$here"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
(cd "$root" && go build -o "$out/chaffinch" ./cmd/chaffinch)
[ $# -gt 0 ] || set -- "$root/examples/pages"
for format in parquet jsonl; do
  "$out/chaffinch" clean -q -m keep --hidden keep "$@" -o "$out/all.$format" || [ $? = 1 ]
  "$out/chaffinch" clean -q -a "$@" -o "$out/annotated.$format" || [ $? = 1 ]
done
: > "$out/nothing.jsonl"
"$out/chaffinch" clean -q "$out/nothing.jsonl" -o "$out/none.parquet" || [ $? = 1 ]
HF_HOME=$out/datasets HF_HUB_OFFLINE=1 "$python" "$here/check.py" "$out"
