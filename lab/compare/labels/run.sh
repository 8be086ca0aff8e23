#!/usr/bin/env bash
# Compares chaffinch's classifier with scikit-learn (LinearSVC and logistic regression on
# TF-IDF), fastText, and an embedding (multilingual-e5-small in 4 bits) with a linear head,
# on the same folds by site. Prints one table.
#
#   run.sh [--systems LIST] [--embedding-docs N] DATA... [FLAG...]    # the flags of eval labels
#   run.sh [--systems LIST] --classify [FLAG...]                      # WebKB, with the flags of eval classify
#
# --systems is a list of linearsvc, logistic, fasttext and embedding, separated by commas
# (default: linearsvc,logistic,fasttext). The embedding classifies the first N documents of
# the set (default 300). With --classify --facts, all systems learn from the facts about the
# pages; to the others they are words of the text.
# Needs python3, Go and the network (PyPI).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 2; }
docs=300 systems=linearsvc,logistic,fasttext task=labels
while [ $# -gt 0 ]; do
  case $1 in
  --systems) systems=$2; shift 2 ;;
  --embedding-docs) docs=$2; systems=$systems,embedding; shift 2 ;;
  --classify) task=classify; shift ;;
  *) break ;;
  esac
done
. "$here/../venv.sh" "$here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../../.." && go build -o "$work/chaffinch" ./cmd/chaffinch)
"$work/chaffinch" eval "$task" "$@" --save-folds "$work/folds.jsonl"
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$python" "$here/rivals.py" "$work/folds.jsonl" "$work" "$systems" "$docs"
outcomes=()
for f in "$work"/*.json; do outcomes+=(--outcomes "$f"); done
"$work/chaffinch" eval "$task" "$@" "${outcomes[@]}"
