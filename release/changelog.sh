#!/usr/bin/env bash
# Puts the changelog of a release together: moves the fragments of release/changelog/unreleased
# into changelog/VERSION and writes CHANGELOG.md from all folders of releases, the
# newest first. Running it again takes in fragments that came later.
#   release/changelog.sh 0.2.0 2026-11-22
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?name the version, such as 0.2.0} day=${2:?name the day, such as 2026-11-22}
mkdir -p "release/changelog/$version" release/changelog/unreleased
for fragment in release/changelog/unreleased/*.md; do
	[ -e "$fragment" ] || continue
	to="release/changelog/$version/$(basename "$fragment")"
	[ ! -e "$to" ] || { [ -z "$(tail -c 1 "$to")" ] || echo >> "$to"; cat "$fragment" >> "$to"; rm "$fragment"; continue; }
	mv "$fragment" "$to"
done
echo "$day" > "release/changelog/$version/day"
touch release/changelog/unreleased/.gitkeep
{
	echo '# Changelog'
	for folder in $(ls -d release/changelog/[0-9]*/ | sort -rV); do
		printf '\n## %s (%s)\n\n' "$(basename "$folder")" "$(cat "$folder/day")"
		for fragment in "$folder"*.md; do
			# A fragment is an item; its own list goes below the item.
			awk 'NR == 1 && !/^- / { print "- " $0; next } /^- / && NR == 1 { print; next } { print ($0 == "" ? "" : "  " $0) }' "$fragment"
		done
	done
} > CHANGELOG.md
