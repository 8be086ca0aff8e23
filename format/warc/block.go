package warc

import (
	"bytes"
	"fmt"
	"io"

	"chaffinch/internal/packed"
)

// swallowed finds the first version line inside a block and keeps the bytes from that line.
// Blocks may legitimately contain such lines. They are used only if the length turns out to
// be wrong.
type swallowed struct {
	found bool
	at    int64    // unpacked offset of the line
	tail  [11]byte // last bytes seen
	n     int
	kept  []byte // bytes from the line to the end of the block
	over  bool   // kept exceeded maxKept
}

// maxKept bounds the bytes kept to return to a swallowed record without reading again.
const maxKept = 4 << 20

func (s *swallowed) reset() { *s = swallowed{kept: s.kept[:0]} }

// see scans b at the unpacked offset off. Calls must be in order of the input.
func (s *swallowed) see(b []byte, off int64) {
	if len(b) == 0 {
		return
	}
	if s.found {
		s.keep(b)
		return
	}
	if s.n > 0 { // the line may begin in earlier bytes
		var j [22]byte
		k := copy(j[:], s.tail[:s.n])
		k += copy(j[k:], b[:min(len(b), len(s.tail))])
		if i := findVersion(j[:k]); i >= 0 {
			s.found, s.at = true, off-int64(s.n)+int64(i)
			s.keep(s.tail[min(i, s.n):s.n])
			s.keep(b[max(0, i-s.n):])
			return
		}
	}
	if i := findVersion(b); i >= 0 {
		s.found, s.at = true, off+int64(i)
		s.keep(b[i:])
		return
	}
	t := append(append(make([]byte, 0, 2*len(s.tail)), s.tail[:s.n]...), b[max(0, len(b)-len(s.tail)):]...)
	s.n = copy(s.tail[:], t[max(0, len(t)-len(s.tail)):])
}

func (s *swallowed) keep(b []byte) {
	if s.over = s.over || len(s.kept)+len(b) > maxKept; !s.over {
		s.kept = append(s.kept, b...)
	}
}

// findVersion returns the index of a line "WARC/1.0" or "WARC/1.1" that is not the first
// line of b, or -1.
func findVersion(b []byte) int {
	return indexVersion(b, func(at int) bool { return len(b) > at+8 && (b[at+8] == '\r' || b[at+8] == '\n') })
}

