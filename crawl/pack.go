package crawl

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/weburl"
	"chaffinch/format/warc"
)

// packer packs the records of answers, each as a member of its own, so that they
// can be appended to an archive.
type packer struct {
	buf bytes.Buffer
	out *warc.Writer
	err error
}

func (w *packer) bytes() []byte { return w.buf.Bytes() }

// add packs an answer and the request for it.
func (w *packer) add(u weburl.URL, resp *fetch.Result) {
	date := resp.Start.UTC().Format("2006-01-02T15:04:05.000000Z")
	address := "" // a proxy's would say nothing of the host
	if resp.IP.IsValid() {
		address = resp.IP.String()
	}
	response := warc.Entry{
		Type: "response", URI: u.String(), Date: date, ContentType: "application/http; msgtype=response", Block: resp.Response,
		Extra: warc.Header{{Name: "WARC-IP-Address", Value: address}},
	}
	if resp.Truncated != "" {
		response.Extra = append(response.Extra, warc.Field{Name: "WARC-Truncated", Value: resp.Truncated})
	}
	w.entry(&response)
	w.entry(&warc.Entry{
		Type: "request", URI: u.String(), Date: date, ContentType: "application/http; msgtype=request", Block: resp.Request,
		Extra: warc.Header{{Name: "WARC-Concurrent-To", Value: "<" + response.ID + ">"}, {Name: "WARC-IP-Address", Value: address}},
	})
}

// entry packs one record.
func (w *packer) entry(e *warc.Entry) {
	if w.out == nil && w.err == nil {
		w.out, w.err = warc.NewWriter(&w.buf, warc.WriterConfig{Packing: warc.Gzip})
	}
	if w.err != nil {
		return
	}
	e.ID = warc.RecordID(w.out.Offset(), *e)
	_, w.err = w.out.Write(*e)
}

// archiveHead returns the record that an archive begins with: who crawls, and with
// what.
func (c *crawl) archiveHead(name string) ([]byte, error) {
	var w packer
	w.entry(&warc.Entry{
		Type: "warcinfo", Date: time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"), ContentType: "application/warc-fields",
		Extra: warc.Header{{Name: "WARC-Filename", Value: name}},
		Block: fmt.Appendf(nil, "software: chaffinch %s\r\nformat: WARC File Format 1.1\r\noperator: %s\r\nrobots: obey\r\n", programVersion(), c.cfg.Contact),
	})
	return w.bytes(), w.err
}

func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
