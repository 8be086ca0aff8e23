#!/usr/bin/env bash
# Builds a recipe in one process, and on Flink with two task managers; in the middle of
# that it kills one of the workers with -9, later a task manager, in whose place another
# one begins. Then it compares exports and verticals.
#
#   flink.sh CHAFFINCH CHAFFINCH-BEAM FOLDER RECIPE INPUT...
#
# The recipe has a first removal of duplicates by exact. SHARD is the size of shards.
set -euo pipefail
[ $# -ge 5 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
chaffinch=$1 beam=$2 folder=$3 recipe=$4
shift 4
mkdir -p "$folder"
cluster() { "$here/../../../build/beam/flink/cluster.sh" "$folder/flink" "$@"; }
"$chaffinch" build "$recipe" "$@" -q -o "$folder/one" || [ $? = 1 ]
cluster start
trap 'cluster stop' EXIT
started=$SECONDS
"$beam" "$recipe" "$@" -o "$folder/many" --shard-size "${SHARD:-1MB}" --runner flink --endpoint localhost:8099 --parallelism 2 &
build=$!

# made STEP N: waits until a step has done N tasks.
made() {
	until [ "$(find "$folder/many/$1" -maxdepth 1 -name '*.json' 2>/dev/null | wc -l)" -ge "$2" ]; do
		kill -0 $build || { echo "the build has ended before $2 tasks of $1 were done"; exit 1; }
		sleep 0.2
	done
}

made pages 5
worker=$(pgrep -P "$(cat "$folder/flink/run/task-0.pid")" | head -n 1)
kill -9 "$worker"
echo "$((SECONDS - started)) s: killed worker $worker, with $(find "$folder/many/pages" -maxdepth 1 -name '*.json' | wc -l) shards cleaned"
made dedup-exact-rewrite 5
manager=$(cat "$folder/flink/run/task-1.pid")
kill -9 "$manager"
echo "$((SECONDS - started)) s: killed task manager $manager, with $(find "$folder/many/dedup-exact-rewrite" -maxdepth 1 -name '*.json' | wc -l) shards rewritten"
cluster more
wait $build || [ $? = 1 ]
echo "$((SECONDS - started)) s: done"
grep -h '"by"' "$folder"/many/*/*.json | sort | uniq -c
python3 - <<'PY'
import json, urllib.request
def ask(path):
    return json.load(urllib.request.urlopen("http://localhost:8081" + path))
for job in ask("/jobs")["jobs"]:
    print("Flink:", job["status"])
    for e in ask(f"/jobs/{job['id']}/exceptions")["exceptionHistory"]["entries"]:
        print("  began again after", e["exceptionName"], "in", e["taskName"])
PY
unpacked() { case $1 in *.zst) zstd -dcq "$1" ;; *.gz) gzip -dc "$1" ;; *) cat "$1" ;; esac; }
(cd "$folder/one" && find . -name '*.jsonl*' -o -name '*.vert*' -o -name '*.txt*' | grep -v '^./steps/.*zst') | while read -r name; do
	a=$(unpacked "$folder/one/$name" | sha256sum) b=$(unpacked "$folder/many/$name" | sha256sum)
	echo "$name ${a%% *} $([ "$a" = "$b" ] && echo the same || echo "DIFFERS: ${b%% *}")"
done
