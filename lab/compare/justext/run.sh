#!/usr/bin/env bash
# Compares the method justext with jusText 3.0.2 on 500 pages, with the same stop lists.
#
#   run.sh [--data DIR] [SET ...]
#
# DIR holds the data sets (default: ../shared/data/eval beside the checkout).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../../../shared/data/eval
[ "${1-}" = --data ] && { data=$2; shift 2; }
sets=("$@")
[ ${#sets[@]} -gt 0 ] || sets=(cleaneval-en-dev wcxb-dev dragnet daniel zh-news canola l3s-gn1 google-trends-2017 trafilatura-segments newspaper4k)
. "$here/../venv.sh" "$here/.."
data=$(realpath "$data")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$here/../../.."
go build -o "$tmp/agree" ./lab/compare/justext/agree
"$tmp/agree" -export "$tmp/lists"
"$python" "$here/dump.py" --data "$data" --lists "$tmp/lists" --pages 500 "${sets[@]}" >"$tmp/dump.jsonl"
"$tmp/agree" -lists "$tmp/lists" -data "$data" "$tmp/dump.jsonl"
