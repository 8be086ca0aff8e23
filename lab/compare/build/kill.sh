#!/usr/bin/env bash
# Builds a corpus with all kinds of steps, and a second one that is killed up to ten
# times in different steps; compares all files of both, and builds the second again.
#
#   kill.sh CHAFFINCH OUT INPUT...
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2; }
program=$1 out=$2
shift 2
build() { exec "$program" build "$here/whole.yaml" "$@" -q; }
at_work() {
  python3 - "$out/b/build.json" <<'PY'
import json, sys
try:
    with open(sys.argv[1]) as f:
        print(next((s["name"] for s in json.load(f)["steps"] if not s["done"]), ""))
except OSError:
    pass
PY
}
mkdir -p "$out"
(build "$@" -o "$out/a") || [ $? -eq 1 ] || exit 2
kills=0
for step in clean clean clean filter dedup-exact dedup-onion vertical vertical index export-corpus.jsonl.zst; do
  build "$@" -o "$out/b" 2>/dev/null &
  pid=$!
  while kill -0 $pid 2>/dev/null; do
    [ "$(at_work)" = $step ] || continue
    case $step in clean | vertical) sleep $((1 + RANDOM % 3)) ;; *) sleep 0.$((RANDOM % 3)) ;; esac
    kill -9 $pid 2>/dev/null && kills=$((kills + 1)) && echo "killed in $step"
    break
  done
  wait $pid 2>/dev/null
done
(build "$@" -o "$out/b") || [ $? -eq 1 ] || exit 2
for way in a b; do
  (cd "$out/$way" && find . -type f ! -name build.json ! -name report.html ! -name .lock -print0 | sort -z | xargs -0 sha256sum) > "$out/$way.sums"
done
cmp "$out/a.sums" "$out/b.sums" && echo "after $kills kills the same: $(wc -l < "$out/a.sums") files"
"$program" build "$here/whole.yaml" "$@" -o "$out/b" 2>&1 | tail -1
