#!/usr/bin/env bash
# Compares the measures of chaffinch eval ir with pytrec_eval on real runs, topic by
# topic, and its tests with scipy.
#
#   measures.sh [COLLECTIONS]
#
# COLLECTIONS: what chaffinch eval ir takes (default: ../shared/data/ir/ir.tar.zst
# beside the checkout). Needs python3 and, on first use, the network (PyPI). Exit
# code 1 if a figure differs by more than 1e-6. The package pytrec_eval itself fetches
# sources from elsewhere when it is built; pytrec_eval-terrier is the same module with
# trec_eval in it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
case ${1:-} in -*) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
. "$here/../venv.sh" "$here"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -trimpath -o "$tmp/chaffinch" ./cmd/chaffinch)
"$tmp/chaffinch" eval ir ${1:-"$root/../shared/data/ir/ir.tar.zst"} --rank ql:mu=1000 --rank ql --rank bm25 --all --tests \
  --save-runs "$tmp/runs" --per-topic "$tmp/topics.tsv" --save "$tmp/tables.json" > /dev/null
"$python" "$here/measures.py" "$tmp"
