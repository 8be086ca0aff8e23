package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"chaffinch/internal/readers"

	"chaffinch/internal/packed"
	"chaffinch/internal/parallel"
)

// Reader reads the records of an archive in bounded memory. It is not safe for concurrent
// use.
type Reader struct {
	cfg     Config
	in      *packed.Reader
	arc     bool          // the file is an ARC
	rec     *Record       // the current record
	open    bool          // rec is not closed yet
	left    int64         // bytes of its block not yet read, -1 if its length is unknown
	block   int64         // unpacked offset of its block
	cause   error         // error that ended the block early
	sound   bool          // the block and its line breaks are the rest of a member that is in memory
	inner   swallowed     // a record that seems to begin inside the block; not used if sound
	back    int           // number of long seeks back
	held    *Record       // record that Next returns next, or nil
	heldErr error         // error that Next returns next, or nil
	heads   *bufio.Reader // of [Summarise], nil before the first
}

// NewReader returns a reader of the archive in and decompresses it. If in is an [io.Seeker],
// Seek is supported and recovery from damage is cheaper.
func NewReader(in io.Reader, cfg Config) (*Reader, error) {
	p, ok := in.(*packed.Reader) // already opened to detect the format
	if !ok {
		var err error
		if p, err = packed.NewReader(in, packed.Config{MaxRatio: cfg.MaxRatio, Accept: Looks, Workers: parallel.Workers(cfg.Workers)}); err != nil {
			return nil, err
		}
	}
	if cfg.MaxHeaderBytes <= 0 {
		cfg.MaxHeaderBytes = Default.MaxHeaderBytes
	}
	r := &Reader{cfg: cfg, in: p}
	head, _ := p.Peek(maxLine)
	r.arc = looksARC(head)
	return r, nil
}

// Looks reports whether head, the first bytes of a file or member, looks like the beginning
// of a WARC or ARC record.
func Looks(head []byte) bool {
	return isVersion(bytes.TrimLeft(head, "\r\n")) || looksARC(head)
}

// looksARC reports whether head begins with the line before an ARC record. The first record
// is the version block, which some files lack.
func looksARC(head []byte) bool {
	head = bytes.TrimLeft(head, "\r\n")
	if bytes.HasPrefix(head, []byte(arcMagic)) {
		return true
	}
	line, _, whole := bytes.Cut(head, []byte("\n"))
	_, ok := parseARC(string(line))
	return whole && ok
}

// isVersion reports whether b begins with a version line such as "WARC/1.0", in any case.
func isVersion(b []byte) bool {
	return len(b) >= 8 && isDigit(b[5]) && b[6] == '.' && isDigit(b[7]) && b[4] == '/' && bytes.EqualFold(b[:4], []byte("WARC"))
}

