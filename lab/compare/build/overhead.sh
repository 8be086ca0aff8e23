#!/usr/bin/env bash
# Processor time of one process, of one rank with its merge, and of Beam on Prism for one
# recipe (that of rival.sh), each with one worker, and whether they make the same bytes.
#
#   overhead.sh CHAFFINCH CHAFFINCH-BEAM FOLDER INPUT...
#
# SHARD is the size of shards. Needs perf.
set -euo pipefail
[ $# -ge 4 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
chaffinch=$1 beam=$2 folder=$3
shift 3
mkdir -p "$folder"
export GOMAXPROCS=1
here=$(cd "$(dirname "$0")" && pwd)
timed() { # COMMAND...: prints its processor time, in seconds
	perf stat -x, -e task-clock -o "$folder/perf" "$@" >"$folder/log" 2>&1 || [ $? = 1 ]
	awk -F, '/task-clock/ { printf "%.2f", $1 / 1000 }' "$folder/perf"
}
recipe=$here/main.yaml
rm -rf "$folder"/{one,ranks,beam}
one=$(timed "$chaffinch" build "$recipe" "$@" -q -j 1 -o "$folder/one")
rank=$(timed "$chaffinch" build "$recipe" "$@" -q -j 1 -o "$folder/ranks" --rank 0/1 --shard-size "${SHARD:-64MiB}")
merge=$(timed "$chaffinch" build merge "$folder/ranks" -q)
prism=$(timed "$beam" "$recipe" "$@" -q -o "$folder/beam" --shard-size "${SHARD:-64MiB}")
echo "one process $one s, one rank $rank s and merge $merge s, Beam on Prism $prism s; $(find "$folder/ranks/pages" -name '*.json' | wc -l) shards"
for way in one ranks beam; do zstd -dcq "$folder/$way/corpus.jsonl.zst" | sha256sum; done | sort | uniq -c
