package warc

import (
	"bytes"
	"net/url"
	"strings"
	"time"

	"chaffinch/page"
)

// Encoder writes the kept text of each page as a record of type "conversion", as WET
// files have it: plain text in UTF-8, with the address of the page, the time of its
// fetch and the id of its record.
type Encoder struct{}

// noDate is the date of a page that states no time of a fetch: a record needs one, and
// the same pages give the same bytes.
const noDate = "1970-01-01T00:00:00Z"

// Append appends the record of p to dst; nothing for a page that was dropped or has no
// text.
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
		panic(err) // the settings above are wrong: nothing is written but into memory
	}
	return append(dst, b.Bytes()...)
}

// IgnoresLang reports that records do not state the language.
func (Encoder) IgnoresLang() bool { return true }

// address returns the address of p, which every record needs: one of a file if it has
// none.
func address(p *page.Page) string {
	if p.URL != "" {
		return p.URL
	}
	return "file:" + (&url.URL{Path: p.ID}).EscapedPath()
}

// date returns the time of a fetch as WARC has it.
func date(fetched string) string {
	t, err := time.Parse(time.RFC3339Nano, fetched)
	if err != nil {
		return noDate
	}
	return t.UTC().Format(time.RFC3339Nano)
}