// indexVersion returns the index of the first version line in b, in upper or lower case,
// that is not the first line and for which ok returns true. It returns -1 if there is none.
// It scans b once for each case.
func indexVersion(b []byte, ok func(at int) bool) int {
	after := func(from int, mark string) int { // the mark is rarer than line ends
		for from < len(b) {
			i := bytes.Index(b[from:], []byte(mark))
			if i < 0 {
				break
			}
			if from += i; from > 0 && b[from-1] == '\n' {
				return from - 1
			}
			from++
		}
		return len(b)
	}
	upper, lower := after(0, "WARC/"), after(0, "warc/")
	for {
		i := min(upper, lower)
		if i == len(b) {
			return -1
		}
		if isVersion(b[i+1:]) && ok(i+1) {
			return i + 1
		}
		if i == upper {
			upper = after(i+2, "WARC/")
		} else {
			lower = after(i+2, "warc/")
		}
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Close frees the decompressor and stops reading ahead. The reader cannot be used
// afterwards. Close does not close the input, which must not be closed earlier.
func (r *Reader) Close() { r.in.Close() }

// Pos returns the position of the next record, or of the bytes before it.
func (r *Reader) Pos() Pos {
	if r.held != nil {
		return r.held.Pos
	}
	return r.pos(r.in.Offset())
}

func (r *Reader) pos(off int64) Pos {
	p := r.in.PosAt(off)
	return Pos{Offset: p.Member, Skip: p.Skip}
}

// Seek seeks to a position returned by Pos for this file.
func (r *Reader) Seek(p Pos) error {
	r.open, r.rec, r.held, r.heldErr = false, nil, nil, nil
	return r.in.Seek(packed.Pos{Member: p.Offset, Skip: p.Skip})
}

// All ranges over the records as [Reader.Next] returns them. It continues after an [*Error]
// and ends at any other error.
func (r *Reader) All() iter.Seq2[*Record, error] { return readers.All(r.Next, isBadPiece) }

// Next returns the next record, or io.EOF at the end. An [*Error] reports a fault, possibly
// in the previous record; the next call continues. A record is valid until the next call.
func (r *Reader) Next() (*Record, error) {
	if rec, err := r.held, r.heldErr; rec != nil || err != nil {
		r.held, r.heldErr = nil, nil
		return rec, err
	}
	if r.open {
		if err := r.closeRecord(); err != nil {
			return nil, err
		}
	}
	r.in.Forget()
	if err := r.skipBlank(); err != nil {
		return nil, r.broken(r.in.Offset(), "", err)
	}
	rec := &Record{r: r, Pos: r.Pos()}
	off := r.in.Offset()
	var err error
	if r.arc {
		err = r.headARC(rec)
	} else {
		err = r.head(rec)
	}
	if err != nil {
		return nil, r.badHead(off, rec, err)
	}
	r.rec, r.open, r.cause = rec, true, nil
	r.inner.reset()
	r.left, r.block = rec.Length, r.in.Offset()
	rec.head = r.block - off
	tail, known := r.in.MemberTail(r.left)
	r.sound = known && r.back < maxBack && len(tail) > 0 && len(bytes.Trim(tail, "\r\n")) == 0
	if r.left < 0 && r.arc {
		r.left = 0
	}
	return rec, nil
}

// CopyRecord writes the closed record rec as stored: header, block and the line breaks after
// it. The input must support seeking. Reading continues after rec.
func (r *Reader) CopyRecord(w io.Writer, rec *Record) error {
	if err := r.Seek(rec.Pos); err != nil {
		return err
	}
	_, err := io.CopyN(w, r.in, rec.head+rec.Size+int64(rec.Tail))
	return err
}

// skipBlank skips line breaks before a record.
func (r *Reader) skipBlank() error {
	for {
		b, err := r.in.Buffered()
		if err != nil {
			return err
		}
		n := len(b) - len(bytes.TrimLeft(b, "\r\n"))
		r.in.Discard(int64(n))
		if n < len(b) {
			return nil
		}
	}
}

// broken converts a decompression error at the unpacked offset off to an [*Error] and skips
// to the next readable member. It returns io.EOF unchanged.
func (r *Reader) broken(off int64, record string, err error) error {
	if err == io.EOF {
		return err
	}
	e := &Error{Pos: r.pos(off), Record: record, Err: fmt.Errorf("cannot be unpacked: %w", err)}
	var d *packed.Damage
	if errors.As(err, &d) {
		if e.Pos.Offset != d.Member || off == r.in.Offset() {
			e.Pos = Pos{Offset: d.Member}
		}
		r.in.Resync()
	}
	return e
}

// badHead returns an error for bytes at the unpacked offset off that do not begin a record.
// It skips to the next line that begins one.
func (r *Reader) badHead(off int64, rec *Record, err error) error {
	var d *packed.Damage
	if errors.As(err, &d) {
		return r.broken(off, rec.ID, err)
	}
	e := &Error{Pos: rec.Pos, Record: rec.ID, Err: err}
	r.scan(1)
	return e
}

// scan skips to the next record: a version line (or an ARC line), or a member that begins
// with one. It starts skip bytes ahead.
func (r *Reader) scan(skip int64) {
	r.in.Discard(skip)
	for {
		b, err := r.in.Peek(scanWindow)
		if len(b) == 0 {
			if _, ok := err.(*packed.Damage); ok && r.in.Resync() == nil {
				return
			}
			return
		}
		if r.in.AtMember() && Looks(b) {
			return
		}
		if i := r.findRecord(b); i >= 0 {
			r.in.Discard(int64(i))
			return
		}
		n := len(b)
		if m := r.in.InMember(); m < n {
			n = m // inspect the beginning of the next member
		} else if err == nil {
			n -= maxLine
		}
		r.in.Discard(int64(n))
	}
}

const (
	scanWindow = 64 << 10
	maxLine    = 8 << 10 // longest line considered as the beginning of an ARC record
)

// findRecord returns the index of the first line of b, not at 0, that begins a record, or
// -1.
func (r *Reader) findRecord(b []byte) int {
	if r.arc {
		return findARC(b)
	}
	return indexVersion(b, func(int) bool { return true })
}

// head reads the version line and the fields.
func (r *Reader) head(rec *Record) error {
	if b, err := r.in.Peek(8); !isVersion(b) {
		if len(b) < 8 && err != nil && err != io.EOF {
			return err
		}
		b, _ = r.in.Peek(32)
		return fmt.Errorf("%w: found %q, wanted a line that begins with WARC/1", ErrHeader, b[:min(len(b), 32)])
	}
	h, err := r.readHead()
	if err != nil {
		return err
	}
	version, rest, _ := strings.Cut(h, "\n")
	rec.Version = strings.TrimSpace(version)
	rec.Header = parseFields(rest)
	rec.fields()
	return nil
}

// readHead reads lines up to and including an empty line.
func (r *Reader) readHead() (string, error) {
	for want := 4 << 10; ; want *= 2 {
		b, err := r.in.Peek(min(want, r.cfg.MaxHeaderBytes))
		if n := headEnd(b); n > 0 {
			s := string(b[:n])
			r.in.Discard(int64(n))
			return s, nil
		}
		if err == io.EOF {
			s := string(b)
			r.in.Discard(int64(len(b)))
			if strings.HasSuffix(s, "\n") { // a header without block at the end of the file
				return s, nil
			}
			return s, fmt.Errorf("%w: the file ends inside the header", ErrTruncated)
		}
		if err != nil {
			return "", err
		}
		if want >= r.cfg.MaxHeaderBytes {
			return "", fmt.Errorf("%w: more than %d bytes without an empty line", ErrHeader, r.cfg.MaxHeaderBytes)
		}
	}
}

// headEnd returns the length of the head in b with its empty line, or 0 if there is no empty
// line.
func headEnd(b []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return 0
		}
		at += i + 1
		switch {
		case at < len(b) && b[at] == '\n':
			return at + 1
		case at+1 < len(b) && b[at] == '\r' && b[at+1] == '\n':
			return at + 2
		case at+2 < len(b) && string(b[at:at+3]) == "\r\r\n": // line ends converted twice
			return at + 3
		}
	}
}

// parseFields parses "Name: value" lines. A line that begins with white space continues the
// previous line. Lines without a colon are skipped.
func parseFields(s string) Header {
	h := make(Header, 0, strings.Count(s, "\n"))
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if len(h) > 0 {
				v := &h[len(h)-1].Value
				*v = strings.TrimSpace(*v + " " + strings.TrimSpace(line))
			}
			continue
		}
		if name, value, ok := strings.Cut(line, ":"); ok {
			h = append(h, Field{strings.TrimSpace(name), strings.TrimSpace(value)})
		}
	}
	return h
}

// isBadPiece reports whether reading continues after err.
func isBadPiece(err error) bool {
	var bad *Error
	return errors.As(err, &bad)
}
