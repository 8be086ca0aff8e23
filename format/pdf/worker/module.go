//go:build !pdfium_zstd

package worker

import (
	_ "unsafe" // for go:linkname

	_ "github.com/klippa-app/go-pdfium/webassembly" // links the module
)

// module is PDFium as a WebAssembly module. The package that embeds it exports no function that
// returns it. Calls of go-pdfium take several times as long as calls of the module, since each
// allocates its results in the memory of the module.
//
//go:linkname module github.com/klippa-app/go-pdfium/internal/pdfium_wasm.Module
var module []byte

// pdfium returns the module.
func pdfium() ([]byte, error) { return module, nil }
