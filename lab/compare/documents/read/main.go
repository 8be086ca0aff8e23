// Read converts documents to HTML and prints one JSON object per file, for compare.py.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chaffinch/format/document"
	"chaffinch/format/epub"
	"chaffinch/format/office"
	"chaffinch/format/rtf"
	"chaffinch/internal/panics"
)

type result struct {
	File    string  `json:"file"`
	Format  string  `json:"format"` // "" if the bytes do not show it; the ending of the name decides then
	HTML    string  `json:"html"`
	Drop    string  `json:"drop"`
	Cut     string  `json:"cut"`
	Error   string  `json:"error"`
	Bytes   int     `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

var readers = map[string]func(context.Context, []byte, document.Limits) (document.Document, error){
	"docx": office.DOCX, "pptx": office.PPTX, "odt": office.ODT, "rtf": rtf.Read, "epub": epub.Read, "fb2": epub.FB2,
}

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, name := range os.Args[1:] {
		raw, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		r := result{File: name, Format: document.Of(raw, "", name), Bytes: len(raw)}
		format := r.Format
		if format == "" {
			format = strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
		}
		if read := readers[format]; read != nil {
			start := time.Now()
			err := panics.Catch(func() error {
				d, err := read(context.Background(), raw, document.Default)
				r.HTML, r.Drop, r.Cut = d.HTML, d.Drop.String(), d.Cut.String()
				return err
			})
			if err != nil {
				r.Error = err.Error()
			}
			r.Seconds = time.Since(start).Seconds()
		}
		if err := out.Encode(r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
