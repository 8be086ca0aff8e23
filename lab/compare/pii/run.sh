#!/usr/bin/env bash
# Compares filter --pii with Presidio, on generated text and on the samples of privaite-bench.
#
#   lab/compare/pii/run.sh [PRIVAITE-BENCH-CHECKOUT]
#
# Needs python3, Go, and on first use PyPI.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../venv.sh" "$here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../../.." && go build -o "$work/chaffinch" ./cmd/chaffinch)
"$python" "$here/compare.py" "$work/chaffinch" "$work" "$@"
