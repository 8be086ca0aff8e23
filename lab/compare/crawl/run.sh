#!/usr/bin/env bash
# Measures crawlers on a web of many hosts on 127/8, served by a process of its own, in
# one run: pages for each second of processor time, and the most memory. HOSTS and
# PAGES, those of each host, set the size of the web; PACKED=1 has it sent with gzip.
# REAL=DIR serves the HTML files of a folder instead, of which the crawl takes MOST pages.
# Needs curl and GNU time.
set -euo pipefail
cd "$(dirname "$0")"
hosts=${HOSTS:-50} pages=${PAGES:-40}
tmp=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$tmp"' EXIT
go build -o "$tmp/crawl" .
(cd ../../.. && go build -o "$tmp/chaffinch" ./cmd/chaffinch)

port=${PORT:-8099}
web=(-address ":$port" -hosts "$hosts" -pages "$pages")
"$tmp/crawl" "${web[@]}" ${PACKED:+-packed} ${REAL:+-from "$REAL"} serve &
server=$!
until curl -fs -o "$tmp/x" "http://127.1.0.1:$port/robots.txt"; do sleep .1; done

measure() { # NAME PAGES COMMAND...: PAGES is a command that counts them
	local name=$1 count=$2
	shift 2
	/usr/bin/time -f '%U %S %M' -o "$tmp/time" "$@" > "$tmp/said" 2>&1 || { cat "$tmp/said"; exit 1; }
	read -r user system memory < "$tmp/time"
	awk -v name="$name" -v n="$(eval "$count")" -v u="$user" -v s="$system" -v m="$memory" \
		'BEGIN { printf "%-28s %7d pages %8.1f s processor %8.0f pages/s %6.0f MB\n", name, n, u+s, n/(u+s), m/1024 }'
}

said='sed -n "s/.*: \([0-9]*\) pages.*/\1/p" "$tmp/said"'
crawled='cat "$tmp"/c/journal/*.jsonl | grep -c "\"page\":{"'
if [ -z "${REAL:-}" ]; then
	measure "fetch, links, WARC" "$said" "$tmp/crawl" "${web[@]}" -out "$tmp/x.warc.gz" fetch
	measure "colly: fetch, links" "$said" "$tmp/crawl" "${web[@]}" colly
fi
measure "chaffinch crawl" "$crawled" "$tmp/chaffinch" crawl "http://127.1.0.1:$port/" --contact compare@example.org -o "$tmp/c" --allow-private --delay 1ms -q ${REAL:+--max-pages "${MOST:-3000}"}
