#!/usr/bin/env bash
# Builds the program as releases have it: stripped, with PDFium compressed, by the profile main.pgo, the
# packages of cold.txt without inlining, and without HTTP/2, which nothing asks for: the
# crawler and stores speak HTTP/1.1, the server is behind a proxy. GOOS and GOARCH name
# the platform.
#
#   release/program.sh OUT
set -euo pipefail
out=$(realpath -m "${1:?name the file of the program}")
cd "$(dirname "$0")/.."
cold=()
while read -r package; do
	[[ -z $package || $package == '#'* ]] || cold+=("-gcflags=$package=-l")
done <release/cold.txt
GOOS= GOARCH= go run format/pdf/worker/pack.go
CGO_ENABLED=0 go build -trimpath -tags=nethttpomithttp2,pdfium_zstd -pgo=release/main.pgo "${cold[@]}" -ldflags='-s -w -buildid=' -o "$out" ./cmd/chaffinch
