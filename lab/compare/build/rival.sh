#!/usr/bin/env bash
# Processor time of chaffinch build and of datatrove's local executor for one recipe: main
# text of web archives, Gopher's rules, FineWeb's MinHash, JSON lines; one worker each.
#
#   rival.sh CHAFFINCH FOLDER-OF-WARCS OUT
#
# Needs python3, perf, libmagic and the network (PyPI). Run it with archives of two sizes:
# what the larger takes more is free of the time to start.
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../venv.sh" "$here"
out=$3
mkdir -p "$out"
timed() { # NAME COMMAND...: prints its processor time
	local name=$1
	shift
	perf stat -x, -e task-clock -o "$out/perf" "$@" >"$out/$name.log" 2>&1 || { echo "$name: see $out/$name.log"; return 1; }
	awk -F, -v name="$name" '/task-clock/ { printf "%s: %.2f s of processor time\n", name, $1 / 1000 }' "$out/perf"
}
documents() { # FILE...: their number
	case $1 in *.zst) zstd -dcq "$@" ;; *) gzip -dc "$@" ;; esac | wc -l
}
rm -rf "$out/chaffinch" "$out/datatrove"
timed chaffinch "$1" build "$here/main.yaml" "$2" -o "$out/chaffinch" -q -j 1
timed datatrove "$python" "$here/executor.py" "$2" "$out/datatrove"
echo "documents left: chaffinch $(documents "$out/chaffinch/corpus.jsonl.zst"), datatrove $(documents "$out"/datatrove/kept/*.gz)"
