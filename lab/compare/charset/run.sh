#!/usr/bin/env bash
# Asks other detectors for the encodings of the files of charset/charset.tar.zst, for chaffinch eval charset --predictions.
#
#   run.sh [--data DIR] [--out DIR] [RIVAL ...]
#
# DIR is the unpacked archive, or else ../shared/data/charset/charset.tar.zst beside the checkout is unpacked. The answers go to OUT/<rival>.jsonl
# (default OUT: compare-out/charset), a line with the processor time of each rival to standard output. Needs python3, Go and, on first use, the network.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
data='' out=compare-out/charset rivals=()
while [ $# -gt 0 ]; do
  case $1 in
    --data) data=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    -h | --help | -*) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) rivals+=("$1"); shift ;;
  esac
done
. "$here/../venv.sh" "$here"
mkdir -p "$out"
(cd "$here/go" && go build -trimpath -o "$venv/rivals-go" .)
if [ -z "$data" ]; then
  tmp=$(mktemp -d)
  trap 'rm -rf "$tmp"' EXIT
  zstd -dc "$here/../../../../shared/data/charset/charset.tar.zst" | tar -x -C "$tmp"
  data=$tmp/charset
fi
python=() go=()
for r in "${rivals[@]}"; do
  case $r in gogs | saintfish | wlynxg | x-net) go+=("$r") ;; *) python+=("$r") ;; esac
done
[ ${#rivals[@]} -gt 0 ] && [ ${#python[@]} -eq 0 ] || "$venv/bin/python" "$here/rivals.py" --data "$data" --out "$out" "${python[@]}"
[ ${#rivals[@]} -gt 0 ] && [ ${#go[@]} -eq 0 ] || GOMAXPROCS=1 "$venv/rivals-go" --data "$data" --out "$out" "${go[@]}"