// readBlock reads from the block of the open record.
func (r *Reader) readBlock(p []byte) (int, error) {
	if !r.open || r.left == 0 || r.cause != nil {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	if r.left < 0 {
		return r.readUnknown(p)
	}
	if r.cutShort() {
		return 0, io.EOF
	}
	if int64(len(p)) > r.left {
		p = p[:r.left]
	}
	off := r.in.Offset()
	n, err := r.in.Read(p)
	if r.took(p[:n], off, err); r.cause != nil {
		return n, io.EOF
	}
	return n, nil
}

// cutShort reports whether the member of the block has ended and the next member begins with
// another record.
func (r *Reader) cutShort() bool {
	if r.in.Offset() > r.block && r.in.AtMember() && r.recordAhead() {
		r.cause = ErrTruncated
	}
	return r.cause != nil
}

// took records that b was read from the block at the unpacked offset off.
func (r *Reader) took(b []byte, off int64, err error) {
	r.left -= int64(len(b))
	if !r.sound {
		r.inner.see(b, off)
	}
	if r.inner.found && r.back >= maxBack { // the lengths of this file are not reliable
		err = ErrLength
	}
	r.cause = err
}

// passBlock skips the rest of the block. It does not copy the data if the length is known.
func (r *Reader) passBlock() {
	if r.left < 0 {
		scratch := make([]byte, 8<<10)
		for r.left < 0 {
			if _, err := r.readBlock(scratch); err != nil {
				return
			}
		}
	}
	for r.left > 0 && r.cause == nil && !r.cutShort() {
		off := r.in.Offset()
		b, err := r.in.Buffered()
		b = b[:min(int64(len(b)), r.left, int64(r.in.InMember()))]
		r.took(b, off, err)
		r.in.Discard(int64(len(b)))
	}
}

// recordAhead reports whether the next bytes begin a WARC record.
func (r *Reader) recordAhead() bool {
	b, _ := r.in.Peek(8)
	return isVersion(b)
}

// readUnknown reads a block without a length, up to the next record.
func (r *Reader) readUnknown(p []byte) (int, error) {
	b, err := r.in.Peek(4 << 10)
	if len(b) == 0 {
		if err != io.EOF {
			r.cause = err
		}
		r.left = 0
		return 0, io.EOF
	}
	n := len(b)
	if m := r.in.InMember(); m < n && isVersion(b[m:]) || r.in.Offset() > r.block && r.in.AtMember() && isVersion(b) {
		if isVersion(b) {
			m = 0
		}
		n = m
		err = io.EOF
	}
	if i := findVersion(b[:n]); i >= 0 {
		n = i
		err = io.EOF
	}
	if err == io.EOF { // the block ends here, without its line breaks
		n = len(trimBreaks(b[:n]))
		r.left = 0
		if n == 0 {
			return 0, io.EOF
		}
		r.left = int64(n)
		return r.readBlock(p)
	}
	n = min(n, len(p))
	if err == nil {
		n = min(n, len(b)-64) // the rest may contain the beginning of a version line
	}
	copy(p, b[:n])
	r.in.Discard(int64(n))
	return n, nil
}

// trimBreaks removes up to two line breaks from the end of a block.
func trimBreaks(b []byte) []byte {
	for range 2 {
		b = bytes.TrimSuffix(b, []byte("\n"))
		b = bytes.TrimSuffix(b, []byte("\r"))
	}
	return b
}

// closeRecord skips the rest of the block and checks that a record or the end of the file
// follows.
func (r *Reader) closeRecord() error {
	if !r.open {
		return nil
	}
	r.passBlock()
	r.open = false
	rec := r.rec
	rec.Size = r.in.Offset() - r.block
	err := r.afterBlock(rec)
	rec.End = r.Pos()
	return err
}

func (r *Reader) afterBlock(rec *Record) error {
	wrong := func(err error) error { return &Error{Pos: rec.Pos, Record: rec.ID, Err: err} }
	if d, ok := r.cause.(*packed.Damage); ok {
		if r.goInside(rec) {
			return wrong(tooLong(rec))
		}
		r.in.Resync()
		return wrong(fmt.Errorf("%w: %d of %d bytes could be unpacked: %w", ErrTruncated, rec.Size, rec.Length, d))
	}
	if r.cause != nil { // the file or the member ends inside the block
		if r.goInside(rec) {
			return wrong(tooLong(rec))
		}
		return wrong(fmt.Errorf("%w: %d of %d bytes", ErrTruncated, rec.Size, rec.Length))
	}
	rec.Tail = r.passBreaks()
	if !r.arc && rec.Length < 0 {
		return wrong(fmt.Errorf("%w: Content-Length %q; the block is taken to end after %d bytes, where the next record begins",
			ErrLength, rec.Header.Get("Content-Length"), rec.Size))
	}
	b, err := r.in.Peek(64)
	if r.arc {
		return r.afterARC(rec)
	}
	if len(b) == 0 && err == io.EOF || isVersion(b) || r.in.AtMember() {
		return nil
	}
	if len(b) == 0 { // damage after the record
		return r.broken(r.in.Offset(), "", err)
	}
	r.inner.see(b, r.in.Offset()) // the block may end inside the line
	if r.goInside(rec) {
		return wrong(tooLong(rec))
	}
	found := fmt.Sprintf("%q", b[:min(len(b), 24)])
	off := r.in.Offset()
	r.scan(0)
	return wrong(fmt.Errorf("%w: %d bytes, then %s instead of a record; %d bytes passed", ErrLength, rec.Length, found, r.in.Offset()-off))
}

func tooLong(rec *Record) error {
	return fmt.Errorf("%w: length %d, but the next record begins after %d bytes", ErrLength, rec.Length, rec.Size)
}

// maxBack bounds the number of long seeks back, so that a file with wrong lengths cannot
// keep the reader busy. After that, every version line ends the block that contains it.
const maxBack = 16

// goInside returns to a record that the block swallowed and reports whether there is one. It
// uses the kept bytes, or seeks in the input if possible.
func (r *Reader) goInside(rec *Record) bool {
	n := r.in.Offset() - r.inner.at
	if !r.inner.found || n <= 0 {
		return false
	}
	if !r.inner.over {
		r.in.Unread(r.inner.kept[:n])
	} else {
		if r.back++; r.in.Seek(r.in.PosAt(r.inner.at)) != nil {
			return false
		}
	}
	rec.Size = max(0, r.inner.at-r.block-4) // without the empty lines after a block
	return true
}

// passBreaks skips the line breaks after a block and returns their number of bytes.
func (r *Reader) passBreaks() int {
	n := 0
	for {
		b, _ := r.in.Peek(1)
		if len(b) == 0 || b[0] != '\n' && b[0] != '\r' {
			return n
		}
		if n > 0 && r.in.AtMember() {
			return n
		}
		r.inner.see(b, r.in.Offset())
		r.in.Discard(1)
		n++
	}
}
