package warc

import (
	"bufio"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
)

// Finding is a fault in an archive.
type Finding struct {
	Pos    Pos
	Record string
	What   string
}

// Checked holds the counts of [Check].
type Checked struct {
	Records  int
	Digests  int // compared digests
	Findings int
}

// Check reads all records of r and calls report for every fault: damage, lengths, mandatory
// fields, line breaks after blocks, digests and unreadable HTTP heads. In compressed
// archives, a record that does not begin a member is also a fault. The returned error is an
// error of reading the file.
func Check(r *Reader, report func(Finding)) (Checked, error) {
	c := checker{r: r, report: report}
	var last *Record
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return c.n, nil
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				return c.n, err
			}
			c.say(e.Pos, e.Record, e.Err.Error())
			continue
		}
		c.n.Records++
		if rec.Pos.Skip > 0 && (last == nil || last.Pos.Offset != rec.Pos.Offset || last.Pos.Skip == 0) {
			c.say(rec.Pos, rec.ID, "begins inside a packed member: it cannot be read alone (compress each record separately)")
		}
		c.fields(rec)
		c.block(rec)
		err = rec.Close()
		var e *Error
		if errors.As(err, &e) {
			c.say(e.Pos, e.Record, e.Err.Error())
		} else if rec.Tail != 4 && !r.arc {
			c.say(rec.Pos, rec.ID, fmt.Sprintf("%d bytes of line breaks after the block, wanted 4", rec.Tail))
		}
		last = rec
	}
}

type checker struct {
	r      *Reader
	report func(Finding)
	n      Checked
}

func (c *checker) say(p Pos, record, what string) {
	c.n.Findings++
	c.report(Finding{p, record, what})
}

// once lists the fields that a record has at most once: the fields of ISO 28500, section 5,
// except WARC-Concurrent-To.
var once = map[string]bool{
	"warc-type": true, "warc-record-id": true, "warc-date": true, "content-length": true, "content-type": true, "warc-block-digest": true,
	"warc-payload-digest": true, "warc-ip-address": true, "warc-refers-to": true, "warc-refers-to-target-uri": true, "warc-refers-to-date": true,
	"warc-target-uri": true, "warc-truncated": true, "warc-warcinfo-id": true, "warc-filename": true, "warc-profile": true,
	"warc-identified-payload-type": true, "warc-segment-origin-id": true, "warc-segment-number": true, "warc-segment-total-length": true,
}

// fields checks the fields that ISO 28500, section 5, makes mandatory.
func (c *checker) fields(rec *Record) {
	if c.r.arc {
		return
	}
	for _, name := range []string{"WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length"} {
		if rec.Header.Get(name) == "" {
			c.say(rec.Pos, rec.ID, "no field "+name)
		}
	}
	for i, f := range rec.Header {
		if once[strings.ToLower(f.Name)] && rec.Header[:i].Has(f.Name) {
			c.say(rec.Pos, rec.ID, "field "+f.Name+" more than once")
		}
	}
	switch rec.Type {
	case "response", "resource", "request", "revisit", "conversion":
		if rec.URI == "" {
			c.say(rec.Pos, rec.ID, "no field WARC-Target-URI, which a "+rec.Type+" record needs")
		}
	}
	if rec.Date != "" && Date(rec.Date) == "" {
		c.say(rec.Pos, rec.ID, fmt.Sprintf("WARC-Date %q is no date such as 2026-01-02T03:04:05Z", rec.Date))
	}
	number := rec.Header.Get("WARC-Segment-Number")
	switch {
	case rec.Type == "continuation" && segmentNumber(rec) < 2:
		c.say(rec.Pos, rec.ID, fmt.Sprintf("WARC-Segment-Number %q of a continuation record, wanted 2 or more", number))
	case rec.Type == "continuation" && rec.Header.Get("WARC-Segment-Origin-ID") == "":
		c.say(rec.Pos, rec.ID, "no field WARC-Segment-Origin-ID, which a continuation record needs")
	case rec.Type != "continuation" && number != "" && segmentNumber(rec) != 1:
		c.say(rec.Pos, rec.ID, fmt.Sprintf("WARC-Segment-Number %q of the record that begins a block, wanted 1", number))
	}
}

// block reads the block and checks its digests.
func (c *checker) block(rec *Record) {
	stated := rec.Header.Get("WARC-Block-Digest")
	all := newHash(stated)
	if stated != "" && all == nil {
		c.say(rec.Pos, rec.ID, fmt.Sprintf("block digest %q of an unknown kind", stated))
	}
	br := bufio.NewReaderSize(hashing(rec, all), 256<<10)
	c.payload(rec, br)
	io.Copy(io.Discard, br)
	if all == nil {
		return
	}
	c.n.Digests++
	if sum := all.Sum(nil); !sameDigest(stated, sum) {
		c.say(rec.Pos, rec.ID, fmt.Sprintf("block digest is %s, stated is %s", label(stated, sum), stated))
	}
}

// payload checks the payload digest. Some writers compute it before, some after decoding the
// chunked coding. Both are accepted.
func (c *checker) payload(rec *Record, br *bufio.Reader) {
	if rec.Segmented() {
		return // the digest covers the payload of all segments
	}
	stated := rec.Header.Get("WARC-Payload-Digest")
	var head Header
	isHTTP := false
	switch rec.Type {
	case "response":
		b, _ := br.Peek(5)
		if !rec.HasHTTP() && string(b) != "HTTP/" {
			break
		}
		h, err := ReadHTTP(br)
		if err != nil {
			c.say(rec.Pos, rec.ID, err.Error())
			return
		}
		head, isHTTP = h.Header, true
	case "request":
		if rec.HasHTTP() {
			b, _ := br.Peek(br.Size())
			br.Discard(headEnd(b))
			isHTTP = true
		}
	case "resource", "conversion":
	default:
		return // a revisit states the payload digest of another record
	}
	sum, plain := newHash(stated), newHash(stated)
	if stated != "" && sum == nil {
		c.say(rec.Pos, rec.ID, fmt.Sprintf("payload digest %q of an unknown kind", stated))
	}
	if sum == nil {
		return
	}
	body := bufio.NewReaderSize(hashing(br, sum), 8<<10)
	chunks := false
	if isHTTP && strings.Contains(strings.ToLower(head.Get("Transfer-Encoding")), "chunked") {
		if d := newChunked(body); d != nil {
			_, err := io.Copy(plain, d)
			chunks = err == nil
		}
	}
	io.Copy(io.Discard, body)
	c.n.Digests++
	if sameDigest(stated, sum.Sum(nil)) || chunks && sameDigest(stated, plain.Sum(nil)) {
		return
	}
	c.say(rec.Pos, rec.ID, fmt.Sprintf("payload digest is %s, stated is %s", label(stated, sum.Sum(nil)), stated))
}

// hashing returns a reader that also writes to h, if h is not nil.
func hashing(r io.Reader, h hash.Hash) io.Reader {
	if h == nil {
		return r
	}
	return io.TeeReader(r, h)
}

// label formats a sum with the name of the stated digest.
func label(stated string, sum []byte) string {
	name, _, _ := strings.Cut(stated, ":")
	return strings.ToLower(name) + strings.TrimPrefix(sha1Label(sum), "sha1")
}
