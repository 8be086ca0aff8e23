// Read converts documents to HTML and prints one JSON object per file, for compare.py.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chaffinch/extract/documents"
	_ "chaffinch/extract/documents/readers"
	"chaffinch/format/document"
	"chaffinch/internal/panics"
	"chaffinch/page"
)

type result struct {
	File    string  `json:"file"`
	Format  string  `json:"format"` // "" if neither the bytes nor the name show one
	HTML    string  `json:"html"`
	Drop    string  `json:"drop"`
	Cut     string  `json:"cut"`
	Error   string  `json:"error"`
	Bytes   int     `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

func main() {
	out := json.NewEncoder(os.Stdout)
	stage, err := documents.New(documents.Default)
	for _, name := range os.Args[1:] {
		var raw []byte
		if err == nil {
			raw, err = os.ReadFile(name)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		p := &page.Page{Raw: raw, Source: page.Source{File: filepath.Base(name)}}
		r := result{File: name, Format: document.Of(raw, "", name), Bytes: len(raw)}
		start := time.Now()
		if err := panics.Catch(func() error { return stage.Do(context.Background(), p) }); err != nil {
			r.Error = err.Error()
		}
		r.HTML, r.Drop, r.Cut, r.Seconds = p.HTML, p.Drop.String(), p.Cut.String(), time.Since(start).Seconds()
		err = out.Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
