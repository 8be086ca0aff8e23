#!/usr/bin/env bash
# Reads the metadata of pages with other programs, for chaffinch eval metadata --predictions.
#
#   metadata.sh [--set NAME]... [--data DIR] [--out DIR] [RIVAL ...]
#
# NAME is a set of DIR (default: ../shared/data/eval beside the checkout; default sets: those
# with gold). The values go to OUT/<rival>/NAME.jsonl (default OUT: compare-out/metadata).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sets=() data=$here/../../../shared/data/eval out=compare-out/metadata rivals=()
while [ $# -gt 0 ]; do
  case $1 in
    --set) sets+=("$2"); shift 2 ;;
    --data) data=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    -h | --help | -*) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) rivals+=("$1"); shift ;;
  esac
done
[ ${#sets[@]} -gt 0 ] || sets=(newspaper4k trafilatura-segments wcxb-dev)
. "$here/venv.sh" "$here"
for set_ in "${sets[@]}"; do
  path=$data/$set_
  [ -d "$path" ] || path=$data/$set_.tar.zst
  "$python" -W ignore "$here/metadata.py" --set "$path" --out "$out" "${rivals[@]}"
done
