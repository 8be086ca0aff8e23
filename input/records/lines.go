package records

import (
	"bytes"
	"errors"

	"chaffinch/internal/packed"
)

// lines reads one uncompressed file line by line and tracks its position.
type lines struct {
	in *packed.Reader
	n  int64 // lines read
	// damage is the error that ended the last line early.
	damage error
	// long reports whether the last line was cut at max bytes of the document, before its end.
	max  int
	long bool
}

// next appends the next line with its end to dst; it appends nothing at the end of the input.
// If damage cuts the line, l.damage is set. If dst reaches the limit, l.long is set. Any error
// is a read error.
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

// pass passes the rest of a line that was too long to fn.
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

// stop handles the error that ended the input. It returns nil for the end of the input and for
// damage.
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
