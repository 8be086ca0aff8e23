#!/usr/bin/env bash
# Compares the scores and decisions of chaffinch filter with those of datatrove's
# own filters, and measures both.
#
#   run.sh [--program CHAFFINCH] [--limit N] [--speed] FILE.jsonl...
#
# A line of a file has the fields id, lang and text. Needs python3 and the network
# (PyPI).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
venv=${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare-filter
if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/"
fi
program=()
case " $* " in *" --program "*) ;; *)
  go build -o "$venv/chaffinch" "$here/../../../cmd/chaffinch"
  program=(--program "$venv/chaffinch") ;;
esac
"$venv/bin/python" "$here/compare.py" "${program[@]}" "$@"
