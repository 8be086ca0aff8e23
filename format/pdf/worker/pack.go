//go:build ignore

// Pack compresses the module of PDFium for builds with -tags pdfium_zstd:
//
//	go run format/pdf/worker/pack.go
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

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
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/klippa-app/go-pdfium")
	list.Stderr = os.Stderr
	dir, err := list.Output()
	if err != nil {
		return err
	}
	module, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "internal", "pdfium_wasm", "pdfium.wasm"))
	if err != nil {
		return err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return err
	}
	return files.WriteFile("format/pdf/worker/pdfium.wasm.zst", w.EncodeAll(module, nil))
}
