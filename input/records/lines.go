package records

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
	// long tells that the last line ended at max bytes of the document, before
	// its end.
	max  int
	long bool
}

// next appends the next line with its end to dst; nothing is appended at the
// end of the input. A line that damage ended is shorter and says so in
// l.damage; l.long tells that dst has reached the limit. An error is one of
// reading.
func (l *lines) next(dst []byte) ([]byte, error) {
	l.damage, l.long = nil, false
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
		if len(dst) > l.max {
			l.long = true
			return dst, nil
		}
	}
}

// pass gives the rest of a line that was too long to fn.
func (l *lines) pass(fn func([]byte)) error {
	for {
		b, err := l.in.Buffered()
		if err != nil {
			l.n++
			return l.stop(err)
		}
		i := bytes.IndexByte(b, '\n') + 1
		if i == 0 {
			i = len(b)
		}
		end := b[i-1] == '\n'
		fn(b[:i])
		l.in.Discard(int64(i))
		if end {
			l.n++
			return nil
		}
	}
}

// stop takes what ended the input: nil for its end and for damage.
func (l *lines) stop(err error) error {
	var d *packed.Damage
	if errors.As(err, &d) {
		l.damage = d
		return nil
	}
	return unlessEnd(err)
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
