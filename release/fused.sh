#!/usr/bin/env bash
# Lists where the program for arm64 multiplies and adds in one step, which rounds once where
# other processors round twice, so that a last bit can differ. A product of numbers that are not whole stands in
# a conversion where it is added up: sum += float64(a * b). What is left should be exact (halves, doubles) or of pictures and
# figures of evaluations.
#
#   release/fused.sh [PROGRAM]       # of a program for arm64 that was built before
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-}
if [ -z "$program" ]; then
	program=$(mktemp)
	trap 'rm -f "$program"' EXIT
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 go build -trimpath -o "$program" ./cmd/chaffinch
fi
go tool objdump -s '^(chaffinch/|main\.)' "$program" | awk '
	/^TEXT/ { name = $2; dir = $3; sub(/\/[^\/]*$/, "", dir) }
	/[\t ]FN?M(ADD|SUB)/ { print dir "/" $1, name }' | sed 's/(SB)//' | sort -u
