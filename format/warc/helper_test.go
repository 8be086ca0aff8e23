package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// entries are some records of several types and sizes.
func entries() []Entry {
	date := "2026-01-02T03:04:05Z"
	es := []Entry{{Type: "warcinfo", Date: date, ContentType: "application/warc-fields", Block: []byte("software: a test\r\n")}}
	for i, size := range []int{0, 1, 500, 100000, 3000} {
		body := append([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>"), testkit.Words(uint64(i), size)...)
		es = append(es,
			Entry{Type: "request", URI: fmt.Sprintf("http://example.org/%d", i), Date: date,
				ContentType: "application/http; msgtype=request", Block: []byte("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")},
			Entry{Type: "response", URI: fmt.Sprintf("http://example.org/%d", i), Date: date,
				ContentType: "application/http; msgtype=response", Block: body})
	}
	return append(es,
		Entry{Type: "resource", URI: "file:///a", Date: date, ContentType: "text/plain", Block: []byte("a\r\n\r\nWARC/1.0\r\nno record\r\n")},
		Entry{Type: "conversion", URI: "http://example.org/", Date: date, ContentType: "text/plain", Block: []byte("text")},
		Entry{Type: "metadata", URI: "http://example.org/", Date: date})
}

// writeAll writes entries and returns the file and the offset of each record.
func writeAll(t testing.TB, cfg WriterConfig, es []Entry) ([]byte, []int64) {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(NewWriter(&b, cfg))(t)
	var offsets []int64
	for _, e := range es {
		at := must.Get(w.Write(e))(t)
		offsets = append(offsets, at)
	}
	if w.Offset() != int64(b.Len()) {
		t.Errorf("Offset is %d after %d bytes", w.Offset(), b.Len())
	}
	return b.Bytes(), offsets
}

// seen is a record with its block.
type seen struct {
	rec   Record
	block []byte
}

// readAll reads everything and returns the errors as text beside the records.
func readAll(t testing.TB, r *Reader) (all []seen, errs []error) {
	t.Helper()
	return readWith(t, r, func() {})
}

// readWith is like readAll and calls fn before it reads a block.
func readWith(t testing.TB, r *Reader, fn func()) (all []seen, errs []error) {
	t.Helper()
	for range 100000 {
		rec, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			if !errors.As(err, new(*Error)) {
				t.Fatalf("not an *Error: %v", err)
			}
			errs = append(errs, err)
			continue
		}
		fn()
		b := must.Get(io.ReadAll(rec))(t)
		if err := rec.Close(); err != nil {
			errs = append(errs, err)
		}
		all = append(all, seen{*rec, b})
	}
	t.Fatal("the reader does not end")
	return
}

func newReader(t testing.TB, in io.Reader) *Reader {
	t.Helper()
	r := must.Get(NewReader(in, Config{}))(t)
	t.Cleanup(r.Close)
	return r
}

// crlf converts the line ends of a test text to CRLF.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
