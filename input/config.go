// Package input turns what the user names into pages: HTML and text files,
// folders of them, JSONL, WARC, WET and ARC, each plain or compressed with gzip,
// zstd or lz4, recognised by content. It reads in bounded memory, names the place of
// everything that is wrong and goes on, and can continue where an earlier run
// stopped.
//
// Unstable: this package may change in any release.
package input

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"chaffinch/format/jsonl"
	"chaffinch/format/warc"
)

// Config says how inputs are read.
type Config struct {
	// Field is the field of a JSON line that holds the page.
	Field string `json:"field"`
	// FieldHTML tells that Field holds HTML. A field whose name ends in "html"
	// does anyway; what another holds is text.
	FieldHTML bool `json:"field_html,omitempty"`
	// MaxPageBytes bounds the bytes of one page after decoding; what is beyond
	// is cut, and the page says so.
	MaxPageBytes int64 `json:"max_page_bytes"`
	// MaxRatio bounds how many bytes a packed byte may unpack to (after a
	// first megabyte or more), so that a small file cannot keep the program busy.
	MaxRatio float64 `json:"max_ratio"`
	// AnyStatus keeps pages of all HTTP states; else only 2xx are kept and the
	// others come with the reason page.HTTPStatus.
	AnyStatus bool `json:"any_status,omitempty"`
	// Form says what all files are, and all files of archives: "html", "text", "jsonl" or
	// "warc"; of inputs that were cleaned "text", "jsonl", "vertical", "prevertical",
	// "markdown" or "xml". "" looks at the content of each. Archives and Parquet are
	// recognised in any case.
	Form string `json:"form,omitempty"`
	// URL is the address of the page where the input is one file that is one page;
	// pages of other files know their own.
	URL string `json:"url,omitempty"`
	// Kept tells that the inputs were cleaned: pages come with their blocks, all of
	// them kept.
	Kept bool `json:"kept,omitempty"`
	// Parquet opens the rows of a Parquet file; nil reads none. Columns named in text
	// hold pages, whose bytes may be in any encoding. It is a setting, so that a
	// program which reads no Parquet does not link its library.
	Parquet func(in io.ReaderAt, size int64, text ...string) (Rows, error) `json:"-"`
	// OnHTML is called with the name of the field that holds the pages as HTML, if none
	// was named and the records have no text: once for each such field (docs/formats/jsonl.md).
	// nil is not called.
	OnHTML func(field string) `json:"-"`
	// Workers is how many members of a gzip file are unpacked at the same time, ahead
	// of who reads; 0 means one for each processor, 1 none ahead. The pages do not
	// depend on it.
	Workers int `json:"-"`
	// Stdin is what "-" reads, os.Stdin if nil.
	Stdin io.Reader `json:"-"`
}

// Rows are the rows of a table as JSON objects, as package jsonl reads them.
type Rows interface {
	// Next appends the next row to dst, without a line end; io.EOF tells that there
	// is none. Behind another error Next may be called again.
	Next(dst []byte) ([]byte, error)
	// Row returns the number of rows before the next one, and Goto goes to one.
	Row() int64
	Goto(row int64) error
	Close() error
}

// Default is what Open uses for fields that are zero.
var Default = Config{Field: "text", MaxPageBytes: 32 << 20, MaxRatio: 300}

func (c *Config) setDefaults() error {
	if c.Field == "" {
		c.Field = Default.Field
	}
	if c.MaxPageBytes <= 0 {
		c.MaxPageBytes = Default.MaxPageBytes
	}
	if c.MaxRatio <= 0 {
		c.MaxRatio = Default.MaxRatio
	}
	if c.Stdin == nil {
		c.Stdin = os.Stdin
	}
	if u, err := url.Parse(c.URL); c.URL != "" && (err != nil || !u.IsAbs() || u.Host == "") {
		return fmt.Errorf("url %q: no absolute address: give one such as https://example.org/page.html", c.URL)
	}
	forms := []string{formHTML, formText, formJSONL, formWARC}
	if c.Kept {
		forms = slices.Sorted(maps.Keys(keptForms))
	}
	if c.Form == "" || slices.Contains(forms, c.Form) {
		return nil
	}
	return fmt.Errorf("input form %q: there are %s, and \"\" for looking at the content", c.Form, strings.Join(forms, ", "))
}

// findHTML reports whether a record without text may hold its page as HTML.
func (c *Config) findHTML() bool { return c.Field == Default.Field && !c.FieldHTML && !c.Kept }

// columns returns the fields of a record that may hold its page.
func (c *Config) columns() []string {
	if c.findHTML() {
		return append([]string{c.Field}, jsonl.HTMLFields...)
	}
	return []string{c.Field}
}

func (c *Config) limits() warc.Limits {
	return warc.Limits{MaxBytes: c.MaxPageBytes, MaxRatio: c.MaxRatio, GraceBytes: warc.DefaultLimits.GraceBytes}
}

// Place is a place in the bytes of a list of files.
type Place struct {
	// File is the index among all files, in the order in which they are read.
	File int `json:"file"`
	// Name is that file, so that a changed list is noticed.
	Name string `json:"name,omitempty"`
	// Offset is the byte offset in the file, or of the gzip member or zstd or lz4
	// frame that holds the place; Skip counts the unpacked bytes from there.
	Offset int64 `json:"offset"`
	Skip   int64 `json:"skip,omitempty"`
}

// Position is where the next page begins. It is written to checkpoints as JSON.
type Position struct {
	Place
	// Record counts the records or lines of the file before this place.
	Record int64 `json:"record,omitempty"`
	// Member is the place in the file of an archive that begins here.
	Member *Position `json:"member,omitempty"`
	// Given reports whether the page or the error of the file that begins here was
	// returned already: what follows it is the next answer.
	Given bool `json:"given,omitempty"`
}
