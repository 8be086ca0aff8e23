#!/usr/bin/env bash
# Builds a release: the program for Linux, macOS and Windows on amd64 and arm64,
# each in an archive with LICENSE, NOTICE, README.md and man pages, a bill of
# materials (CycloneDX) for each, and SHA256SUMS.
#
#   release/build.sh [OUT]      # default: dist
#
# Needs Go, tar and zip. The archives of one commit are the same bytes wherever
# they are built with the same version of Go: no path, user or time goes into them.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
for tool in go tar gzip zip sha256sum; do
	command -v "$tool" >/dev/null || { echo "release: $tool is not in the path"; exit 2; }
done
version=$(sed -n 's/^const version = "\(.*\)"$/\1/p' cmd/chaffinch/version.go)
[ -n "$version" ] || { echo 'release: no version in cmd/chaffinch/version.go'; exit 2; }
when=$(git log -1 --format=%cI)
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go build -modfile=.ci/tools.mod -o "$work/sbom" github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
go build -o "$work/host" ./cmd/chaffinch
"$work/host" man "$work/man" >/dev/null

for os in linux darwin windows; do
	for arch in amd64 arm64; do
		name=chaffinch-$version-$os-$arch
		dir=$work/$name
		mkdir -p "$dir"
		program=$dir/chaffinch
		[ $os = windows ] && program=$program.exe
		GOOS=$os GOARCH=$arch release/program.sh "$program"
		cp LICENSE NOTICE README.md CHANGELOG.md "$dir/"
		# Without an address the module itself cannot be looked up: its licence is in the archive.
		"$work/sbom" bin -json -noserial -notimestamp -licenses -assert-licenses -version "v$version" -output "$out/$name.cdx.json" "$program"
		find "$dir" -exec touch -d "$when" {} +
		if [ $os = windows ]; then
			(cd "$work" && TZ=UTC zip -qrX "$out/$name.zip" "$name")
		else
			cp -r "$work/man" "$dir/man"
			find "$dir" -exec touch -d "$when" {} +
			tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$name" | gzip -9n >"$out/$name.tar.gz"
		fi
		echo "$name"
	done
done
(cd "$out" && sha256sum -- *.tar.gz *.zip *.json >SHA256SUMS)
echo "release $version in $out"
