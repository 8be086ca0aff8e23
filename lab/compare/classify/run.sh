#!/usr/bin/env bash
# Exports the hashed features of `chaffinch eval classify` and learns from them with
# scikit-learn's LinearSVC (LIBLINEAR), beside chaffinch's own linear learner.
#
#   run.sh [--task TASK]... [FLAG...]    # the flags of eval classify, such as -m blocks
#
# Needs python3, Go and the network (PyPI).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare-classify
if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../../.." && go build -o "$work/chaffinch" ./cmd/chaffinch)
"$work/chaffinch" eval classify --learner linear "$@" --save-features "$work/features"
"$work/chaffinch" eval classify --learner linear "$@"
"$venv/bin/python" "$here/linear_svc.py" "$work/features"
