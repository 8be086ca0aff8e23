#!/usr/bin/env bash
# Times chaffinch clean against trafilatura on the same pages, in one run.
#
#   speed.sh [--set NAME] [--data DIR] [--method METHOD] [--rounds N]
#
# The set (default wcxb-dev) is unpacked to a temporary folder. Then, N times
# (default 3) in turn, each program in one process reads the pages there and
# writes a text for each: chaffinch with --jobs 1 and GOMAXPROCS=1, trafilatura
# with its defaults. Printed are the pages a second of wall time, best of each,
# the same of processor time, and their ratios. The start of Python and its
# imports do not count for trafilatura; the start of chaffinch does.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
set_=wcxb-dev data=$here/../../../shared/data/eval method=all rounds=3
while [ $# -gt 0 ]; do
  case $1 in
    --set) set_=$2 ;;
    --data) data=$2 ;;
    --method) method=$2 ;;
    --rounds) rounds=$2 ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
  shift 2
done
. "$here/venv.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
pages=$data/$set_
if [ ! -d "$pages" ]; then
  mkdir "$tmp/set"
  "$python" - "$data/$set_.tar.zst" "$tmp/set" <<'PY'
import pathlib, sys
import zstandard, tarfile
with open(sys.argv[1], 'rb') as f, zstandard.ZstdDecompressor().stream_reader(f) as z, tarfile.open(fileobj=z, mode='r|') as tar:
    out = pathlib.Path(sys.argv[2], 'html')
    out.mkdir()
    for m in tar:
        if m.isfile() and '/html/' in '/' + m.name:
            (out / pathlib.PurePath(m.name).name).write_bytes(tar.extractfile(m).read())
PY
  pages=$tmp/set
fi
(cd "$here/../.." && go build -trimpath -o "$tmp/chaffinch" ./cmd/chaffinch)
n=$(find "$pages/html" -type f | wc -l)
TIMEFORMAT='%R %U %S'
for round in $(seq "$rounds"); do
  rm -rf "$tmp/ours"
  { time GOMAXPROCS=1 "$tmp/chaffinch" clean --quiet --jobs 1 --method "$method" "$pages/html" -o "$tmp/ours/" 2>"$tmp/errors" || true; } 2>&1 |
    awk -v n="$n" '{ print n / $1, n / ($2 + $3) }' >>"$tmp/ours.rates"
  "$python" "$here/rivals.py" --set "$pages" --out "$tmp/theirs" trafilatura |
    "$python" -c 'import json, sys; d = json.load(sys.stdin); print(d["pages"] / d["wall_s"], d["pages"] / d["cpu_s"])' >>"$tmp/theirs.rates"
  echo "round $round: chaffinch $(tail -1 "$tmp/ours.rates"), trafilatura $(tail -1 "$tmp/theirs.rates") pages a second of wall and processor time" >&2
done
best() { sort -g -k"$1" "$2" | tail -1 | cut -d' ' -f"$1"; }
for k in 1 2; do
  awk -v kind="$([ $k = 1 ] && echo wall || echo processor)" -v o="$(best $k "$tmp/ours.rates")" -v t="$(best $k "$tmp/theirs.rates")" -v set="$set_" -v n="$n" -v m="$method" \
    'BEGIN { printf "%s, %d pages, %s time: chaffinch %s %.0f pages/s, trafilatura %.1f pages/s, ratio %.1f\n", set, n, kind, m, o, t, o / t }'
done
