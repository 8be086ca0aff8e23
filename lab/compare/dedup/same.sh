#!/usr/bin/env bash
# Shows that the output of chaffinch dedup depends on nothing but its input:
# SHA-256 for 1, 2 and 8 workers, for little memory, for shuffled input with
# --order id, and for a run that was killed many times and resumed.
#
#   same.sh --chaffinch PROGRAM [--data DIR] [--size 1GB] [--kills 20] [--dir DIR] [METHOD ...]
#
# METHOD is what stands after chaffinch dedup -m, such as "minhash --preset nemo";
# default: onion and minhash. Needs GNU shuf.
set -euo pipefail
chaffinch= data=../shared/data size=1GB kills=20 dir=${TMPDIR:-/tmp} methods=()
while [ $# -gt 0 ]; do
  case $1 in
    --chaffinch) chaffinch=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --size) size=$2; shift 2 ;;
    --kills) kills=$2; shift 2 ;;
    --dir) dir=$2; shift 2 ;;
    -h | --help | -*) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) methods+=("$1"); shift ;;
  esac
done
[ -n "$chaffinch" ] || { echo "same.sh: no --chaffinch" >&2; exit 2; }
[ ${#methods[@]} -gt 0 ] || methods=(onion minhash)
work=$(mktemp -d "$dir/dedup-same-XXXXXX")
trap 'rm -rf "$work"' EXIT
docs=$work/docs.jsonl out=$work/out.jsonl
"$chaffinch" eval dedup --data "$data" --half dev --grow "$size" --save-docs "$docs"
failed=0
check() { # name: compares the output with the first one
  sum=$(sha256sum < "$out" | cut -c1-16)
  rm -f "$out"
  [ -n "${want:-}" ] || want=$sum
  if [ "$sum" = "$want" ]; then echo "$method: $1: $sum"; else echo "$method: $1: $sum, not $want"; failed=1; fi
}
for method in "${methods[@]}"; do
  want=
  run() { "$chaffinch" dedup -q -m $method --order id -o "$out" "$@"; }
  for jobs in 1 2 8; do
    run -j $jobs "$docs"
    check "$jobs workers"
  done
  run --memory 64MiB "$docs"
  check "64 MiB of memory"
  shuf --random-source=<(yes) "$docs" > "$work/shuffled.jsonl"
  run "$work/shuffled.jsonl"
  check "shuffled"
  rm "$work/shuffled.jsonl"
  # Killed at places spread over the time that an unbroken run takes.
  began=$(date +%s%N)
  run "$docs"
  whole=$((($(date +%s%N) - began) / 1000000))
  check "again"
  step=$((whole / (kills + 2) + 1)) killed=0 resume=
  while :; do
    "$chaffinch" dedup -q -m $method --order id --checkpoint 1s -o "$out" $resume "$docs" &
    pid=$!
    if [ $killed -lt "$kills" ]; then
      sleep "$(awk "BEGIN {print ($step + $killed % 5 * $step / 4) / 1000}")"
      if kill -9 $pid 2> /dev/null; then killed=$((killed + 1)); fi
    fi
    if wait $pid 2> /dev/null; then break; fi
    resume=--resume
    [ -e "$out.work" ] || resume=
  done
  check "killed $killed times"
done
exit $failed
