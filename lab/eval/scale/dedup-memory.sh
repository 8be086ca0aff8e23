#!/usr/bin/env bash
# Measures the most memory that chaffinch dedup takes (peak resident set, as the
# kernel counts it) on collections of 1, 4 and 16 times what --memory allows. The
# figures are those of lab/results/scale.md. Exit code 1 if one is more than 10 % above.
#
#   lab/eval/scale/dedup-memory.sh [--data DIR] [--keep DIR] [--memory MIB]
#                              [--times 1,4,16] [--jobs N] [--methods "onion minhash"]
#                              [--chaffinch FILE]
#
# The collections are grown by chaffinch eval dedup --grow from the texts of DIR
# (default: ../shared/data beside the checkout), with copies planted in them, the
# same each time; they are made once in the folder of --keep. Needs GNU time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
data=$root/../shared/data keep= memory=256 times=1,4,16 jobs=2 methods="onion minhash exact decontaminate" chaffinch=
while [ $# -gt 0 ]; do
  case $1 in
    --data) data=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    --memory) memory=$2; shift 2 ;;
    --times) times=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --methods) methods=$2; shift 2 ;;
    --chaffinch) chaffinch=$2; shift 2 ;;
    *) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
gnutime=$(type -P time) || { echo "dedup-memory.sh: no GNU time: install the package time" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
work=${keep:-$tmp}
mkdir -p "$work"
work=$(cd "$work" && pwd)
if [ -z "$chaffinch" ]; then
  chaffinch=$tmp/chaffinch
  (cd "$root" && go build -trimpath -o "$chaffinch" ./cmd/chaffinch)
fi
over=0
printf '%-14s %10s %10s %10s %8s %8s\n' method "data MiB" "memory MiB" "peak MiB" share seconds
for n in ${times//,/ }; do
  size=$((n * memory))
  file=$work/grown-$size.jsonl
  if [ ! -e "$file" ]; then
    "$chaffinch" eval dedup --data "$data" --grow "${size}MiB" --save-docs "$file.part.jsonl" > /dev/null
    mv "$file.part.jsonl" "$file"
  fi
  head -n 20 "$file" > "$tmp/tests.jsonl"
  for m in $methods; do
    against=()
    [ "$m" != decontaminate ] || against=(--against "$tmp/tests.jsonl")
    "$gnutime" -f '%M %e' -o "$tmp/time" "$chaffinch" dedup -q --force -m "$m" ${against[@]+"${against[@]}"} --memory "${memory}MiB" -j "$jobs" \
      --work-dir "$work/work" "$file" -o "$work/out.jsonl"
    rm -f "$work/out.jsonl"
    read -r peak seconds < <(tail -n 1 "$tmp/time")
    awk -v m="$m" -v d="$size" -v a="$memory" -v p="$peak" -v s="$seconds" \
      'BEGIN { printf "%-14s %10d %10d %10.1f %8.3f %8.1f\n", m, d, a, p/1024, p/1024/a, s; exit p/1024/a > 1.1 }' || over=1
  done
done
exit $over
