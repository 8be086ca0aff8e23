package warc

import (
	"errors"
	"io"
	"strings"
)

// Record is one record. Its block is read through [Record.Read] until the next
// call of [Reader.Next].
type Record struct {
	// Version is the first line, such as "WARC/1.0"; "ARC/1" for ARC.
	Version string
	// Type is the WARC-Type in lower case; ARC records are "response",
	// "resource" or "warcinfo".
	Type string
	// ID is the WARC-Record-ID without angle brackets, "" if there is none.
	ID string
	// URI is the WARC-Target-URI without angle brackets.
	URI string
	// Date is the WARC-Date as stated, RFC 3339 in a sound record.
	Date string
	// Header holds all fields as they are stated.
	Header Header
	// Length is the Content-Length, -1 if missing or not a number.
	Length int64
	// Pos is where the record begins, End where the next begins; End is known
	// after Close.
	Pos, End Pos
	// Size is the number of bytes that the block really has; known after Close.
	Size int64
	// Tail is the number of line-break bytes found behind the block; known
	// after Close. WARC wants four.
	Tail int

	r    *Reader
	head int64 // bytes of the header
}

// Errors of records, to be found with errors.Is.
var (
	// ErrTruncated tells that the file or member ends inside the record.
	ErrTruncated = errors.New("ends early")
	// ErrLength tells that the block is shorter or longer than its length says.
	ErrLength = errors.New("wrong length")
	// ErrHeader tells that no readable header is where one was wanted.
	ErrHeader = errors.New("no record header")
)

// Read reads the block; io.EOF comes at its end, and also where it ends early
// (Close tells).
func (rec *Record) Read(p []byte) (int, error) { return rec.r.readBlock(p) }

// Close passes the rest of the block and reports what is wrong with its length
// or its data as an [*Error]. Next calls it.
func (rec *Record) Close() error { return rec.r.closeRecord() }

// HasHTTP reports whether the block is an HTTP message by its stated type.
func (rec *Record) HasHTTP() bool {
	ct := strings.ToLower(rec.Header.Get("Content-Type"))
	return strings.HasPrefix(ct, "application/http")
}

// fields sets what is read most from the header.
func (rec *Record) fields() {
	h := rec.Header
	rec.Type = strings.ToLower(h.Get("WARC-Type"))
	rec.ID = bare(h.Get("WARC-Record-ID"))
	rec.URI = bare(h.Get("WARC-Target-URI"))
	rec.Date = h.Get("WARC-Date")
	rec.Length = parseLength(h.Get("Content-Length"))
}

// bare cuts the angle brackets that some writers put around addresses.
func bare(s string) string {
	if len(s) >= 2 && s[0] == '<' && s[len(s)-1] == '>' {
		return s[1 : len(s)-1]
	}
	return s
}

// parseLength returns -1 for what is not a length.
func parseLength(s string) int64 {
	if s == "" || len(s) > 18 {
		return -1
	}
	var n int64
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n
}

var _ io.Reader = (*Record)(nil)
