#!/usr/bin/env bash
# Loads chaffinch serve, and trafilatura behind FastAPI and uvicorn, with the same pages
# in one run; the library alone says what could be had at best. PAGES is a folder with
# *.html. SECONDS_EACH sets the time of a measurement. Needs python3 and the network (PyPI).
#
#   lab/compare/serve/run.sh PAGES
set -euo pipefail
pages=$(cd "${1:?wanted a folder with *.html}" && pwd)
seconds=${SECONDS_EACH:-10}
cd "$(dirname "$0")"
tmp=$(mktemp -d)
ours= theirs=
trap 'for p in $ours $theirs; do kill "$p"; done; wait; rm -rf "$tmp"' EXIT
. ../venv.sh .
go build -o "$tmp/load" .
go build -o "$tmp/chaffinch" chaffinch/cmd/chaffinch

echo "# the library"
"$tmp/load" -clients 1 -seconds "$seconds" "$pages"

echo "# chaffinch serve, a queue of 1000"
"$tmp/chaffinch" serve --listen 127.0.0.1:8021 --token t --queue 1000 > "$tmp/address" & ours=$!
until curl -fs http://127.0.0.1:8021/readyz > /dev/null; do sleep .1; done
load() { "$tmp/load" -url http://127.0.0.1:8021/v1/clean -token t -pid "$ours" -seconds "$seconds" "$@" "$pages"; }
load -clients 1,8,64,512 | tee "$tmp/full"
half=$(awk '/^8 clients/ { for (i = 1; i <= NF; i++) if ($i == "pages/s") print $(i - 1) / 2 }' "$tmp/full")
echo "# at half of that: $half requests a second"
load -clients 64 -rate "$half"
kill "$ours"; wait "$ours" || true; ours=

echo "# overload: 512 clients, a queue of 64, and 8 clients afterwards"
"$tmp/chaffinch" serve --listen 127.0.0.1:8021 --token t > "$tmp/address" & ours=$!
until curl -fs http://127.0.0.1:8021/readyz > /dev/null; do sleep .1; done
load -clients 512,8
kill "$ours"; wait "$ours" || true; ours=

echo "# trafilatura, FastAPI, uvicorn with a worker for each processor"
"$venv/bin/uvicorn" --log-level warning --no-access-log --workers "$(nproc)" --port 8022 rival:app & theirs=$!
for i in $(seq 100); do
	curl -fs -o /dev/null -X POST -d '<p>x' http://127.0.0.1:8022/clean && break
	sleep .2
	[ "$i" -lt 100 ] || { echo "the rival does not answer"; exit 1; }
done
"$tmp/load" -url http://127.0.0.1:8022/clean -pid "$theirs" -clients 1,8 -seconds "$seconds" "$pages"
