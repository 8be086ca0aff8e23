// Package warc reads and writes web archives. It supports WARC 1.0 and 1.1 and, for reading,
// ARC 1 and 2. [NewReader] reads an archive and [NewWriter] writes one.
//
// Archives may be uncompressed or compressed with gzip (one member per record or one for
// all), zstd (also with the dictionary frame of zstd WARCs) or lz4.
//
// Format: ISO 28500:2017, "WARC file format". The reader tolerates faults of real archives:
// lines that end in LF, wrong or missing lengths, damage and early ends. It returns an
// [*Error] with the position, and the next call continues with the next record.
package warc

import (
	"fmt"
	"strings"
)

// Field is a field of a record header or HTTP head.
type Field struct{ Name, Value string }

// Header holds fields in order. Names are case-insensitive.
type Header []Field

// Get returns the value of the first field with the given name, or "".
func (h Header) Get(name string) string {
	for i := range h {
		if strings.EqualFold(h[i].Name, name) {
			return h[i].Value
		}
	}
	return ""
}

// Has reports whether a field with the given name exists.
func (h Header) Has(name string) bool {
	for i := range h {
		if strings.EqualFold(h[i].Name, name) {
			return true
		}
	}
	return false
}

// Set replaces the value of the first field with the given name, or adds the field.
func (h *Header) Set(name, value string) {
	for i := range *h {
		if strings.EqualFold((*h)[i].Name, name) {
			(*h)[i].Value = value
			return
		}
	}
	*h = append(*h, Field{name, value})
}

// Pos is a position in an archive, for [Reader.Seek].
type Pos struct {
	// Offset is the byte offset in the file: of the record, or of the gzip member or zstd
	// frame that contains its beginning.
	Offset int64 `json:"offset"`
	// Skip is the number of decompressed bytes between the beginning of that member and the
	// record. It is 0 if each record has a separate member.
	Skip int64 `json:"skip,omitempty"`
}

// Error is a fault at a position of an archive. The reader can continue.
type Error struct {
	Pos    Pos
	Record string // id of the record, "" if unknown
	Err    error
}

// Error returns the position and the fault.
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

// Config configures a [Reader].
type Config struct {
	// MaxHeaderBytes bounds the header of a record. Default: 1 MiB.
	MaxHeaderBytes int
	// MaxRatio bounds the ratio of decompressed to compressed bytes of a member, after 16 MB
	// of decompressed data. Default: 300.
	MaxRatio float64
	// Workers is the number of members decompressed concurrently ahead of the reader, for a
	// seekable gzip file. It does not affect the records. Each worker takes about 2 MB, at
	// most 10 MB. Default: one per processor; 1 does not read ahead.
	Workers int
}

// Default holds the defaults of [NewReader] for zero fields.
var Default = Config{MaxHeaderBytes: 1 << 20, MaxRatio: 300}
