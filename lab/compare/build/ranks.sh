#!/usr/bin/env bash
# Builds a recipe in one process, and by ranks of which one in each round is killed with -9
# and whose number changes from round to round; then compares the exports and verticals.
# ranks.sh CHAFFINCH FOLDER RECIPE INPUT...
set -euo pipefail
chaffinch=$1 folder=$2 recipe=$3
shift 3
mkdir -p "$folder"
"$chaffinch" build "$recipe" "$@" -q -o "$folder/one" || [ $? = 1 ]
killed=0
for round in $(seq "${ROUNDS:-9}"); do
	of=$((round % 2 ? 5 : 3))
	pids=()
	for rank in $(seq 0 $((of - 1))); do
		"$chaffinch" build "$recipe" "$@" -q -o "$folder/many" --rank "$rank/$of" --shard-size "${SHARD:-60kB}" 2>/dev/null &
		pids+=($!)
	done
	sleep "0.$((RANDOM % 9 + 1))"
	kill -9 "${pids[$((RANDOM % of))]}" 2>/dev/null && killed=$((killed + 1))
	wait "${pids[@]}" 2>/dev/null || true
done
"$chaffinch" build "$recipe" "$@" -q -o "$folder/many" --rank 0/1
"$chaffinch" build merge "$folder/many" -q || [ $? = 1 ]
echo "$killed killed"
same=0
while read -r name; do
	unpacked() { case $1 in *.zst) zstd -dcq "$1" ;; *.gz) gzip -dc "$1" ;; *) cat "$1" ;; esac; }
	cmp <(unpacked "$folder/one/$name") <(unpacked "$folder/many/$name") && same=$((same + 1))
done < <(cd "$folder/one" && find . -name '*.jsonl*' -o -name '*.vert*' -o -name '*.txt*' | grep -v steps/)
echo "$same files the same"
