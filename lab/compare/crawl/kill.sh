#!/usr/bin/env bash
# Kills a crawl of made pages KILLS times (kill -9), after about as many pages each time, lets it go on each time,
# and looks at what is there at the end: every page fetched and kept once, archives without
# a fault, and how many requests the server saw twice. HOSTS and PAGES, those of each host,
# set the size of the web. Needs curl.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")"
hosts=${HOSTS:-100} pages=${PAGES:-220} kills=${KILLS:-20} port=${PORT:-8098}
tmp=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$tmp"' EXIT
go build -o "$tmp/web" .
(cd ../../.. && go build -o "$tmp/chaffinch" ./cmd/chaffinch)
"$tmp/web" -address ":$port" -hosts "$hosts" -pages "$pages" -log "$tmp/log" serve &
server=$!
until curl -fs -o "$tmp/x" "http://127.1.0.1:$port/robots.txt"; do sleep .1; done

crawl=("$tmp/chaffinch" crawl -o "$tmp/c" --allow-private --delay 1ms -q)
fetched() { cat "$tmp"/c/journal/*.jsonl | sed -n 's/.*"page":{"url":"\([^"]*\)".*/\1/p'; }

seeds="http://127.1.0.1:$port/ --contact kill@example.org"
done=0
while [ "$done" -lt "$kills" ]; do
	"${crawl[@]}" $seeds & # a list of words
	pid=$!
	seeds=
	until [ "$(stat -c %s "$tmp/c/text.jsonl" 2> "$tmp/x" || echo 0)" -gt "$((hosts * pages * 25000 / (kills + 2) * (done + 1)))" ] || ! kill -0 "$pid" 2> "$tmp/x"; do sleep .1; done
	sleep ".$((RANDOM % 10))"
	kill -9 "$pid" 2> "$tmp/x" || { echo "the crawl ended after $done kills: make PAGES larger"; exit 1; }
	wait "$pid" 2> "$tmp/x" || true
	done=$((done + 1))
done
killed_at=$(fetched | wc -l)
"${crawl[@]}"

fetched | sort > "$tmp/fetched"
"$tmp/chaffinch" warc check "$tmp"/c/warc/*.warc.gz
"$tmp/chaffinch" warc index "$tmp"/c/warc/*.warc.gz | sed -n 's/.*"url": *"\([^"]*\)".*/\1/p' | grep -v '/robots.txt$' | sort > "$tmp/archived"
grep -o '"url":"[^"]*"' "$tmp/c/text.jsonl" | cut -d\" -f4 | sort > "$tmp/kept"
bad=0
tell() { printf '%-44s %8d\n' "$1" "$2"; }
want() { tell "$1" "$2"; [ "$2" -eq "$3" ] || { echo "  wanted $3"; bad=1; }; }
tell "pages fetched when it was killed last" "$killed_at"
want "pages fetched" "$(wc -l < "$tmp/fetched")" $((hosts * pages + hosts))
want "pages fetched twice" "$(uniq -d "$tmp/fetched" | wc -l)" 0
want "answers in the archives, as fetched" "$(comm -12 "$tmp/fetched" "$tmp/archived" | wc -l)" $((hosts * pages + hosts))
want "answers in the archives twice" "$(uniq -d "$tmp/archived" | wc -l)" 0
want "records of pages that were not fetched" "$(comm -13 "$tmp/fetched" "$tmp/kept" | wc -l)" 0
want "records twice" "$(uniq -d "$tmp/kept" | wc -l)" 0
tell "records (others are duplicates)" "$(wc -l < "$tmp/kept")"
tell "requests that the server saw more than once" "$(cut -d' ' -f3 "$tmp/log" | grep -v '/robots.txt$' | sort | uniq -d | wc -l)"
exit "$bad"
