// Package sitemap reads the lists of addresses that sites publish for crawlers:
// sitemaps and their indexes (sitemaps.org 0.9) in XML or as text, and feeds (RSS,
// RSS 1.0, Atom), packed with gzip or not.
//
// A [Reader] reads them as they come, within a budget, and as far as they can be
// read: XML need not be well-formed, names of elements count more than namespaces,
// and entities of the file's own are never opened.
//
// Unstable: this package may change in any release.
package sitemap

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/packed"
	"chaffinch/internal/readers"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// Entry is an address in a list.
type Entry struct {
	URL weburl.URL
	// Sitemap tells that the address is one of another list.
	Sitemap bool
	// Modified is when it last changed, zero if that is not stated.
	Modified time.Time
	// Alternates are the same page in other languages, as stated.
	Alternates []Alternate
}

// Alternate is a page in another language.
type Alternate struct {
	// Lang is the language as stated, "x-default" for all others.
	Lang string
	URL  weburl.URL
}

// Config holds the limits of a [Reader].
type Config struct {
	// MaxURLs bounds the addresses, MaxBytes the bytes of the list, unpacked.
	MaxURLs  int
	MaxBytes int64
}

// Default has the limits of the protocol.
var Default = Config{MaxURLs: 50_000, MaxBytes: 50 << 20}

// maxAlternates bounds those of one address, maxText what is read of a field and of
// a line.
const (
	maxAlternates = 500
	maxText       = 4 << 10
)

// Errors in an [*page.Error] of a [Reader].
var (
	// ErrLimit tells that the list is longer than a limit.
	ErrLimit = errors.New("more than the limit")
	// ErrNoList tells that the file is no list of addresses.
	ErrNoList = errors.New("no sitemap and no feed")
)

// Reader reads a list.
type Reader struct {
	cfg   Config
	base  weburl.URL
	in    *packed.Reader
	left  int64 // bytes of the list that may still be read
	dec   *xml.Decoder
	lines *bufio.Reader
	line  int64
	n     int // addresses, good or bad
	good  int
	state state
	bases []based // elements with an xml:base that are open
	ended bool
}

// NewReader returns a reader of the list at the address base.
func NewReader(in io.Reader, base weburl.URL, cfg Config) (*Reader, error) {
	p, err := packed.NewReader(in, packed.Default)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	r := &Reader{cfg: cfg, base: base, in: p, left: cfg.MaxBytes}
	head, _ := p.Peek(1 << 10)
	text := bufio.NewReaderSize(transform.NewReader(bounded{r}, decoder(head)), maxText)
	for { // what may stand before the first tag
		b, err := text.Peek(1)
		if err != nil || b[0] > ' ' {
			break
		}
		text.Discard(1)
	}
	if b, _ := text.Peek(1); !bytes.Equal(b, []byte("<")) {
		r.lines = text
		return r, nil
	}
	r.dec = xml.NewDecoder(clean{text})
	r.dec.Strict = false
	r.dec.Entity = xml.HTMLEntity
	r.dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
	return r, nil
}

// Close frees what the unpacking needs; it does not close the input.
func (r *Reader) Close() { r.in.Close() }

// All ranges over the addresses as [Reader.Next] returns them. A [*page.Error] ends
// nothing, any other error does.
func (r *Reader) All() iter.Seq2[*Entry, error] {
	return readers.All(r.Next, func(err error) bool {
		var bad *page.Error
		return errors.As(err, &bad)
	})
}

// Next returns the next address, io.EOF at the end. A [*page.Error] tells of what
// could not be read; if that is the rest, io.EOF follows.
func (r *Reader) Next() (*Entry, error) {
	if r.ended {
		return nil, io.EOF
	}
	if r.n >= r.cfg.MaxURLs {
		return nil, r.end(fmt.Errorf("%w of %d addresses", ErrLimit, r.cfg.MaxURLs))
	}
	if r.lines != nil {
		return r.nextLine()
	}
	return r.nextElement()
}

