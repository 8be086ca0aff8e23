#!/usr/bin/env bash
# Runs other extractors over the pages of a data set, for chaffinch eval clean --predictions.
#
#   run.sh --set NAME [--data DIR] [--out DIR] [RIVAL ...]
#
# NAME is a set of DIR (default: ../shared/data/eval beside the checkout): a
# folder or NAME.tar.zst with html/<id>.html. The texts go to OUT/NAME/<rival>/<id>.txt
# (default: compare-out), the figures of speed to OUT/NAME/<rival>.json and to the screen.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
set_= data=$here/../../../shared/data/eval out=compare-out rivals=()
while [ $# -gt 0 ]; do
  case $1 in
    --set) set_=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    -h | --help | -*) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) rivals+=("$1"); shift ;;
  esac
done
[ -n "$set_" ] || { echo "run.sh: no --set" >&2; exit 2; }
path=$data/$set_
[ -d "$path" ] || path=$data/$set_.tar.zst
[ -e "$path" ] || { echo "run.sh: no set $set_ in $data" >&2; exit 2; }
. "$here/venv.sh"
exec "$python" "$here/rivals.py" --set "$path" --out "$out/$set_" "${rivals[@]}"
