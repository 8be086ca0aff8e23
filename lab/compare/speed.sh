#!/usr/bin/env bash
# Times chaffinch clean and the rivals on the same pages, on one core, in one run.
#
#   speed.sh [--set NAME[,NAME...]] [--data DIR] [--method METHOD]... [--rounds N]
#            [--pages N] [--cpu N] [--json FILE] [RIVAL ...]
#
# Default sets: wcxb-dev, cleaneval-en-dev, daniel; default rivals: dom_smoothie
# resiliparse go-readability rs-trafilatura go-trafilatura trafilatura; default method: that of
# chaffinch clean. Each program reads the pages of a folder, one file each, and
# writes a text file for each. Sets of fewer than --pages pages (default 900) are
# copied until they have as many. More: speed.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sets=wcxb-dev,cleaneval-en-dev,daniel data=$here/../../../shared/data/eval methods=() pass=() rivals=()
while [ $# -gt 0 ]; do
  case $1 in
    --set) sets=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --method) methods+=("$2"); shift 2 ;;
    --rounds | --pages | --cpu | --json) pass+=("$1" "$2"); shift 2 ;;
    -*) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) rivals+=("$1"); shift ;;
  esac
done
[ ${#methods[@]} -gt 0 ] || methods=(default)
[ ${#rivals[@]} -gt 0 ] || rivals=(dom_smoothie resiliparse go-readability rs-trafilatura go-trafilatura trafilatura)
. "$here/programs.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$here/../.." && go build -trimpath -o "$tmp/chaffinch" ./cmd/chaffinch)
args=()
for m in "${methods[@]}"; do
  args+=(--program "chaffinch $m" "$tmp/chaffinch clean --quiet --jobs 1$([ "$m" = default ] || echo " --method $m") {set}/html -o {out}/")
done
for r in "${rivals[@]}"; do
  p=$(program "$r")
  args+=(--program "$r" "$p --set {set} --out {out} $r")
done
for s in ${sets//,/ }; do
  pages=$(unpacked "$s" "$data" "$tmp")
  args+=(--set "$pages")
done
"$python" "$here/speed.py" "${args[@]}" "${pass[@]}"
