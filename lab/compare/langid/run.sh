#!/usr/bin/env bash
# Runs other language identifiers over pieces of text, for chaffinch eval langid --predictions.
#
#   run.sh --pieces DIR [--out DIR] [RIVAL ...]
#
# DIR/<by>/<code>.txt are the pieces, one a line: chaffinch eval langid --save-pieces DIR.
# The answers go to OUT/<rival> (default: compare-out). Without RIVAL all of them run,
# one after the other, lingua in high accuracy and langdetect for hours on all lines:
# save the pieces with --every 5.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pieces= out=compare-out rivals=()
while [ $# -gt 0 ]; do
  case $1 in
    --pieces) pieces=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    -h | --help | -*) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) rivals+=("$1"); shift ;;
  esac
done
[ -n "$pieces" ] || { echo "run.sh: no --pieces" >&2; exit 2; }
native=${CHAFFINCH_COMPARE_NATIVE:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/native}
. "$here/../venv.sh" "$here"
mkdir -p "$native"
(cd "$here/go" && go build -o "$native/langid-rivals" .)
export OMP_NUM_THREADS=1
ingo=$("$native/langid-rivals" --list)
[ ${#rivals[@]} -gt 0 ] || rivals=($ingo $("$python" "$here/rivals.py" --list))
for r in "${rivals[@]}"; do
  case " $ingo " in
    *" $r "*) "$native/langid-rivals" --pieces "$pieces" --out "$out" "$r" ;;
    *) "$python" "$here/rivals.py" --pieces "$pieces" --out "$out" "$r" ;;
  esac
done
