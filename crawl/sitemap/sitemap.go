// Package sitemap reads lists of URLs that sites publish for crawlers: sitemaps and sitemap indexes
// (sitemaps.org 0.9) in XML or as text, and feeds (RSS, RSS 1.0, Atom), with or without gzip.
// [NewReader] returns a [Reader], and [Reader.All] yields the URLs.
//
// The input is streamed within limits. XML may be malformed, names of elements count more than
// namespaces, and entities declared in the file are never expanded.
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
	// Sitemap reports whether the URL is another list.
	Sitemap bool
	// Modified is the time of the last change; zero if it is not stated.
	Modified time.Time
	// Alternates holds the stated versions of the page in other languages.
	Alternates []Alternate
}

// Alternate is a page in another language.
type Alternate struct {
	// Lang is the stated language; "x-default" for all others.
	Lang string
	URL  weburl.URL
}

// Config holds the limits of a [Reader].
type Config struct {
	// MaxURLs is the most URLs, MaxBytes the most bytes of the list after decompression.
	MaxURLs  int
	MaxBytes int64
}

// Default holds the limits of the protocol.
var Default = Config{MaxURLs: 50_000, MaxBytes: 50 << 20}

// maxAlternates is the most alternates of a URL. maxText is the most bytes of a field and of a
// line.
const (
	maxAlternates = 500
	maxText       = 4 << 10
)

// Errors in an [*page.Error] of a [Reader].
var (
	// ErrLimit indicates that the list is longer than a limit.
	ErrLimit = errors.New("over the limit")
	// ErrNoList indicates that the file is not a list of URLs.
	ErrNoList = errors.New("not a sitemap or feed")
)

// Reader reads a list.
type Reader struct {
	cfg       Config
	base      weburl.URL
	in        *packed.Reader
	left      int64 // bytes of the list that may still be read
	dec       *xml.Decoder
	lines     *bufio.Reader
	line      int64
	addresses int // number of URLs, valid or not
	valid     int
	state     state
	bases     []xmlBase // open elements with an xml:base
	ended     bool
}

// NewReader returns a reader of the list at the address base.
func NewReader(in io.Reader, base weburl.URL, cfg Config) (*Reader, error) {
	p, err := packed.NewReader(in, packed.Default)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	r := &Reader{cfg: cfg, base: base, in: p, left: cfg.MaxBytes}
	head, _ := p.Peek(1 << 10)
	text := bufio.NewReaderSize(transform.NewReader(bounded{r}, newDecoder(head)), maxText)
	for { // white space before the first tag
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
	r.dec = xml.NewDecoder(controlFilter{text})
	r.dec.Strict = false
	r.dec.Entity = xml.HTMLEntity
	r.dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // the input is UTF-8 now
	return r, nil
}

// Close releases the decompressor. It does not close the input.
func (r *Reader) Close() { r.in.Close() }

// All yields the results of [Reader.Next]. Reading continues after a [*page.Error], and ends after
// other errors.
func (r *Reader) All() iter.Seq2[*Entry, error] {
	return readers.All(r.Next, func(err error) bool {
		var bad *page.Error
		return errors.As(err, &bad)
	})
}

// Next returns the next URL, or io.EOF at the end. A [*page.Error] describes input that cannot be
// read; if nothing can be read after it, io.EOF follows.
func (r *Reader) Next() (*Entry, error) {
	if r.ended {
		return nil, io.EOF
	}
	if r.addresses >= r.cfg.MaxURLs {
		return nil, r.end(fmt.Errorf("%w of %d addresses", ErrLimit, r.cfg.MaxURLs))
	}
	if r.lines != nil {
		return r.nextLine()
	}
	return r.nextElement()
}

// end ends the list and returns io.EOF, or err as a *page.Error.
func (r *Reader) end(err error) error {
	r.ended = true
	if err == nil || err == io.EOF {
		return io.EOF
	}
	return r.asError(err)
}

// asError returns err as a *page.Error with the current position.
func (r *Reader) asError(err error) *page.Error {
	e := &page.Error{File: r.base.String(), Line: r.line, Offset: -1, Err: err}
	if r.dec != nil {
		e.Offset = r.dec.InputOffset()
	}
	return e
}

// entry returns the entry of an address as written, relative to base.
func (r *Reader) entry(raw string, base weburl.URL) (*Entry, error) {
	r.addresses++
	raw = strings.TrimSpace(raw)
	if len(raw) > 4 && strings.EqualFold(raw[:4], "www.") {
		raw = "//" + raw
	}
	u, err := weburl.Parse(raw, &base)
	if err != nil {
		return nil, r.asError(fmt.Errorf("URL %q: %w", raw[:min(len(raw), 80)], err))
	}
	r.valid++
	return &Entry{URL: u}, nil
}

// maxLeadingLines is the most lines without a URL before the first one with a URL.
const maxLeadingLines = 20

// nextLine reads an entry of a list of lines.
func (r *Reader) nextLine() (*Entry, error) {
	for {
		line, err := r.readLine()
		if err == bufio.ErrBufferFull {
			r.addresses++
			return nil, r.asError(fmt.Errorf("line longer than %d bytes", maxText))
		}
		if line == "" {
			if err != nil {
				if r.valid == 0 && err == io.EOF {
					err = ErrNoList
				}
				return nil, r.end(err)
			}
			continue
		}
		if lower := strings.ToLower(line[:min(len(line), 5)]); !strings.HasPrefix(lower, "http") && !strings.HasPrefix(lower, "www.") {
			if r.addresses++; r.valid == 0 && r.addresses >= maxLeadingLines {
				return nil, r.end(ErrNoList)
			}
			return nil, r.asError(fmt.Errorf("%q: not a URL", line[:min(len(line), 80)]))
		}
		return r.entry(line, r.base)
	}
}

// readLine returns the next line, trimmed. A line that is too long is skipped with
// bufio.ErrBufferFull.
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

// bounded reads the decompressed bytes up to the limit.
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

// controlFilter replaces control characters that XML does not allow by spaces.
type controlFilter struct{ r io.Reader }

func (c controlFilter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b < ' ' && b != '\n' && b != '\t' && b != '\r' {
			p[i] = ' '
		}
	}
	return n, err
}

var declared = lazyregexp.New(`(?i)^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_.:-]+)`)

// newDecoder returns a decoder for the encoding in the byte order mark or the XML declaration. The
// default is UTF-8.
func newDecoder(head []byte) transform.Transformer {
	var enc encoding.Encoding = unicode.UTF8
	if m := declared().FindSubmatch(head); m != nil {
		if e, err := htmlindex.Get(string(m[1])); err == nil && e != unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM) {
			enc = e
		}
	}
	return unicode.BOMOverride(enc.NewDecoder())
}
