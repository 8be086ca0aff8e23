package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chaffinch/format/plain"
	"chaffinch/format/warc"
	"chaffinch/internal/packed"
	"chaffinch/internal/readers"
	"chaffinch/page"
	"chaffinch/page/optout"
)

const (
	// maxHTTPHead is the maximum size of the head of an HTTP response in bytes.
	maxHTTPHead = 256 << 10
	// usualHTTPHead is the size of the first buffer of a block. Reads of the payload bypass it.
	usualHTTPHead = 8 << 10
)

// warcForm reads the records of an archive that contain pages.
type warcForm struct {
	name    string
	cfg     Config
	r       *warc.Reader
	n       int64
	br      *bufio.Reader
	block   readers.Counter // bytes read of the current record
	parts   *warc.Segments  // segments of the block, nil for an unsegmented record
	coded   bool            // whether the payload has a content or transfer coding
	skipped map[string]int
	spare   *buffers
	to      int64 // where the records of the next piece begin, 0 for none
}

func (f *warcForm) next() (*page.Page, error) {
	for {
		rec, err := f.r.Next()
		if past, e := f.past(rec, err); past {
			return nil, e
		}
		if err != nil {
			return nil, f.fail(err)
		}
		f.n++
		kind := noPage(rec)
		if kind == "" {
			p, perr := f.page(rec)
			cerr := f.closeRecord(p, rec)
			if cerr != nil {
				f.cut(p, rec, cerr)
				return p, f.fail(cerr)
			}
			if perr != nil {
				return p, &page.Error{File: f.name, Record: recordName(rec), Offset: rec.Pos.Offset, Err: perr}
			}
			return p, nil
		}
		f.skipped[kind]++
		if err := rec.Close(); err != nil {
			return nil, f.fail(err)
		}
	}
}

// noPage returns the kind of a record without a page, from its type or address; "" for a page.
func noPage(rec *warc.Record) string {
	switch rec.Type {
	case "response", "resource", "conversion":
	case "warcinfo", "request", "metadata", "revisit", "continuation":
		return rec.Type
	default:
		return "unknown"
	}
	if isSiteFile(rec.URI, "/robots.txt") {
		return "robots.txt"
	}
	if isSiteFile(rec.URI, "/.well-known/tdmrep.json") {
		return "tdmrep.json"
	}
	if embeddedTypes[strings.ToLower(rec.Header.Get(warc.ResourceType))] {
		return "embedded"
	}
	if rec.Header.Has(warc.RenderedAs) {
		return "rendered"
	}
	uri := strings.ToLower(rec.URI[:min(len(rec.URI), 64)])
	for _, kind := range byTools {
		if strings.HasPrefix(uri, kind) {
			return strings.TrimRight(kind, ":/")
		}
	}
	return ""
}

// embeddedTypes are the types of responses that are parts of pages.
var embeddedTypes = map[string]bool{"script": true, "stylesheet": true, "xhr": true, "fetch": true}

// byTools are prefixes of addresses under which crawlers store their own records: text and
// images of pages that the archive also contains as sent, logs, settings, and responses of name
// servers.
var byTools = []string{
	"urn:text:", "urn:textfinal:", "urn:text-final:", "urn:pageinfo:", "urn:view:", "urn:viewfinal:", "urn:fullpage:", "urn:thumbnail:", // browsertrix-crawler
	"urn:embeds:", "urn:transclusions:", // pywb, webrecorder
	"urn:x-wpull:", "urn:x-crocoite:",
	"metadata:",                 // wget, warcprox: metadata://gnu.org/software/wget/warc/MANIFEST.txt
	"screenshot:", "thumbnail:", // brozzler
	"youtube-dl:", "ydl:", "dns:", "whois:", "filedesc:", "warcinfo:",
}

// closeRecord skips the rest of rec and marks a page with missing segments.
func (f *warcForm) closeRecord(p *page.Page, rec *warc.Record) error {
	if f.parts == nil {
		return rec.Close()
	}
	err := f.parts.Close()
	if f.parts.Ended() && !f.parts.Whole() && p.Cut == page.None && p.Drop == page.None {
		p.Cut = page.Truncated
	}
	if missing := f.parts.Missing(); missing != nil {
		err = &page.Error{File: f.name, Record: recordName(rec), Offset: rec.Pos.Offset, Err: missing}
	}
	return err
}

// isSiteFile reports whether a URL is the address of a file of a site with this path. Crawlers store its
// responses, but it is not a page.
func isSiteFile(uri, path string) bool {
	uri, _, _ = strings.Cut(uri, "?")
	scheme, rest, ok := strings.Cut(uri, "://")
	host, found := strings.CutSuffix(rest, path)
	return ok && found && strings.HasPrefix(scheme, "http") && !strings.Contains(host, "/")
}

func recordName(rec *warc.Record) string {
	if rec.ID != "" {
		return rec.ID
	}
	return rec.URI
}

// fail adds the file to an error of the archive.
func (f *warcForm) fail(err error) error {
	var e *warc.Error
	if !errors.As(err, &e) {
		return err
	}
	return &page.Error{File: f.name, Record: e.Record, Offset: e.Pos.Offset, Err: e.Err}
}

// cut marks a page whose record is damaged or has a wrong length.
func (f *warcForm) cut(p *page.Page, rec *warc.Record, err error) {
	if p.Cut != page.None || p.Drop != page.None {
		return
	}
	if more := f.block.N - rec.Size; more > 0 && !f.coded && f.parts == nil { // the page includes bytes of the next record
		p.Raw = p.Raw[:max(0, int64(len(p.Raw))-more)]
	}
	if errors.Is(err, warc.ErrTruncated) {
		p.Cut = page.Truncated
	}
	if errors.Is(err, packed.ErrTooCompressed) {
		p.Cut = page.TooCompressed
	}
}

