#!/usr/bin/env bash
# Scores the Markdown of chaffinch and of other programs, and checks the measures of chaffinch eval
# structure against the package webmainbench.
#
#   run.sh OUT SET...
#
# SETs are folders of one folder, with html/ID.html and markdown/ID.md (gold.py). Needs python3, Go
# and the network (PyPI).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
. "$here/../venv.sh" "$here"
out=$1
shift
go build -o "$venv/bin/chaffinch" "$here/../../../cmd/chaffinch"
predictions=()
for set in "$@"; do
  "$python" "$here/rivals.py" "$set" "$out"
done
for program in trafilatura resiliparse readability-markdownify markdownify; do
  predictions+=(-p "$out/$program")
done
"$venv/bin/chaffinch" eval structure "$@" --keep main,title --save-predictions "$out/chaffinch" --json >"$out/figures.json"
"$python" "$here/oracle.py" "$(dirname "$1")" "$out/chaffinch" "$out/figures.json"
"$venv/bin/chaffinch" eval structure "$@" --keep main,title "${predictions[@]}"
