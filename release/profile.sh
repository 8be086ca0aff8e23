#!/usr/bin/env bash
# Makes main.pgo, the profile by which released programs are compiled: the processor
# time of cleaning pages, archives and text, and of what follows it. Needs the data sets
# beside the checkout. What is compiled changes speed alone, never output; so the file
# is made anew only when the code has moved far from it.
#
#   release/profile.sh [DATA]
set -euo pipefail
data=$(realpath "${1:-../shared/data}")
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/bench" ./lab/bench
go build -o "$tmp/chaffinch" ./cmd/chaffinch
measured='Clean/(html|html-jsonl|warc-gz|dense-vertical|lines)$|Filter|Dedup/(onion|minhash)$|Corpus|Detect/lang-lines'
"$tmp/bench" -programs "$tmp/chaffinch" -data "$data" -work "$tmp/made" -rounds 1 -run "$measured" -o "$tmp/figures" # makes the inputs
n=0
"$tmp/bench" -list -run "$measured" | cut -f 2 | while read -r _ args; do
  args=$(sed "s/{j}/1/; s,{out},$tmp/out,; s,{\([^}]*\)},$tmp/made/\1,g" <<<"$args")
  GOMAXPROCS=1 "$tmp/chaffinch" $args --cpuprofile "$tmp/$((n += 1)).prof" >"$tmp/stdout"
  rm -rf "$tmp/out"
done
go tool pprof -proto "$tmp"/*.prof >release/main.pgo
