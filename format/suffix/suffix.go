// Package suffix returns the format that the name of an output file promises, so that no
// command writes another one into it. [Of] reads a name, [Check] compares it with the
// written format.
package suffix

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/packed"
)

// promised is a suffix and the format that it promises.
type promised struct{ suffix, format string }

// written are the formats that pages are written in; the first suffix of a format is the
// usual one.
var written = []promised{
	{".txt", "text"},
	{".jsonl", "jsonl"}, {".ndjson", "jsonl"},
	{".json", "json"},
	{".md", "markdown"}, {".markdown", "markdown"},
	{".vert", "vertical"}, {".vertical", "vertical"},
	{".prevert", "prevertical"}, {".prevertical", "prevertical"},
	{".parquet", "parquet"}, {".pq", "parquet"},
	{".xml", "xml"}, {".tei", "xml"},
	{".warc", "warc"}, {".wet", "warc"}, {".wat", "warc"},
}

// others are the formats that pages are not written in.
var others = []promised{
	{".arc", "arc"}, {".wacz", "wacz"},
	{".html", "html"}, {".htm", "html"}, {".xhtml", "html"},
	{".tsv", "tsv"}, {".csv", "csv"}, {".yaml", "yaml"}, {".yml", "yaml"}, {".toml", "toml"},
	{".svg", "svg"}, {".png", "png"}, {".jpg", "jpeg"}, {".jpeg", "jpeg"}, {".pdf", "pdf"}, {".epub", "epub"}, {".docx", "docx"}, {".xlsx", "xlsx"},
	{".tar", "tar"}, {".tgz", "tar"}, {".zip", "zip"}, {".7z", "7z"}, {".br", "brotli"},
	{".arrow", "arrow"}, {".feather", "arrow"}, {".avro", "avro"}, {".orc", "orc"}, {".conllu", "conllu"}, {".arpa", "arpa"}, {".run", "run"},
}

// formats are all formats that a suffix promises.
var formats = slices.Concat(written, others)

// Promise is what the name of a file promises.
type Promise struct {
	// Packing is the suffix of a packing, such as ".gz", "" if the file is not packed.
	Packing string
	// Format is the name of a format, such as "jsonl"; "" if the suffix is not known
	// or there is none.
	Format string
	// Suffix is the suffix of the format in lower case, such as ".ndjson".
	Suffix string
}

// Of returns what a name promises.
func Of(name string) Promise {
	var p Promise
	kind, base := packed.CutSuffix(strings.ToLower(filepath.Base(name)))
	p.Packing = kind.Suffix()
	if p.Suffix = filepath.Ext(base); p.Suffix == base { // a hidden file
		p.Suffix = ""
	}
	for _, f := range formats {
		if f.suffix == p.Suffix {
			p.Format = f.format
		}
	}
	return p
}

// Usual returns the usual suffix of a format, "" if it has none.
func Usual(format string) string {
	for _, f := range formats {
		if f.format == format {
			return f.suffix
		}
	}
	return ""
}

// Written reports whether pages are written in a format, so that "chaffinch convert" makes it.
func Written(format string) bool {
	return slices.ContainsFunc(written, func(p promised) bool { return p.format == format })
}

// Check returns an error if the name of an output promises a packing that is not
// written, or a format other than the ones that may be written into it. A name
// without a known suffix promises nothing.
func Check(name string, formats ...string) error {
	if err := CheckPacking(name); err != nil {
		return err
	}
	p := Of(name)
	if p.Format == "" || slices.Contains(formats, p.Format) {
		return nil
	}
	err := fmt.Errorf("output %s: its suffix promises %s, but %s is written", name, p.Format, strings.Join(formats, " or "))
	for _, format := range formats {
		if s := Usual(format); s != "" {
			return fmt.Errorf("%w: give it the suffix %s", err, s)
		}
	}
	return fmt.Errorf("%w: give it another suffix, or none", err)
}

// CheckPacking returns an error if the name of an output promises a packing that is
// not written.
func CheckPacking(name string) error {
	if kind, _ := packed.CutSuffix(name); kind != packed.Plain && !kind.Writes() {
		return fmt.Errorf("output %s: %s is not written: take %s, or pack it afterwards", name, kind, packed.WrittenSuffixes())
	}
	return nil
}

// CheckFolder returns an error if the name of a folder to be written promises a file:
// one that does not exist yet and does not end with a slash.
func CheckFolder(name string) error {
	p := Of(name)
	if p.Format == "" || strings.HasSuffix(filepath.ToSlash(name), "/") {
		return nil
	}
	if _, err := os.Stat(name); err == nil { // that it is a file is another error
		return nil
	}
	return fmt.Errorf("output %s: a folder is written, but %s is the suffix of a file: leave it out, or end the name with /", name, p.Suffix)
}
