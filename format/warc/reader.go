package warc

import (
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

// Reader reads the records of one archive, one after the other, in bounded
// memory. It is not safe for concurrent use.
type Reader struct {
	cfg     Config
	in      *packed.Reader
	arc     bool      // the file is an ARC
	rec     *Record   // the last one
	open    bool      // rec is not closed yet
	left    int64     // bytes of its block not yet read, -1 if its length is unknown
	block   int64     // unpacked offset of its block
	cause   error     // what ended the block early
	inner   swallowed // a record that seems to begin inside the block
	back    int       // times that the input went back far
	held    *Record   // what Next returns next, if not nil
	heldErr error     // or this
}

// NewReader returns a reader of the archive in, which it unpacks. If in is an
// [io.Seeker], Seek works and damage costs less.
func NewReader(in io.Reader, cfg Config) (*Reader, error) {
	p, ok := in.(*packed.Reader) // of a reader that looked into the file
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

// Looks reports whether head, the first bytes of a file or member, looks like
// the beginning of a WARC or ARC record.
func Looks(head []byte) bool {
	return isVersion(bytes.TrimLeft(head, "\r\n")) || looksARC(head)
}

// looksARC reports whether head begins with the line before an ARC record. The first one
// is that of the version block, which some files lack.
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

// indexVersion returns the index in b of the first version line, in upper or in lower
// case, that is not the first line and for which ok, which gets its index, is true; -1 if
// there is none. It reads b once for either case.
func indexVersion(b []byte, ok func(at int) bool) int {
	after := func(from int, line string) int {
		if i := bytes.Index(b[from:], []byte(line)); i >= 0 {
			return from + i
		}
		return len(b)
	}
	upper, lower := after(0, "\nWARC/"), after(0, "\nwarc/")
	for {
		i := min(upper, lower)
		if i == len(b) {
			return -1
		}
		if isVersion(b[i+1:]) && ok(i+1) {
			return i + 1
		}
		if i == upper {
			upper = after(i+1, "\nWARC/")
		} else {
			lower = after(i+1, "\nwarc/")
		}
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Close frees what unpacking needs, and ends what reads ahead; nothing can be read
// afterwards. It does not close the input, which is closed later if at all.
func (r *Reader) Close() { r.in.Close() }

// Pos returns where the next record begins, or what stands before it.
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

// Seek goes to a place that came from a Pos of this file.
func (r *Reader) Seek(p Pos) error {
	r.open, r.rec, r.held, r.heldErr = false, nil, nil, nil
	return r.in.Seek(packed.Pos{Member: p.Offset, Skip: p.Skip})
}

// All ranges over the records as [Reader.Next] returns them. An [*Error] ends
// nothing, any other error does.
func (r *Reader) All() iter.Seq2[*Record, error] { return readers.All(r.Next, isBadPiece) }

// Next returns the next record, io.EOF at the end. An [*Error] tells of
// something wrong, also with the record that was returned last; the next call
// goes on. A returned record is valid until the next call.
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
	if r.left < 0 && r.arc {
		r.left = 0
	}
	return rec, nil
}

// CopyRecord writes the whole record rec, which was closed, as it is stored:
// header, block and the line breaks behind. The input must be one that can go
// back; reading goes on behind rec.
func (r *Reader) CopyRecord(w io.Writer, rec *Record) error {
	if err := r.Seek(rec.Pos); err != nil {
		return err
	}
	_, err := io.CopyN(w, r.in, rec.head+rec.Size+int64(rec.Tail))
	return err
}

// skipBlank passes line breaks before a record.
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

// broken turns an error of unpacking at the unpacked offset off into one of
// ours and goes to the next readable member; io.EOF stays.
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

// badHead reports that no record begins at the unpacked offset off, and goes to
// the next line that begins one.
func (r *Reader) badHead(off int64, rec *Record, err error) error {
	var d *packed.Damage
	if errors.As(err, &d) {
		return r.broken(off, rec.ID, err)
	}
	e := &Error{Pos: rec.Pos, Record: rec.ID, Err: err}
	r.scan(1)
	return e
}

// scan goes to the next place where a record begins: a line with a version
// (or an ARC line), or a member that begins so. It starts skip bytes ahead.
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
			n = m // look at the beginning of the next member
		} else if err == nil {
			n -= maxLine
		}
		r.in.Discard(int64(n))
	}
}

const (
	scanWindow = 64 << 10
	maxLine    = 8 << 10 // longest line that is looked at as the beginning of an ARC record
)

// findRecord returns the index in b of the first line that begins a record,
// not at 0 itself, or -1.
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

// readHead takes the lines up to and with an empty one.
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

// headEnd returns the length of the head in b with its empty line, 0 if there
// is no empty line.
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
		case at+2 < len(b) && string(b[at:at+3]) == "\r\r\n": // text written as text once more
			return at + 3
		}
	}
}

// parseFields reads "Name: value" lines; a line that begins with white space
// continues the one before. Lines without a colon are passed.
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

// isBadPiece reports whether reading goes on behind err.
func isBadPiece(err error) bool {
	var bad *Error
	return errors.As(err, &bad)
}
