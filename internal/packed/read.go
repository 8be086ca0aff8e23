package packed

import (
	"bytes"
	"fmt"
	"io"
)

// fill decompresses up to n or more bytes into the buffer, which has space for at least one byte. A
// member that was decompressed ahead becomes the buffer if there are no other bytes, and otherwise
// gives n bytes at most.
func (r *Reader) fill(n int) error {
	for {
		if r.failed != nil {
			return r.failed
		}
		if !r.open {
			if err := r.begin(); err != nil {
				r.failed = err
				return err
			}
		}
		m, _ := r.m.(*gzipMember)
		space := r.buf[r.w:]
		switch {
		case m == nil || !m.ready:
		case r.r == r.w && len(m.text) > 0:
			r.own, r.buf, r.r, r.w = r.buf, m.text, 0, len(m.text)
			r.ended(m.passText())
			return nil
		case n < len(space):
			space = space[:n]
		}
		k, err := r.m.Read(space)
		r.w += k
		r.ended(k, err)
		if k > 0 {
			return nil
		}
	}
}

// keep copies the unread bytes of a lent buffer, which the next member may overwrite.
func (r *Reader) keep() {
	if r.own == nil {
		return
	}
	rest := r.buf[r.r:r.w]
	r.buf, r.own = r.own, nil
	if len(rest) > len(r.buf) {
		r.buf = make([]byte, len(rest))
	}
	r.r, r.w = 0, copy(r.buf, rest)
}

// begin opens the next member and records its position.
func (r *Reader) begin() error {
	if r.kind == Plain && len(r.marks) > 0 {
		return io.EOF
	}
	err := r.m.pass(r.src)
	at := r.src.offset()
	if err == nil {
		err = r.m.begin(r.src)
	}
	if err == io.EOF {
		return err
	}
	if err != nil {
		return &Damage{Member: at, At: r.src.offset(), Err: err}
	}
	r.open, r.out, r.start = true, 0, at
	r.marks = append(r.marks, mark{r.off + int64(r.w-r.r), at})
	return nil
}

// ended handles the result of decompressing n bytes.
func (r *Reader) ended(n int, err error) {
	r.out += int64(n)
	switch {
	case err == io.EOF:
		r.open = false
	case err != nil:
		r.open = false
		r.failed = &Damage{Member: r.start, At: r.src.offset(), Err: err}
	case r.kind != Plain && r.kind != Gzip:
		if err := r.checkRatio(r.src.offset()-r.start, r.out); err != nil {
			r.open = false
			r.failed = &Damage{Member: r.start, At: r.src.offset(), Err: err}
		}
	}
}

// checkRatio returns an error if in compressed bytes must not decompress to out bytes.
func (r *Reader) checkRatio(in, out int64) error {
	if out <= r.cfg.GraceBytes || float64(out) <= r.cfg.MaxRatio*float64(in) {
		return nil
	}
	return fmt.Errorf("%w: %d bytes from %d packed ones (limit %g for one)", ErrTooCompressed, out, in, r.cfg.MaxRatio)
}

// Peek returns the next n bytes without consuming them, or fewer bytes and the error that prevented
// more. The bytes are valid until the next call.
func (r *Reader) Peek(n int) ([]byte, error) {
	for r.w-r.r < n {
		r.keep()
		if r.r > 0 && r.r+n > len(r.buf) {
			r.w = copy(r.buf, r.buf[r.r:r.w])
			r.r = 0
		}
		if n > len(r.buf) {
			b := make([]byte, max(2*len(r.buf), n))
			r.w = copy(b, r.buf[r.r:r.w])
			r.buf, r.r = b, 0
		}
		if err := r.fill(n - (r.w - r.r)); err != nil {
			return r.buf[r.r:r.w], err
		}
	}
	return r.buf[r.r : r.r+n], nil
}

// Buffered returns the bytes that are already decompressed. If there are none, it decompresses more
// first.
func (r *Reader) Buffered() ([]byte, error) {
	if r.r == r.w {
		if _, err := r.Peek(1); err != nil {
			return nil, err
		}
	}
	return r.buf[r.r:r.w], nil
}

// InMember returns the number of buffered bytes before the next start of a member. A member that
// starts at the next byte does not count.
func (r *Reader) InMember() int {
	n := r.w - r.r
	for i := len(r.marks) - 1; i >= 0 && r.marks[i].at > r.off; i-- {
		n = int(r.marks[i].at - r.off)
	}
	return n
}

// MemberTail returns the end of the current member, from n bytes after the next byte. It reports
// false if the end has not been decompressed yet, or is not complete.
func (r *Reader) MemberTail(n int64) ([]byte, bool) {
	have := r.buf[r.r : r.r+r.InMember()]
	if r.r+len(have) < r.w || !r.open && r.failed == nil {
		return have[min(max(n, 0), int64(len(have))):], n >= 0 && n <= int64(len(have))
	}
	m, _ := r.m.(*gzipMember)
	if n -= int64(len(have)); !r.open || m == nil || !m.ready || n < 0 || n > int64(len(m.text)) {
		return nil, false
	}
	return m.text[n:], true
}

