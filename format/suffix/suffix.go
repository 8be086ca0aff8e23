// Package suffix returns the format that the name of an output file denotes, so that no
// command writes another format to it. [Of] parses a name, and [Check] compares it with the
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

// promised is a suffix and its format.
type promised struct{ suffix, format string }

// written lists the output formats of pages. The first suffix of a format is the usual one.
var written = []promised{
	{".txt", "text"},
	{".jsonl", "jsonl"}, {".ndjson", "jsonl"},
	{".json", "json"},
	{".md", "markdown"}, {".markdown", "markdown"},
	{".vert", "vertical"}, {".vertical", "vertical"},
	{".conllu", "conllu"},
	{".prevert", "prevertical"}, {".prevertical", "prevertical"},
	{".parquet", "parquet"}, {".pq", "parquet"},
	{".xml", "xml"}, {".tei", "xml"},
	{".warc", "warc"}, {".wet", "warc"}, {".wat", "warc"},
}

// others lists the formats in which pages are not written.
var others = []promised{
	{".arc", "arc"}, {".wacz", "wacz"},
	{".html", "html"}, {".htm", "html"}, {".xhtml", "html"},
	{".tsv", "tsv"}, {".csv", "csv"}, {".yaml", "yaml"}, {".yml", "yaml"}, {".toml", "toml"},
	{".svg", "svg"}, {".png", "png"}, {".jpg", "jpeg"}, {".jpeg", "jpeg"}, {".pdf", "pdf"}, {".epub", "epub"}, {".docx", "docx"}, {".xlsx", "xlsx"},
	{".tar", "tar"}, {".tgz", "tar"}, {".zip", "zip"}, {".7z", "7z"}, {".br", "brotli"},
	{".arrow", "arrow"}, {".feather", "arrow"}, {".avro", "avro"}, {".orc", "orc"}, {".arpa", "arpa"}, {".run", "run"},
}

// formats lists all formats with a suffix.
var formats = slices.Concat(written, others)

// Promise is the format that a file name denotes.
type Promise struct {
	// Packing is the suffix of the compression, such as ".gz", or "".
	Packing string
	// Format is the name of a format, such as "jsonl", or "" if the suffix is unknown or
	// missing.
	Format string
	// Suffix is the last suffix of the name without Packing, in lower case, such as
	// ".ndjson". It may be unknown. It is empty if the name has none.
	Suffix string
}

// Of returns the format that a name denotes.
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

// Usual returns the usual suffix of a format, or "" if it has none.
func Usual(format string) string {
	for _, f := range formats {
		if f.format == format {
			return f.suffix
		}
	}
	return ""
}

// Written reports whether pages can be written in a format, so that "chaffinch convert" can
// produce it.
func Written(format string) bool {
	return slices.ContainsFunc(written, func(p promised) bool { return p.format == format })
}

// Check returns an error if the name of an output denotes an unsupported compression, or a
// format other than the given formats. A name without a known suffix is accepted.
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

// CheckPacking returns an error if the name of an output denotes an unsupported compression.
func CheckPacking(name string) error {
	return packed.CheckName(name)
}

// CheckFolder returns an error if the name of an output folder denotes a file: it does not
// exist yet and does not end with a slash.
func CheckFolder(name string) error {
	p := Of(name)
	if p.Format == "" || strings.HasSuffix(filepath.ToSlash(name), "/") {
		return nil
	}
	if _, err := os.Stat(name); err == nil { // an existing file is reported elsewhere
		return nil
	}
	return fmt.Errorf("output %s: a folder is written, but %s is the suffix of a file: leave it out, or end the name with /", name, p.Suffix)
}
