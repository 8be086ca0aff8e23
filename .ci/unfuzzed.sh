#!/usr/bin/env bash
# Prints each package with fuzzers whose folder has changed since its fuzzers last passed, and a
# checksum of its files, which the caller writes to FUZZ_CORPUS/PACKAGE/.passed when they have
# passed again. Changes of imports do not count: imports have fuzzers of their own, and a change
# must not fail for an old mistake that a fuzzer finds by chance elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
others=$( (go version; cat go.mod go.sum) | sha256sum)
git ls-files -z --cached --others --exclude-standard -- '*_test.go' | xargs -0 grep -l '^func Fuzz' | xargs -n 1 dirname | sort -u |
	while read -r package; do
		sum=$(git ls-files -z --cached --others --exclude-standard -- ":(glob)$package/*" ":(glob)$package/testdata/**" |
			xargs -0 sha256sum | cat - <(printf '%s\n' "$others") | sha256sum | cut -d ' ' -f 1)
		[ "$(cat "$FUZZ_CORPUS/$package/.passed" 2>/dev/null)" = "$sum" ] || printf './%s %s\n' "$package" "$sum"
	done
