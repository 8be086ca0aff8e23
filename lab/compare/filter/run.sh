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
. "$here/../venv.sh" "$here"
program=()
case " $* " in *" --program "*) ;; *)
  go build -o "$venv/chaffinch" "$here/../../../cmd/chaffinch"
  program=(--program "$venv/chaffinch") ;;
esac
"$python" "$here/compare.py" "${program[@]}" "$@"
