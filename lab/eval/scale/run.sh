#!/usr/bin/env bash
# Measures what indexes of growing verticals cost: bytes by part, time, memory,
# temporary files, queries. The figures are those of lab/results/scale.md.
#
#   lab/eval/scale/run.sh [--data DIR] [--keep DIR] [--sizes 1,5,20] [--memory SIZE]
#
# DIR (default: ../shared/data beside the checkout) holds eval/*.tar.zst, pages
# with html/, and text/{en,ml}.tar.zst, running text. The pages come first, in
# random order, then the texts. Sizes are in million tokens; "all" is all there
# is. --memory is that of chaffinch corpus index. Needs zstd, python3, GNU time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
data=$root/../shared/data keep= sizes=1,5,20,all memory=256MiB
while [ $# -gt 0 ]; do
  case $1 in
    --data) data=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    --sizes) sizes=$2; shift 2 ;;
    --memory) memory=$2; shift 2 ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
work=${keep:-$tmp}
mkdir -p "$work"
work=$(cd "$work" && pwd)
(cd "$root" && go build -trimpath -o "$tmp/chaffinch" ./cmd/chaffinch)
if [ ! -e "$work/pages.vert" ] || [ ! -e "$work/texts.vert" ]; then
  for a in "$data"/eval/*.tar.zst "$data"/text/en.tar.zst "$data"/text/ml.tar.zst; do
    [ -e "$a" ] || { echo "run.sh: no $a: name the folder with --data" >&2; exit 2; }
    into=$tmp/$(basename "$(dirname "$a")")/$(basename "$a" .tar.zst)
    mkdir -p "$into"
    zstd -dcq "$a" | tar -x -C "$into"
  done
  mapfile -t html < <(find "$tmp/eval" -type d -name html | LC_ALL=C sort)
  find "$tmp/text" -type f ! -name '*.txt' -delete
  "$tmp/chaffinch" clean -q --force "${html[@]}" -o "$work/pages.vert" || [ $? = 1 ] # 1: some file is empty
  "$tmp/chaffinch" clean -q --force -m keep "$tmp/text" -o "$work/texts.vert" || [ $? = 1 ]
fi
python3 "$here/scale.py" --chaffinch "$tmp/chaffinch" --work "$work" --sizes "$sizes" --memory "$memory"
