#!/usr/bin/env bash
# Indexes a vertical with Chaffinch, CWB and BlackLab, asks the same queries in turn, and prints tables
# of times, memory and sizes. Counts are compared.
#
#   lab/compare/query/run.sh --vertical FILE --cwb DIR [--heap SIZE] [--keep DIR] [--rounds N]
#
# The vertical has one column. DIR of --cwb holds cqp, cwb-encode, cwb-makeall, cwb-huffcode and
# cwb-compress-rdx. --heap bounds the heap of Java (default 2g); --keep DIR keeps the indexes, and uses
# indexes that are there. Needs Java 17, Maven, GNU time, python3 and, on first use, Maven Central.
# Exit code 1 if a count differs without a known reason.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
vertical= cwb= heap=2g keep= rounds=7
while [ $# -gt 0 ]; do
  case $1 in
    --vertical) vertical=$2; shift 2 ;;
    --cwb) cwb=$2; shift 2 ;;
    --heap) heap=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    --rounds) rounds=$2; shift 2 ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
classes=$("$here/../blacklab/classes.sh" "$tmp/classes" "$here/../blacklab/BlackLabRun.java" "$here/QueryRun.java")
(cd "$root" && go build -trimpath -o "$tmp/chaffinch" ./cmd/chaffinch && go build -trimpath -o "$tmp/query" ./lab/compare/query)
work=${keep:-$tmp/work}
mkdir -p "$work"
work=$(cd "$work" && pwd)
"$here/index.sh" "$work" "$vertical" "$tmp/chaffinch" "$cwb" "$classes" "$heap"
python3 "$here/compare.py" --work "$work" --query "$tmp/query" --cwb "$cwb" --classes "$classes" --heap "$heap" \
  --queries "$here/queries.tsv" --rounds "$rounds"
