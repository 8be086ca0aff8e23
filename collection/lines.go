package collection

import (
	"bytes"
	"errors"

	"chaffinch/internal/packed"
)

// lines reads one unpacked file line by line, and knows where it is.
type lines struct {
	in *packed.Reader
	n  int64 // lines taken
	// damage is what ended the last line early.
	damage error
}

// next appends the next line with its end to dst; nothing is appended at the
// end of the input. A line that damage ended is shorter and says so in
// l.damage. An error is one of reading.
func (l *lines) next(dst []byte) ([]byte, error) {
	l.damage = nil
	begin := len(dst)
	for {
		b, err := l.in.Buffered()
		if err != nil {
			if len(dst) > begin {
				l.n++
			}
			return dst, l.stop(err)
		}
		i := bytes.IndexByte(b, '\n') + 1
		if i > 0 {
			dst = append(dst, b[:i]...)
			l.in.Discard(int64(i))
			l.n++
			return dst, nil
		}
		dst = append(dst, b...)
		l.in.Discard(int64(len(b)))
	}
}

// stop takes what ended the input: nil for its end and for damage.
func (l *lines) stop(err error) error {
	var d *packed.Damage
	if errors.As(err, &d) {
		l.damage = d
		return nil
	}
	return noEOF(err)
}

// unread puts back b, the last bytes that were taken, which hold n lines.
func (l *lines) unread(b []byte, n int64) {
	if len(b) > 0 {
		l.in.Unread(b)
		l.n -= n
	}
}

// isBlank reports whether b is white space.
func isBlank(b []byte) bool {
	for _, c := range b {
		if c > ' ' {
			return false
		}
	}
	return true
}
