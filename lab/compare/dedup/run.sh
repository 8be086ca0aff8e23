#!/usr/bin/env bash
# Runs other finders of near-duplicates over documents, for chaffinch eval dedup --predictions.
#
#   run.sh --docs FILE.jsonl [--out DIR] [--core N] [RIVAL ...]
#
# The documents: chaffinch eval dedup --save-docs FILE.jsonl. The answers go to
# OUT/<rival> (default: compare-out), with wall and processor seconds. Each rival
# runs on one core. Without RIVAL all of them run, one after the other.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
docs= out=compare-out core=0 rivals=()
while [ $# -gt 0 ]; do
  case $1 in
    --docs) docs=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --core) core=$2; shift 2 ;;
    -h | --help | -*) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) rivals+=("$1"); shift ;;
  esac
done
[ -n "$docs" ] || { echo "run.sh: no --docs" >&2; exit 2; }
. "$here/../venv.sh" "$here"
"$python" "$here/rivals.py" --docs "$docs" --out "$out" --core "$core" ${rivals[@]+"${rivals[@]}"}
