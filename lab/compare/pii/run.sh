#!/usr/bin/env bash
# Compares filter --pii with Presidio, on generated text and on the samples of privaite-bench.
#
#   lab/compare/pii/run.sh [PRIVAITE-BENCH-CHECKOUT]
#
# Needs python3, Go, and on first use PyPI. The environment goes to ~/.cache/chaffinch or
# $CHAFFINCH_COMPARE_VENV.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${CHAFFINCH_COMPARE_VENV:-$HOME/.cache/chaffinch}/pii
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q -r "$here/requirements.txt"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../../.." && go build -o "$work/chaffinch" ./cmd/chaffinch)
"$venv/bin/python" "$here/compare.py" "$work/chaffinch" "$work" "$@"
