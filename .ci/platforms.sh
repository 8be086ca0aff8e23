#!/usr/bin/env bash
# Checks what only macOS and Windows compile: the types of all packages and tests, and vet
# for each package with files that Linux does not compile. Vet needs compiled imports, so it
# gets the files of such a package without its tests, which import most of the module, and
# leaves out packages that import most of it themselves: 20 s instead of 350 s of processor time.
set -euo pipefail
cd "$(dirname "$0")/.."
types=$(mktemp)
trap 'rm -f "$types"' EXIT
go build -modfile=.ci/tools.mod -o "$types" .ci/types.go
"$types" darwin windows
export CGO_ENABLED=0
files='{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}'
for system in darwin windows; do
	comm -13 <(go list -f "$files" ./... | sort -u) <(GOOS=$system go list -f "$files" ./... | sort -u) |
		xargs -n 1 dirname | sort -u | while read -r dir; do
		[ "$(cd "$dir" && GOOS=$system go list -deps . | wc -l)" -gt 200 ] || (cd "$dir" && GOOS=$system go list -f '{{range .GoFiles}}{{.}} {{end}}' . | GOOS=$system xargs go vet)
	done
done
