// Package warc reads and writes web archives: WARC 1.0 and 1.1 and, for reading, ARC 1 and
// 2; plain, compressed with gzip (one member per record or one for all), with zstd (also
// with the dictionary frame of zstd WARCs) or with lz4. [NewReader] reads an archive,
// [NewWriter] writes one.
//
// Format: ISO 28500:2017, "WARC file format". The reader is tolerant, since
// real archives are not clean: lines that end in LF, wrong or missing lengths,
// damage and early ends give an [*Error] with the place, and the next call
// reads on with the next record.
package warc

import (
	"fmt"
	"strings"
)

// Field is one named field of a record header or HTTP head.
type Field struct{ Name, Value string }

// Header holds the fields in their order. Names are compared without regard to
// case.
type Header []Field

// Get returns the value of the first field called name, "" if there is none.
func (h Header) Get(name string) string {
	for i := range h {
		if strings.EqualFold(h[i].Name, name) {
			return h[i].Value
		}
	}
	return ""
}

// Has reports whether a field called name is there.
func (h Header) Has(name string) bool {
	for i := range h {
		if strings.EqualFold(h[i].Name, name) {
			return true
		}
	}
	return false
}

// Set replaces the value of the first field called name or adds the field.
func (h *Header) Set(name, value string) {
	for i := range *h {
		if strings.EqualFold((*h)[i].Name, name) {
			(*h)[i].Value = value
			return
		}
	}
	*h = append(*h, Field{name, value})
}

// Pos is a place in an archive to which [Reader.Seek] can return.
type Pos struct {
	// Offset is the byte offset in the file: of the record, or of the gzip
	// member or zstd frame that holds its beginning.
	Offset int64 `json:"offset"`
	// Skip counts the unpacked bytes between the beginning of that member and
	// the record; 0 where every record has a member of its own.
	Skip int64 `json:"skip,omitempty"`
}

// Error is something wrong in one place of an archive; the reader can go on.
type Error struct {
	Pos    Pos
	Record string // id of the record, "" if unknown
	Err    error
}

// Error names the place and what was found there.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "byte %d", e.Pos.Offset)
	if e.Pos.Skip > 0 {
		fmt.Fprintf(&b, "+%d", e.Pos.Skip)
	}
	if e.Record != "" {
		fmt.Fprintf(&b, ", record %s", e.Record)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Config holds the limits of a [Reader] and what it may use.
type Config struct {
	// MaxHeaderBytes bounds the header of a record.
	MaxHeaderBytes int
	// MaxRatio bounds how many bytes one packed byte of a member may unpack to,
	// once the member has given 16 MB.
	MaxRatio float64
	// Workers is how many members of a gzip file that can be sought are unpacked at
	// the same time, ahead of who reads; 0 means one for each processor, 1 none ahead.
	// The records do not depend on it. Each takes some 2 MB, 10 at most.
	Workers int
}

// Default is what [NewReader] uses for fields that are 0.
var Default = Config{MaxHeaderBytes: 1 << 20, MaxRatio: 300}
