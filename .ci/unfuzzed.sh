#!/usr/bin/env bash
# Prints each package with fuzzers that has changed since its fuzzers last passed, and a
# checksum of its sources, which the caller writes to FUZZ_CORPUS/PACKAGE/.passed when they have
# passed again. Sources are the files below the folders of the package and of the packages of this module that it and its tests
# import, and the versions of everything else.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git ls-files -z --cached --others --exclude-standard | { xargs -0 sha256sum 2>/dev/null || true; } | sort -k 2 >"$work/files"
others=$( (go version; cat go.mod go.sum) | sha256sum)
own=$(go list -m)
# report PACKAGE: prints it if the files on standard input differ from the files that passed.
report() {
	local sum
	sum=$(cat - <(printf '%s\n' "$others") | sha256sum | cut -d ' ' -f 1)
	[ "$(cat "$FUZZ_CORPUS/${1#./}/.passed" 2>/dev/null)" = "$sum" ] || printf '%s %s\n' "$1" "$sum"
}
grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u >"$work/packages"
modules=$(git ls-files '*/go.mod' | xargs -n 1 dirname) # others than this one
for module in $modules; do
	{ grep -E "^\./$module(/|\$)" "$work/packages" || true; } | while read -r package; do
		grep " $module/" "$work/files" | report "$package"
	done
done
grep -vE "^\./($(paste -sd '|' <<<"$modules"))(/|\$)" "$work/packages" | xargs go list -test -f '{{if and (eq .Name "main") (not .ForTest)}}{{.ImportPath}} {{join .Deps " "}}{{end}}' | grep '\.test ' |
	while read -r test deps; do
		package=${test#"$own/"}
		grep -o "\b$own/[^] ]*" <<<"$deps" | sed "s|^$own/||; s|\.test\$||" | sort -u >"$work/folders"
		awk 'FNR == NR { deps[$1]; next } { dir = $2; while (sub(/\/[^\/]*$/, "", dir)) if (dir in deps) { print; next } }' "$work/folders" "$work/files" |
			report "./${package%.test}"
	done
