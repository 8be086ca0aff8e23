package crawl

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/format/warc"
	"chaffinch/page/weburl"
)

// packer packs the records of responses for an archive. Each record is a separate gzip member.
type packer struct {
	buf bytes.Buffer
	out *warc.Writer
	err error
}

// packLevel makes archives a sixth larger than level 6 in a third of the time, which would
// otherwise equal the time of cleaning.
const packLevel = 1

// packers holds unused packers, since each has the tables of a compressor.
var packers = sync.Pool{New: func() any {
	w := &packer{}
	w.out, w.err = warc.NewWriter(&w.buf, warc.WriterConfig{Packing: warc.Gzip, Level: packLevel})
	return w
}}

func newPacker() *packer { return packers.Get().(*packer) }

// finish returns the packed records and recycles the packer.
func (w *packer) finish() ([]byte, error) {
	b, err := bytes.Clone(w.buf.Bytes()), w.err
	w.buf.Reset()
	if err == nil {
		packers.Put(w)
	}
	return b, err
}

// recordRef identifies the record of a response for the records that refer to it.
type recordRef struct {
	id, url, date string
}

// Profiles of revisit records (WARC 1.1, section 6.7).
const (
	identical   = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	notModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)

// add packs a response and its request. If prior, the response of an earlier crawl or nil, has the
// same body, only the head is packed, as a revisit. The record has the extra fields.
func (w *packer) add(u weburl.URL, resp *fetch.Result, prior *priorPage, extra ...warc.Field) recordRef {
	e := warc.Entry{
		Type: "response", URI: u.String(), Date: warcDate(resp.Start), ContentType: "application/http; msgtype=response", Block: resp.Response, Compressed: resp.Header.Has("Content-Encoding"),
	}
	address := "" // the address of a proxy is not the host's
	if resp.IP.IsValid() {
		address = resp.IP.String()
	}
	field := func(name, value string) { e.Extra = append(e.Extra, warc.Field{Name: name, Value: value}) }
	field("WARC-IP-Address", address)
	e.Extra = append(e.Extra, extra...)
	truncated := resp.Truncated
	if profile := prior.profile(resp); profile != "" {
		e.Type = "revisit"
		field("WARC-Profile", profile)
		field("WARC-Refers-To-Target-URI", prior.url)
		field("WARC-Refers-To-Date", prior.date)
		if profile == identical {
			field("WARC-Payload-Digest", prior.digest)
			e.Block, truncated = resp.Response[:resp.Head], "length"
		}
	}
	if truncated != "" {
		field("WARC-Truncated", truncated)
	}
	w.entry(&e)
	w.entry(&warc.Entry{
		Type: "request", URI: e.URI, Date: e.Date, ContentType: "application/http; msgtype=request", Block: resp.Request,
		Extra: warc.Header{{Name: "WARC-Concurrent-To", Value: "<" + e.ID + ">"}, {Name: "WARC-IP-Address", Value: address}},
	})
	return recordRef{e.ID, e.URI, e.Date}
}

// addMetadata packs a metadata record about a response, with one field per line.
func (w *packer) addMetadata(a recordRef, fields warc.Header) {
	var b strings.Builder
	for _, f := range fields {
		if f.Value != "" {
			b.WriteString(f.Name + ": " + oneLine(f.Value) + "\r\n")
		}
	}
	w.entry(&warc.Entry{
		Type: "metadata", URI: a.url, Date: a.date, ContentType: "application/warc-fields", Block: []byte(b.String()),
		Extra: warc.Header{{Name: "WARC-Concurrent-To", Value: "<" + a.id + ">"}},
	})
}

// oneLine returns a value with spaces in place of control characters: servers choose the names in
// certificates.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// milliseconds formats the duration of a request for the field fetchTimeMs.
func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// entry packs one record.
func (w *packer) entry(e *warc.Entry) {
	if w.err != nil {
		return
	}
	e.BlockDigest = warc.Digest(e.Block)
	e.ID = warc.RecordID(int64(w.buf.Len()), *e)
	_, w.err = w.out.Write(*e)
}

func warcDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// archiveHead returns the first record of an archive: operator, software and settings.
func (c *crawl) archiveHead(name string) ([]byte, error) {
	s := c.settings
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + value + "\r\n")
		}
	}
	field("software", "chaffinch "+programVersion())
	field("format", "WARC File Format 1.1")
	field("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	field("operator", c.cfg.Contact)
	field("robots", "obey")
	field("languages", strings.Join(s.Langs, ", "))
	field("policy", s.Schedule.Policy.Name)
	field("delay", s.Schedule.Delay.String())
	field("repeats", s.Again)
	w := newPacker()
	w.entry(&warc.Entry{
		Type: "warcinfo", Date: warcDate(time.Now()), ContentType: "application/warc-fields",
		Extra: warc.Header{{Name: "WARC-Filename", Value: name}}, Block: []byte(b.String()),
	})
	return w.finish()
}

func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
