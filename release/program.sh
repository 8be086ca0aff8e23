#!/usr/bin/env bash
# Builds the program as releases have it: stripped, by the profile main.pgo, and the
# packages of cold.txt without inlining. GOOS and GOARCH name the platform.
#
#   release/program.sh OUT
set -euo pipefail
out=$(realpath -m "${1:?name the file of the program}")
cd "$(dirname "$0")/.."
cold=()
while read -r package; do
	[[ -z $package || $package == '#'* ]] || cold+=("-gcflags=$package=-l")
done <release/cold.txt
CGO_ENABLED=0 go build -trimpath -pgo=release/main.pgo "${cold[@]}" -ldflags='-s -w -buildid=' -o "$out" ./cmd/chaffinch
