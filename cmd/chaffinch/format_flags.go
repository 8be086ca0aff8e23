package main

import (
	"fmt"
	"sync"

	"chaffinch/format/sniff"
	"chaffinch/input"
)

// pageFormatFlag is the flag of commands that read pages.
type pageFormatFlag struct {
	InputFormat string `default:"" enum:",html,text,jsonl,warc" group:"Input" placeholder:"NAME" help:"Format of all inputs, and of the files in archives: html, text, jsonl or warc (also WET and ARC). Default: by content."`
}

// set sets the format of pages in cfg, and reports the field of HTML.
func (f *pageFormatFlag) set(cfg *input.Config, con *console) {
	cfg.Form, cfg.OnHTML = f.InputFormat, reportHTMLField(con)
}

// reportHTMLField returns a function that reports, once, the field that holds the pages.
func reportHTMLField(con *console) func(field string) {
	var mu sync.Mutex
	told := map[string]bool{}
	return func(field string) {
		mu.Lock()
		defer mu.Unlock()
		if !told[field] {
			fmt.Fprintf(con.err, "chaffinch: records without the field text: reading HTML from the field %s (--text-field, --html-field)\n", field)
		}
		told[field] = true
	}
}

// reportTable returns a function that reports, once, that a table is read as text.
func reportTable(con *console) func(name string) {
	var once sync.Once
	return func(name string) {
		once.Do(func() {
			fmt.Fprintf(con.err, "chaffinch: %s: reading a table as plain text: convert it to JSON lines or Parquet to clean one of its columns (--text-field, --html-field)\n", name)
		})
	}
}

// textFormatFlag is the flag of commands that read text.
type textFormatFlag struct {
	InputFormat string `default:"" enum:",text" placeholder:"NAME" help:"text: read all inputs, and the files in archives, as text, without detection. Default: by content."`
}

// verticalFormatFlag is the flag of commands that read verticals.
type verticalFormatFlag struct {
	InputFormat string `default:"" enum:",vertical,prevertical" placeholder:"NAME" help:"Format of the input: vertical or prevertical. Default: by content."`
}

// seedFormatFlag is the flag of commands that read seeds.
type seedFormatFlag struct {
	InputFormat string `default:"" enum:",lines,sitemap,warc" placeholder:"NAME" help:"Format of all seed files: lines (one URL per line, CDXJ or JSON lines), sitemap (also feeds) or warc. Default: by content."`
}

// as returns the wanted content for a named format: any file except archives and Parquet.
func (w wanted) as(format string) wanted {
	if format == "" {
		return w
	}
	takes := w.takes
	w.takes = func(f sniff.Form, head []byte) bool {
		return takes(f, head) || !f.Container() && f != sniff.Parquet && f != sniff.Document && f != sniff.UTF16
	}
	return w
}
