#!/usr/bin/env bash
# Trains our forests and networks (internal/boost, internal/recurrent), LightGBM, CatBoost and
# PyTorch on the same rows and folds, those of the line labeller and of the block labeller, on one
# processor each, and prints accuracy, processor time and versions.
#
#   run.sh [--no-torch] [--rows DIR]    # --rows: keep rows, and read them if they are there
#
# Needs python3, Go, the data sets (CHAFFINCH_DATA, else ../shared/data beside the checkout) and
# the network (PyPI: 1 GB, and 5 GB for PyTorch). It takes about half an hour of processor time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
torch=yes rows=$work/rows
while [ $# -gt 0 ]; do
  case $1 in
    --no-torch) torch= ;;
    --rows) rows=$(realpath -m "$2"); shift ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
  shift
done
venv=${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare-learners
[ -d "$venv" ] || python3 -m venv "$venv"
for list in requirements.txt ${torch:+requirements-torch.txt}; do
  if ! cmp -s "$here/$list" "$venv/$list"; then
    "$venv/bin/pip" -q install -r "$here/$list"
    cp "$here/$list" "$venv/"
  fi
done
export OMP_NUM_THREADS=1
cd "$here/../../.."
if [ ! -d "$rows" ]; then
  CHAFFINCH_ROWS=$rows CI=true go test -count=1 -run '^TestWriteRows$' ./lab/train/lines ./lab/train/blocks
fi
rm -rf "$rows"/*/said "$rows"/*/times.jsonl
go build -o "$work/learners" ./lab/compare/learners
"$work/learners" "$rows"/*
"$venv/bin/python" "$here/forests.py" --styles same,own "$rows"/*
[ -z "$torch" ] || "$venv/bin/python" "$here/nets.py" "$rows"/lines-*
"$venv/bin/python" "$here/figures.py" "$rows"/*
