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

// packer packs the records of answers, each as a member of its own, so that they
// can be appended to an archive.
type packer struct {
	buf bytes.Buffer
	out *warc.Writer
	err error
}

// packLevel makes archives of pages a sixth larger than level 6 does, in a third of the
// time, which would be that of cleaning.
const packLevel = 1

// packers are those that no one uses: each has the tables of a compressor.
var packers = sync.Pool{New: func() any {
	w := &packer{}
	w.out, w.err = warc.NewWriter(&w.buf, warc.WriterConfig{Packing: warc.Gzip, Level: packLevel})
	return w
}}

func newPacker() *packer { return packers.Get().(*packer) }

// finish returns the packed records and gives the packer back.
func (w *packer) finish() ([]byte, error) {
	b, err := bytes.Clone(w.buf.Bytes()), w.err
	w.buf.Reset()
	if err == nil {
		packers.Put(w)
	}
	return b, err
}

// answered names the record of an answer for those that belong to it.
type answered struct {
	id, url, date string
}

// The profiles of revisit records (WARC 1.1, section 6.7).
const (
	identical   = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	notModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)

// add packs an answer and the request for it. Of an answer that says or has what an
// earlier crawl had, nil for none, only the head is packed, as a revisit.
func (w *packer) add(u weburl.URL, resp *fetch.Result, had *copied) answered {
	e := warc.Entry{
		Type: "response", URI: u.String(), Date: warcDate(resp.Start), ContentType: "application/http; msgtype=response", Block: resp.Response, Compressed: resp.Header.Has("Content-Encoding"),
	}
	address := "" // a proxy's would say nothing of the host
	if resp.IP.IsValid() {
		address = resp.IP.String()
	}
	field := func(name, value string) { e.Extra = append(e.Extra, warc.Field{Name: name, Value: value}) }
	field("WARC-IP-Address", address)
	truncated := resp.Truncated
	if profile := had.profile(resp); profile != "" {
		e.Type = "revisit"
		field("WARC-Profile", profile)
		field("WARC-Refers-To-Target-URI", had.url)
		field("WARC-Refers-To-Date", had.date)
		if profile == identical {
			field("WARC-Payload-Digest", had.digest)
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
	return answered{e.ID, e.URI, e.Date}
}

// addMetadata packs what is known of an answer besides its bytes: a field a line.
func (w *packer) addMetadata(a answered, fields warc.Header) {
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

// oneLine returns a value without line breaks and other control characters: servers choose
// the names in certificates.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// milliseconds writes how long an answer took, as the field fetchTimeMs has it.
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

// archiveHead returns the record that an archive begins with: who crawls, with what,
// and how.
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