// page reads the page of rec. An error means that the payload is incomplete for a reason other
// than its size.
func (f *warcForm) page(rec *warc.Record) (*page.Page, error) {
	p := &page.Page{
		ID:  rec.ID,
		URL: rec.URI,
		Source: page.Source{
			File: f.name, Offset: rec.Pos.Offset, Record: rec.ID, Type: rec.Type,
		},
		Meta: page.Metadata{Fetched: warc.Date(rec.Date)},
	}
	if p.ID == "" {
		p.ID = f.name + "#" + strconv.FormatInt(rec.Pos.Offset, 10)
		if rec.Pos.Skip > 0 {
			p.ID += "+" + strconv.FormatInt(rec.Pos.Skip, 10)
		}
	}
	p.Meta.Optout = optout.Append("", optout.Parse(rec.Header.Get(warc.Optout))...)
	f.block, f.parts = readers.Counter{R: rec}, nil
	block, whole := rec.Block()
	switch {
	case whole:
		f.block.R = bytes.NewReader(block)
	case rec.Segmented():
		f.parts = f.r.Segments(rec)
		f.block.R = f.parts
	}
	if f.br == nil {
		f.br = bufio.NewReaderSize(&f.block, usualHTTPHead)
	} else {
		f.br.Reset(&f.block)
	}
	br := f.br
	stated := rec.Header.Get("Content-Type")
	var head warc.Header // of the HTTP response
	if b, _ := br.Peek(5); string(b) == "HTTP/" && rec.Type != "conversion" && (rec.Type == "response" || rec.HasHTTP()) {
		h, err := warc.ReadHTTP(br)
		if err != nil { // larger than the buffer
			br = bufio.NewReaderSize(br, maxHTTPHead)
			h, err = warc.ReadHTTP(br)
		}
		if err != nil {
			p.Drop = page.BadEncoding
			return p, err
		}
		stated, head, block = h.Header.Get("Content-Type"), h.Header, block[min(h.Size, len(block)):]
		for _, f := range head {
			p.Meta.Optout = optout.Append(p.Meta.Optout, optout.Field(f.Name, f.Value, optout.Agent)...)
		}
		if h.Status/100 != 2 && !f.cfg.AnyStatus {
			p.MIME, _ = warc.MediaType(stated)
			p.Drop = page.HTTPStatus
			return p, nil
		}
	} else if len(b) == 0 {
		p.Drop = page.Empty
		return p, nil
	} else if rec.HasHTTP() {
		p.Drop = page.BadEncoding
		return p, fmt.Errorf("%w: found %q", warc.ErrHTTP, b)
	}
	f.coded = coded(head)
	media, charset := warc.MediaType(stated)
	p.MIME, p.HTTPCharset = media, charset
	if binaryType(media) {
		b, _ := br.Peek(64)
		if _, keep := mediaType(media, b, ""); !keep && !f.coded {
			p.Drop = page.NotText
			return p, nil
		}
	}
	var raw []byte
	var err error
	if whole && !f.coded {
		raw, err = warc.AppendPayload(f.spare.take(len(block)), block, f.cfg.limits())
	} else {
		raw, err = warc.PayloadIn(f.spare.get(f.payloadSize(rec)), br, head, f.cfg.limits())
	}
	if len(raw) > 0 {
		var keep bool
		if p.MIME, keep = mediaType(media, raw[:min(len(raw), plain.SniffBytes)], ""); !keep {
			p.Drop = page.NotText
			return p, nil
		}
	}
	if rec.Type == "conversion" && p.HTTPCharset == "" {
		p.HTTPCharset = "utf-8"
	}
	p.Raw = raw
	if err != nil {
		why := reason(err)
		if len(raw) == 0 || why == page.TooCompressed {
			p.Drop, p.Raw = why, nil
		} else {
			p.Cut = why
		}
		if why == page.TooLarge {
			err = nil
		}
		return p, err
	}
	if len(raw) == 0 {
		p.Drop = page.Empty
	} else {
		p.Cut = truncated(rec)
	}
	return p, nil
}

// truncated returns why the crawler stored only a part of the payload of rec.
func truncated(rec *warc.Record) page.Reason {
	switch why := rec.Header.Get("WARC-Truncated"); why {
	case "":
		return page.None
	case "length":
		return page.TooLarge
	case "time":
		return page.TooSlow
	}
	return page.Truncated
}

// payloadSize returns the size of a buffer that holds the payload of most records like rec: one
// more than the payload, to detect its end, but at most 1 MiB because the length may be wrong.
func (f *warcForm) payloadSize(rec *warc.Record) int {
	size := max(rec.Length, 32<<10)
	if f.coded {
		size *= 4
	}
	return int(min(size, 1<<20)) + 1
}

// binaryType reports whether a stated type holds no text, so that its payload need not be read.
func binaryType(media string) bool {
	kind, _, _ := strings.Cut(media, "/")
	switch kind {
	case "image", "video", "audio", "font":
		return true
	}
	return media == "application/zip"
}

// coded reports whether the payload has a coding that hides its first bytes.
func coded(h warc.Header) bool { return h.Has("Content-Encoding") || h.Has("Transfer-Encoding") }

func (f *warcForm) pos(p *Position) {
	at := f.r.Pos()
	p.Offset, p.Skip, p.Record = at.Offset, at.Skip, f.n
}

func (f *warcForm) seek(p Position) error {
	f.n = p.Record
	return f.r.Seek(warc.Pos{Offset: p.Offset, Skip: p.Skip})
}

func (f *warcForm) close() {}
