#!/usr/bin/env bash
# Lists the functions in which the program for arm64 multiplies and adds in one instruction. It rounds
# once where other processors round twice, so a last bit can differ and outputs with it. An explicit
# conversion prevents it: sum += float64(a * b). Acceptable in the list are exact products, such as
# doubles and halves, and code of pictures and of figures of evaluations.
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
