// Package input reads pages from files, folders and archives: HTML and text files, JSONL, WARC,
// WET and ARC, each plain or compressed with gzip, zstd or lz4. [Open] opens the inputs, and
// [Reader.Next] returns their pages.
//
// Formats are detected by content. Memory is bounded. A bad piece of input is reported with its
// place, and reading continues. A [Reader] can continue where an earlier run stopped.
//
// Unstable: this package may change in any release.
package input

import (
	"cmp"
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

// Config configures how inputs are read.
type Config struct {
	// Field is the field of a JSON line that holds the page. Default: "text".
	Field string `json:"field"`
	// FieldHTML reports whether Field holds HTML. Otherwise a field holds text, unless its name
	// ends in "html".
	FieldHTML bool `json:"field_html,omitempty"`
	// MaxPageBytes limits the decoded bytes of one page. A longer page is truncated and marked.
	// Default: 32 MiB.
	MaxPageBytes int64 `json:"max_page_bytes,omitempty"`
	// MaxRatio limits the number of bytes that a compressed byte may expand to, after a first
	// megabyte or more. It protects against decompression bombs. Default: 300.
	MaxRatio float64 `json:"max_ratio"`
	// AnyStatus keeps pages of all HTTP status codes. Otherwise only 2xx pages are kept, and
	// the others have the reason page.HTTPStatus.
	AnyStatus bool `json:"any_status,omitempty"`
	// Form is the format of all files, including files in archives: "html", "text", "jsonl" or
	// "warc". For cleaned inputs it is "text", "jsonl", "vertical", "prevertical", "markdown"
	// or "xml". If "", the format of each file is detected from its content. Archives and
	// Parquet files are always detected.
	Form string `json:"form,omitempty"`
	// URL is the address of the page if the input is one file with one page. Pages of other
	// files have their own addresses.
	URL string `json:"url,omitempty"`
	// Kept reports whether the inputs are cleaned text. Pages then come with their blocks, all
	// of them kept.
	Kept bool `json:"kept,omitempty"`
	// Parquet opens the rows of a Parquet file; if nil, Parquet files cannot be read. The
	// columns in text hold pages, whose bytes may be in any encoding. It is a setting so that
	// programs which do not read Parquet need not link its library.
	Parquet func(in io.ReaderAt, size int64, text ...string) (Rows, error) `json:"-"`
	// OnHTML, if set, is called once for each field from which pages are read as HTML although
	// it was not named. This happens if the records have no text (docs/reference/formats/jsonl.md).
	OnHTML func(field string) `json:"-"`
	// OnTable, if set, is called for each text file whose suffix denotes a table (.csv, .tsv).
	// Its rows are read as lines of text.
	OnTable func(name string) `json:"-"`
	// Workers is the number of gzip members that are decompressed concurrently ahead of the
	// reader; 1 reads none ahead. It does not affect the pages. Default: 0, one per processor.
	Workers int `json:"-"`
	// Stdin is the reader for "-". Default: os.Stdin.
	Stdin io.Reader `json:"-"`
}

// Rows holds the rows of a table as JSON objects, as package jsonl reads them.
type Rows interface {
	// Next appends the next row to dst, without a line end. It returns io.EOF after the last
	// row. After any other error Next may be called again.
	Next(dst []byte) ([]byte, error)
	// Row returns the number of rows before the next one. Goto moves to a row.
	Row() int64
	Goto(row int64) error
	Close() error
}

// Default holds the values that Open uses for zero fields.
var Default = Config{Field: "text", MaxPageBytes: 32 << 20, MaxRatio: 300}

func (c *Config) setDefaults() error {
	c.Field = cmp.Or(c.Field, Default.Field)
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
		forms = slices.Sorted(maps.Keys(cleanedForms))
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

// Place is a position in the bytes of a list of files.
type Place struct {
	// File is the index among all files, in reading order.
	File int `json:"file"`
	// Name is the name of the file, to detect a changed list.
	Name string `json:"name,omitempty"`
	// Offset is the byte offset in the file. In a compressed file it is the offset of the gzip
	// member, zstd frame or lz4 frame that contains the place. Skip is the number of
	// uncompressed bytes from there.
	Offset int64 `json:"offset"`
	Skip   int64 `json:"skip,omitempty"`
}

// Position is the position where the next page begins. It is written to checkpoints as JSON.
type Position struct {
	Place
	// Record is the number of records or lines of the file before this position.
	Record int64 `json:"record,omitempty"`
	// Member is the position in the archived file that begins here.
	Member *Position `json:"member,omitempty"`
	// Given reports whether the page or error of the file that begins here was already
	// returned. Reading continues after it.
	Given bool `json:"given,omitempty"`
}

// reportTable calls OnTable for a text file with the suffix of a table.
func (cfg *Config) reportTable(name string) {
	if cfg.OnTable != nil && hasSuffix(name, ".csv", ".tsv") {
		cfg.OnTable(name)
	}
}
