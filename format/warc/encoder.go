package warc

import (
	"bytes"
	"net/url"
	"strings"
	"time"

	"chaffinch/page"
)

// Encoder writes the kept text of each page as a record of type "conversion", like WET
// files. The block is plain text in UTF-8. The record has the address of the page, the time
// of its fetch and the id of its record.
type Encoder struct{}

// noDate is the date of a page without a fetch time. Records require a date, and the same
// pages must produce the same bytes.
const noDate = "1970-01-01T00:00:00Z"

// Append appends the record of p to dst. It appends nothing for a dropped page or a page
// without text.
func (Encoder) Append(dst []byte, p *page.Page) []byte {
	text := p.Text()
	if p.Drop != page.None || text == "" {
		return dst
	}
	e := Entry{Type: "conversion", URI: address(p), Date: date(p.Meta.Fetched), ContentType: "text/plain; charset=utf-8", Block: []byte(text + "\n")}
	e.ID = RecordID(p.Source.Offset, Entry{Type: e.Type, URI: p.ID + " " + p.URL, Date: e.Date, Block: e.Block})
	if id := strings.Trim(p.Source.Record, "<>"); strings.HasPrefix(id, "urn:") {
		e.Extra = Header{{Name: "WARC-Refers-To", Value: "<" + id + ">"}}
	}
	var b bytes.Buffer
	w, err := NewWriter(&b, WriterConfig{})
	if err == nil {
		_, err = w.Write(e)
	}
	if err != nil {
		panic(err) // unreachable: the settings above are valid and the writer is a buffer
	}
	return append(dst, b.Bytes()...)
}

// IgnoresLang reports whether records leave out the language: always true.
func (Encoder) IgnoresLang() bool { return true }

// address returns the address of p, which every record requires. For a page without address
// it returns the address of a file.
func address(p *page.Page) string {
	if p.URL != "" {
		return p.URL
	}
	return "file:" + (&url.URL{Path: p.ID}).EscapedPath()
}

// date returns the time of a fetch in WARC form.
func date(fetched string) string {
	t, err := time.Parse(time.RFC3339Nano, fetched)
	if err != nil {
		return noDate
	}
	return t.UTC().Format(time.RFC3339Nano)
}
