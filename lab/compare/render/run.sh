#!/usr/bin/env bash
# Compares the rendering of a simulated web by chaffinch and by Playwright in the same Chromium.
#   lab/compare/render/run.sh [CHROMIUM] [ROUNDS]
# PYTHON is an interpreter with Playwright; its browsers are not needed.
set -euo pipefail
cd "$(dirname "$0")/../../.."
chromium=${1:-/usr/lib/chromium/chromium} rounds=${2:-3} python=${PYTHON:-python3}
work=$(mktemp -d)
go build -o "$work/render" ./lab/compare/render
"$work/render" serve 127.0.0.1:0 > "$work/urls" &
server=$!
trap 'kill $server; rm -r "$work"' EXIT
until [ -s "$work/urls" ]; do sleep .1; done
sleep .2
origin=$(sed -n '1s|/1$||p' "$work/urls")
pages=$(wc -l < "$work/urls")
flags=()
[ "$(id -u)" != 0 ] || flags=(-no-sandbox)
echo "chaffinch"
"$python" lab/compare/render/measure.py "$work/render" pages "${flags[@]}" -rounds "$rounds" "$origin" | tail -1
echo "playwright"
"$python" lab/compare/render/measure.py "$python" lab/compare/render/pages.py "$chromium" "$origin" "$pages" "$rounds" | tail -1
