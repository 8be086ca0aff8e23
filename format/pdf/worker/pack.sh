#!/bin/sh
# Compresses the module of PDFium for builds with -tags pdfium_zstd.
set -eu
cd "$(dirname "$0")"
module=$(go list -m -f '{{.Dir}}' github.com/klippa-app/go-pdfium)/internal/pdfium_wasm/pdfium.wasm
zstd -q -f --ultra -22 "$module" -o pdfium.wasm.zst
