//go:build ignore

// Pack compresses the module of PDFium for builds with -tags pdfium_zstd:
//
//	go run format/pdf/worker/pack.go
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/files"
)

func main() {
	if err := pack(); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack() error {
	download := exec.Command("go", "mod", "download", "-json", "github.com/klippa-app/go-pdfium")
	download.Stderr = os.Stderr
	out, err := download.Output()
	if err != nil {
		return err
	}
	var pdfium struct{ Dir string }
	if err := json.Unmarshal(out, &pdfium); err != nil {
		return err
	}
	module, err := os.ReadFile(filepath.Join(pdfium.Dir, "internal", "pdfium_wasm", "pdfium.wasm"))
	if err != nil {
		return err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return err
	}
	return files.WriteFile("format/pdf/worker/pdfium.wasm.zst", w.EncodeAll(module, nil))
}
