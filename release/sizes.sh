#!/usr/bin/env bash
# Compares the sizes of what users download or link with the table of budgets in lab/results/speed.md.
#
#   release/sizes.sh [PROGRAM]      # the library; PROGRAM as release/program.sh builds it
#
# Exits with 1 if one of them exceeds its budget.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# budget NAME: the budget in bytes of a row of the table.
budget() {
	sed -n '/^<!-- sizes -->$/,/^<!-- end -->$/p' lab/results/speed.md | awk -F '|' -v name=" $1 " '$2 == name { gsub(/[ ,]/, "", $3); print $3 }' | grep . ||
		{ echo "sizes: no budget for $1 in lab/results/speed.md" >&2; exit 2; }
}
# check NAME BYTES
check() {
	local most
	most=$(budget "$1")
	printf 'sizes: %s: %d bytes (at most %d)\n' "$1" "$2" "$most"
	[ "$2" -le "$most" ] || failed=1
}
export CGO_ENABLED=0
stripped=(-trimpath -buildvcs=false '-ldflags=-s -w -buildid=') # regardless of the state of the checkout
go build "${stripped[@]}" -o "$work/library" ./examples/library
check library "$(stat -c %s "$work/library")"
[ -z "${1:-}" ] || check command "$(stat -c %s "$1")"
wheel=$(sed -n 's/^MAX_WHEEL = \([0-9_]*\).*/\1/p' python/backend.py) # backend.py holds wheels to it
[ "${wheel//_/}" = "$(budget wheel)" ] || { echo "sizes: wheel: MAX_WHEEL in python/backend.py is ${wheel:-missing}, the budget $(budget wheel)"; failed=1; }
exit $failed
