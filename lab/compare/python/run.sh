#!/usr/bin/env bash
# The Python package beside trafilatura, resiliparse, readability-lxml and jusText in one
# run: single calls, many pages at once, memory; the cost of its transport; the same text
# as the command; and workers killed while pages run. PAGES is a folder with *.html.
# Needs Go, python3 and the network (PyPI).
#
#   lab/compare/python/run.sh PAGES...              # all of it
#   ONLY=same,kill lab/compare/python/run.sh PAGES  # some of: transport, same, kill, many, rivals
set -euo pipefail
pages=()
for p in "${@:?wanted folders with *.html}"; do pages+=("$(cd "$p" && pwd)"); done
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
. ../venv.sh .
CGO_ENABLED=0 go build -o "$tmp/chaffinch" chaffinch/cmd/chaffinch
export CHAFFINCH_PROGRAM=$tmp/chaffinch PYTHONPATH=../../../python/src PYTHONDONTWRITEBYTECODE=1
"$python" bench.py --only "${ONLY:-transport,same,kill,many,rivals}" "${pages[@]}"
