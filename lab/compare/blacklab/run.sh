#!/usr/bin/env bash
# Indexes a vertical with BlackLab and with chaffinch corpus, and compares build
# time, peak memory, size and the counts of the queries in queries.tsv.
#
#   lab/compare/blacklab/run.sh [--data DIR] [--vertical FILE] [--heap SIZE] [--keep DIR]
#
# Without --vertical one of some 7.6 million tokens is made of the pages in
# DIR/*.tar.zst (default: ../shared/data/eval beside the checkout). --heap bounds
# the heap of Java (default 1g); --keep DIR keeps vertical and indexes.
# Needs Java 17, Maven, GNU time, python3 and, on first use, Maven Central.
# Exit code 1 if a count differs without a known reason or ours is not faster and smaller.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
data=$root/../shared/data/eval vertical= heap=1g keep=
while [ $# -gt 0 ]; do
  case $1 in
    --data) data=$2; shift 2 ;;
    --vertical) vertical=$2; shift 2 ;;
    --heap) heap=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
classes=$("$here/classes.sh" "$tmp/classes" "$here/BlackLabRun.java")
work=${keep:-$tmp}
mkdir -p "$work"
work=$(cd "$work" && pwd)
(cd "$root" && go build -trimpath -o "$tmp/chaffinch" ./cmd/chaffinch)
if [ -z "$vertical" ]; then
  vertical=$work/pages.vert
  for set in "$data"/*.tar.zst; do
    [ -e "$set" ] || { echo "run.sh: no *.tar.zst in $data: name the folder with --data" >&2; exit 2; }
    mkdir -p "$tmp/pages/$(basename "$set" .tar.zst)"
    zstd -dcq "$set" | tar -x -C "$tmp/pages/$(basename "$set" .tar.zst)"
  done
  mapfile -t html < <(cd "$tmp/pages" && find . -type d -name html | LC_ALL=C sort)
  (cd "$tmp/pages" && "$tmp/chaffinch" clean -q --force "${html[@]}" -o "$vertical") || [ $? = 1 ] # 1: some file is empty
fi
"$tmp/chaffinch" vertical registry --name pages --dir "$work/registry" "$vertical"
python3 "$here/compare.py" --chaffinch "$tmp/chaffinch" --lib "$classes" --heap "$heap" \
  --format "$work"/registry/*.blf.yaml --work "$work" --vertical "$vertical" --queries "$here/queries.tsv"