// AtMember reports whether a member starts at the next byte.
func (r *Reader) AtMember() bool {
	if r.r == r.w {
		if _, err := r.Peek(1); err != nil {
			return true
		}
	}
	for i := len(r.marks) - 1; i >= 0; i-- {
		if r.marks[i].at == r.off {
			return true
		}
	}
	return false
}

// Read reads bytes up to the end of a member at most.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if r.r == r.w {
		if len(p) >= len(r.buf) && r.open && r.failed == nil {
			n, err := r.m.Read(p)
			r.ended(n, err)
			r.off += int64(n)
			if n > 0 {
				return n, nil
			}
		}
		if _, err := r.Peek(1); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.buf[r.r:min(r.w, r.r+r.InMember())])
	r.r += n
	r.off += int64(n)
	return n, nil
}

// Unread puts b, the last bytes that were read, before the next byte. Positions after the last call
// of Forget remain valid.
func (r *Reader) Unread(b []byte) {
	r.keep()
	rest := r.buf[r.r:r.w]
	if n := len(b) + len(rest); n > len(r.buf) {
		buf := make([]byte, n)
		copy(buf[len(b):], rest)
		r.buf = buf
	} else {
		copy(r.buf[len(b):], rest)
	}
	copy(r.buf, b)
	r.r, r.w = 0, len(b)+len(rest)
	r.off -= int64(len(b))
}

// Discard skips the next n bytes and returns the number of skipped bytes.
func (r *Reader) Discard(n int64) (int64, error) {
	left := n
	for left > 0 {
		b, err := r.Buffered()
		if err != nil {
			return n - left, err
		}
		k := int(min(left, int64(len(b))))
		r.r += k
		r.off += int64(k)
		left -= int64(k)
	}
	return n, nil
}

// Resync moves to the next readable member after damage. The search starts after the first byte of
// the damaged member, but at most 1 MB before the offset at which decompression stopped. On an
// input that cannot seek it starts at that offset. Unread bytes of the damaged member are skipped.
// Resync returns io.EOF if no readable member follows.
func (r *Reader) Resync() error {
	d, ok := r.failed.(*Damage)
	if !ok {
		return r.failed
	}
	r.off += int64(r.w - r.r) // the unread rest of the damaged member
	r.r, r.w = 0, 0
	if r.kind == Plain || r.outer != nil {
		return r.endOfData()
	}
	from := max(d.Member+1, d.At-backtrack)
	for {
		if r.src.seeker != nil {
			if r.src.seek(from) != nil { // after the end
				return r.endOfData()
			}
		}
		if err := r.findMagic(); err != nil {
			return r.endOfData()
		}
		from = r.src.offset() + 1
		r.failed, r.open = nil, false
		r.r, r.w = 0, 0
		known := len(r.marks)
		if r.looksValid() {
			return nil
		}
		r.marks = r.marks[:known]
		if r.src.seeker == nil && r.src.offset() < from {
			r.src.br.Discard(1)
		}
	}
}

// endOfData records that no readable member follows and discards the output of a false start of a
// member.
func (r *Reader) endOfData() error {
	r.r, r.w = 0, 0
	r.failed, r.lost = io.EOF, true
	return io.EOF
}

// findMagic advances the source to the next magic number.
func (r *Reader) findMagic() error {
	magic := []byte(kinds[r.kind].magic)
	for {
		b, err := r.src.br.Peek(r.src.br.Size())
		if i := bytes.Index(b, magic); i >= 0 {
			r.src.br.Discard(i)
			return nil
		}
		if err != nil {
			return io.EOF
		}
		r.src.br.Discard(len(b) - len(magic) + 1)
	}
}

// looksValid reports whether the decompressed bytes look like a member.
func (r *Reader) looksValid() bool {
	if r.cfg.Accept != nil {
		b, _ := r.Peek(512)
		return len(b) > 0 && r.cfg.Accept(b)
	}
	b, err := r.Peek(minBuffer)
	return len(b) > 0 && (err == nil || err == io.EOF || len(r.marks) > 1 && r.marks[len(r.marks)-1].at > r.off)
}

// MemberEnd returns the offset in the file after the member that holds the previous byte; in a
// plain file the offset of the next byte.
func (r *Reader) MemberEnd() int64 {
	switch {
	case r.outer != nil:
		return r.outer.MemberEnd()
	case r.kind == Plain:
		return r.Pos().Member
	}
	r.AtMember() // opens the next member if this one has ended
	for i := len(r.marks) - 1; i >= 0 && r.marks[i].at >= r.off; i-- {
		if i == 0 || r.marks[i-1].at < r.off {
			return r.marks[i].member
		}
	}
	return r.src.offset()
}
