#!/usr/bin/env bash
# Measures crawlers on a web of many hosts on 127/8, served by a separate process, in
# one run: pages per second of processor time, and peak memory. Then the crawlers visit a
# smaller web with a delay; the server's log decides whether they keep the delay and robots.txt.
# HOSTS and PAGES, the pages of each host, set the size of the web; PACKED=1 serves it with gzip.
# REAL=DIR serves the HTML files of a folder instead, of which the crawl takes MOST pages.
# Needs curl, GNU time, python3 and the network (PyPI).
set -euo pipefail
cd "$(dirname "$0")"
hosts=${HOSTS:-50} pages=${PAGES:-40}
tmp=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$tmp"' EXIT
go build -o "$tmp/crawl" .
(cd ../../.. && go build -o "$tmp/chaffinch" ./cmd/chaffinch)
. ../venv.sh .

port=${PORT:-8099}
seed="http://127.1.0.1:$port/"
web=(-address ":$port" -hosts "$hosts" -pages "$pages")
serve() { # FLAGS...
	[ -z "$server" ] || { kill "$server"; wait "$server" || true; }
	"$tmp/crawl" "$@" serve &
	server=$!
	until curl -fs -o "$tmp/x" "${seed}robots.txt"; do sleep .1; done
}

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
ours=("$tmp/chaffinch" crawl "$seed" --contact compare@example.org -o "$tmp/c" --allow-private -q)

serve "${web[@]}" ${PACKED:+-packed} ${REAL:+-from "$REAL"}
if [ -z "${REAL:-}" ]; then
	measure "fetch, links, WARC" "$said" "$tmp/crawl" "${web[@]}" -out "$tmp/x.warc.gz" fetch
	measure "colly: fetch, links" "$said" "$tmp/crawl" "${web[@]}" colly
	measure "Scrapy: fetch, links" "$said" "$python" spider.py "$seed"
fi
measure "chaffinch crawl" "$crawled" "${ours[@]}" --delay 1ms ${REAL:+--max-pages "${MOST:-3000}"}
[ -z "${REAL:-}" ] || exit 0

delay=.5
web=(-address ":$port" -hosts 20 -pages 10 -delay "${delay}s" -secret)
echo "with a delay of $delay s:"
for name in colly Scrapy chaffinch; do
	serve "${web[@]}" -log "$tmp/log"
	: > "$tmp/log"
	case $name in
		colly) measure "$name" "$said" "$tmp/crawl" "${web[@]}" colly ;;
		Scrapy) measure "$name" "$said" "$python" spider.py "$seed" "$delay" ;;
		chaffinch)
			rm -r "$tmp/c"
			measure "$name" "$crawled" "${ours[@]}" --delay "${delay}s"
			;;
	esac
	"$tmp/crawl" "${web[@]}" judge "$tmp/log"
done
