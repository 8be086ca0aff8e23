#!/usr/bin/env bash
# Runs other extractors over the pages of data sets, for chaffinch eval clean --predictions.
#
#   run.sh --set NAME[,NAME...] [--data DIR] [--out DIR] [RIVAL ...]
#
# NAME is a set of DIR (default: ../shared/data/eval beside the checkout): a
# folder or NAME.tar.zst with html/<id>.html. The texts go to OUT/NAME/<rival>/<id>.txt
# (default: compare-out), the figures of speed to OUT/NAME/<rival>.json and to the screen.
# Without RIVAL all of them run, one after the other.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sets= data=$here/../../../shared/data/eval out=compare-out rivals=()
while [ $# -gt 0 ]; do
  case $1 in
    --set) sets=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    -h | --help | -*) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) rivals+=("$1"); shift ;;
  esac
done
[ -n "$sets" ] || { echo "run.sh: no --set" >&2; exit 2; }
. "$here/programs.sh"
[ ${#rivals[@]} -gt 0 ] || for p in "${programs[@]}"; do rivals+=($("$p" --list)); done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for s in ${sets//,/ }; do
  pages=$(unpacked "$s" "$data" "$tmp")
  for r in "${rivals[@]}"; do
    p=$(program "$r")
    "$p" --set "$pages" --out "$out/$s" "$r"
  done
  rm -rf "${tmp:?}/$s"
done
