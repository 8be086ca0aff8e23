package warc

import (
	"errors"
	"io"
	"strings"
)

// Record is a record. Its block is read by [Record.Read] until the next call of
// [Reader.Next].
type Record struct {
	// Version is the first line, such as "WARC/1.0", or "ARC/1" for ARC.
	Version string
	// Type is the WARC-Type in lower case. The types of ARC records are "response",
	// "resource" and "warcinfo".
	Type string
	// ID is the WARC-Record-ID without angle brackets, or "".
	ID string
	// URI is the WARC-Target-URI without angle brackets.
	URI string
	// Date is the stated WARC-Date, RFC 3339 in a valid record.
	Date string
	// Header holds all fields unchanged.
	Header Header
	// Length is the Content-Length, or -1 if it is missing or not a number.
	Length int64
	// Pos is the beginning of the record and End the beginning of the next. End is set by
	// Close.
	Pos, End Pos
	// Size is the actual number of bytes of the block. It is set by Close.
	Size int64
	// Tail is the number of bytes of line breaks after the block. It is set by Close. WARC
	// requires four.
	Tail int

	r    *Reader
	head int64 // bytes of the header
}

// Block returns the complete block, before it is read, if it is already decompressed. Length is then
// correct. The bytes are valid until the next call of a method of the record or of its Reader.
func (rec *Record) Block() ([]byte, bool) {
	r := rec.r
	if !r.sound || r.rec != rec || r.left != rec.Length {
		return nil, false
	}
	b, err := r.in.Peek(int(r.left))
	return b, err == nil
}

// Fields of responses that crawlers write, in addition to the fields of WARC.
const (
	// Optout holds opt-outs in files of the site, such as "tdmrep.json: 1", as in package optout.
	Optout = "WARC-Optout"
	// ResourceType is the purpose of a response on a page, such as "document" or "script", as in
	// archives of Browsertrix.
	ResourceType = "WARC-Resource-Type"
	// RenderedAs names the conversion record with the HTML of the page after its scripts have run.
	RenderedAs = "WARC-Rendered-As"
)

// Errors of records, for errors.Is.
var (
	// ErrTruncated indicates that the file or member ends inside the record.
	ErrTruncated = errors.New("ends early")
	// ErrLength indicates that the block is shorter or longer than its stated length.
	ErrLength = errors.New("wrong length")
	// ErrHeader indicates that a readable header is missing.
	ErrHeader = errors.New("no record header")
)

// Read reads the block. It returns io.EOF at the end of the block, even if the block ends
// early; Close reports this.
func (rec *Record) Read(p []byte) (int, error) { return rec.r.readBlock(p) }

// Close skips the rest of the block and reports faults in its length or data as an [*Error].
// Next calls it.
func (rec *Record) Close() error { return rec.r.closeRecord() }

// HasHTTP reports whether the stated type of the block is an HTTP message.
func (rec *Record) HasHTTP() bool {
	ct := strings.ToLower(rec.Header.Get("Content-Type"))
	return strings.HasPrefix(ct, "application/http")
}

// fields sets frequently used fields from the header.
func (rec *Record) fields() {
	h := rec.Header
	rec.Type = strings.ToLower(h.Get("WARC-Type"))
	rec.ID = bare(h.Get("WARC-Record-ID"))
	rec.URI = bare(h.Get("WARC-Target-URI"))
	rec.Date = h.Get("WARC-Date")
	rec.Length = parseLength(h.Get("Content-Length"))
}

// bare removes the angle brackets that some writers put around addresses.
func bare(s string) string {
	if len(s) >= 2 && s[0] == '<' && s[len(s)-1] == '>' {
		return s[1 : len(s)-1]
	}
	return s
}

// parseLength returns -1 if s is not a length.
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
