#!/usr/bin/env bash
# Reads WARC files with Chaffinch and with FastWARC in turn, five times each, and
# prints the time of each run by the clock, and its processor time (user and system), start included.
#
#   lab/compare/warc/run.sh FILE.warc.gz...
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: lab/compare/warc/run.sh FILE.warc.gz..."; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../venv.sh" "$here"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
(cd "$here/../../.." && go build -o "$out/chaffinch" ./cmd/chaffinch)
TIMEFORMAT='%R s by the clock, %U + %S s'
for _ in 1 2 3 4 5; do
  printf 'chaffinch '; time "$out/chaffinch" warc ls "$@" > "$out/records"
  printf 'FastWARC  '; time "$python" "$here/read.py" "$@" > "$out/read"
done 2>&1
printf 'chaffinch: %s records; FastWARC: %s\n' "$(wc -l < "$out/records")" "$(cat "$out/read")"
