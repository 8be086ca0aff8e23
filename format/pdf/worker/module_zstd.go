//go:build pdfium_zstd

package worker

import (
	_ "embed"

	"github.com/klauspost/compress/zstd"
)

// packed is PDFium as a WebAssembly module, compressed: a program is 4 MB smaller. pack.go makes
// the file.
//
//go:embed pdfium.wasm.zst
var packed []byte

// pdfium returns the module.
func pdfium() ([]byte, error) {
	r, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(packed, nil)
}