// end ends the list; err says why, if not by its own end.
func (r *Reader) end(err error) error {
	r.ended = true
	if err == nil || err == io.EOF {
		return io.EOF
	}
	return r.wrong(err)
}

// wrong makes a *page.Error of what is wrong here.
func (r *Reader) wrong(err error) *page.Error {
	e := &page.Error{File: r.base.String(), Line: r.line, Offset: -1, Err: err}
	if r.dec != nil {
		e.Offset = r.dec.InputOffset()
	}
	return e
}

// entry makes an entry of an address as written, which is relative to base.
func (r *Reader) entry(raw string, base weburl.URL) (*Entry, error) {
	r.n++
	raw = strings.TrimSpace(raw)
	if len(raw) > 4 && strings.EqualFold(raw[:4], "www.") {
		raw = "//" + raw
	}
	u, err := weburl.Parse(raw, &base)
	if err != nil {
		return nil, r.wrong(fmt.Errorf("address %q: %w", raw[:min(len(raw), 80)], err))
	}
	r.good++
	return &Entry{URL: u}, nil
}

// patience is how many lines may hold no address before the first one that does.
const patience = 20

// nextLine reads a list of lines.
func (r *Reader) nextLine() (*Entry, error) {
	for {
		line, err := r.readLine()
		if err == bufio.ErrBufferFull {
			r.n++
			return nil, r.wrong(fmt.Errorf("line of more than %d bytes", maxText))
		}
		if line == "" {
			if err != nil {
				if r.good == 0 && err == io.EOF {
					err = ErrNoList
				}
				return nil, r.end(err)
			}
			continue
		}
		if lower := strings.ToLower(line[:min(len(line), 5)]); !strings.HasPrefix(lower, "http") && !strings.HasPrefix(lower, "www.") {
			if r.n++; r.good == 0 && r.n >= patience {
				return nil, r.end(ErrNoList)
			}
			return nil, r.wrong(fmt.Errorf("no address: %q", line[:min(len(line), 80)]))
		}
		return r.entry(line, r.base)
	}
}

// readLine returns the next line without what stands around it. One that is too
// long is passed: bufio.ErrBufferFull.
func (r *Reader) readLine() (string, error) {
	r.line++
	b, err := r.lines.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		for err == bufio.ErrBufferFull {
			_, err = r.lines.ReadSlice('\n')
		}
		return "", bufio.ErrBufferFull
	}
	return strings.TrimSpace(string(b)), err
}

// bounded reads the unpacked bytes, as many as may be read.
type bounded struct{ r *Reader }

func (b bounded) Read(p []byte) (int, error) {
	if b.r.left <= 0 {
		if _, err := b.r.in.Peek(1); err == io.EOF {
			return 0, io.EOF
		}
		return 0, fmt.Errorf("%w of %d bytes", ErrLimit, b.r.cfg.MaxBytes)
	}
	n, err := b.r.in.Read(p[:min(int64(len(p)), b.r.left)])
	b.r.left -= int64(n)
	return n, err
}

// clean makes blanks of the control characters that XML does not allow.
type clean struct{ r io.Reader }

func (c clean) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b < ' ' && b != '\n' && b != '\t' && b != '\r' {
			p[i] = ' '
		}
	}
	return n, err
}

var declared = lazyregexp.New(`(?i)^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_.:-]+)`)

// decoder returns one of the encoding that a byte order mark or the declaration of
// XML states; without them it is UTF-8.
func decoder(head []byte) transform.Transformer {
	var enc encoding.Encoding = unicode.UTF8
	if m := declared().FindSubmatch(head); m != nil {
		if e, err := htmlindex.Get(string(m[1])); err == nil && e != unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM) {
			enc = e
		}
	}
	return unicode.BOMOverride(enc.NewDecoder())
}
