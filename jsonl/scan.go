package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner walks over one JSON object (RFC 8259) without building it. It is
// more tolerant than the standard in one point: control characters may stand
// in strings as they are.
type scanner struct {
	b []byte
	i int
}

// errShort tells that the text ends before the value does.
var errShort = errors.New("the line ends inside a value")

// maxDepth bounds how deep arrays and objects may nest.
const maxDepth = 10000

func (s *scanner) bad(want string) error {
	if s.i >= len(s.b) {
		return errShort
	}
	r, _ := utf8.DecodeRune(s.b[s.i:])
	return fmt.Errorf("not JSON: found %q after %d bytes of the line, wanted %s", r, s.i, want)
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// take passes c after white space and reports whether it was there.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// str passes a string and returns what stands between its quotation marks; with
// errShort the part that is there.
func (s *scanner) str() ([]byte, error) {
	if !s.take('"') {
		return nil, s.bad("a string")
	}
	start := s.i
	for {
		k := bytes.IndexByte(s.b[s.i:], '"')
		if k < 0 {
			s.i = len(s.b)
			return s.b[start:], errShort
		}
		s.i += k
		n := 0 // backslashes before the mark
		for s.i-n > start && s.b[s.i-n-1] == '\\' {
			n++
		}
		s.i++
		if n%2 == 0 {
			return s.b[start : s.i-1], nil
		}
	}
}

// skip passes any value.
func (s *scanner) skip() error {
	var stack []byte // the closing marks that are awaited
	for {
		s.space()
		if s.i >= len(s.b) {
			return errShort
		}
		switch c := s.b[s.i]; {
		case c == '"':
			if _, err := s.str(); err != nil {
				return err
			}
		case c == '{' || c == '[':
			s.i++
			closing := c + 2 // in ASCII
			if s.take(closing) {
				break
			}
			if len(stack) == maxDepth {
				return fmt.Errorf("values nested deeper than %d", maxDepth)
			}
			stack = append(stack, closing)
			if c == '{' {
				if err := s.key(); err != nil {
					return err
				}
			}
			continue
		default:
			if err := s.literal(); err != nil {
				return err
			}
		}
		for { // a value has ended
			if len(stack) == 0 {
				return nil
			}
			top := stack[len(stack)-1]
			if s.take(',') {
				if top == '}' {
					if err := s.key(); err != nil {
						return err
					}
				}
				break
			}
			if !s.take(top) {
				return s.bad("a comma or the end of the list")
			}
			stack = stack[:len(stack)-1]
		}
	}
}

func (s *scanner) key() error {
	if _, err := s.str(); err != nil {
		return err
	}
	if !s.take(':') {
		return s.bad("a colon")
	}
	return nil
}

// literal passes true, false, null or a number.
func (s *scanner) literal() error {
	start := s.i
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '+', c == '.', c == 'E':
			s.i++
			continue
		}
		break
	}
	w := s.b[start:s.i]
	switch {
	case string(w) == "true", string(w) == "false", string(w) == "null", isNumber(w):
		return nil
	case s.i == len(s.b):
		return errShort
	}
	s.i = start
	return s.bad("a value")
}

// isNumber checks the grammar of RFC 8259, section 6.
func isNumber(b []byte) bool {
	digits := func() int {
		n := 0
		for n < len(b) && '0' <= b[n] && b[n] <= '9' {
			n++
		}
		b = b[n:]
		return n
	}
	b = bytes.TrimPrefix(b, []byte("-"))
	zero := len(b) > 0 && b[0] == '0'
	if n := digits(); n == 0 || zero && n > 1 {
		return false
	}
	if len(b) > 0 && b[0] == '.' {
		if b = b[1:]; digits() == 0 {
			return false
		}
	}
	if len(b) > 0 && (b[0] == 'e' || b[0] == 'E') {
		if b = b[1:]; len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		if digits() == 0 {
			return false
		}
	}
	return len(b) == 0
}

// errEscape reports a backslash with something else than JSON's letters.
var errEscape = errors.New("not JSON: unknown escape in a string")

// unquote appends the text of a string to dst, at most max bytes of it (cut at
// a character); whole tells that nothing was left out. An escape that the end
// of s cuts is left out without an error.
func unquote(dst, s []byte, max int) (out []byte, whole bool, err error) {
	limit := len(dst) + max
	for len(s) > 0 {
		k := bytes.IndexByte(s, '\\')
		if k < 0 {
			k = len(s)
		}
		if len(dst)+k > limit {
			k = limit - len(dst)
			for k > 0 && k < len(s) && !utf8.RuneStart(s[k]) {
				k--
			}
			return append(dst, s[:k]...), false, nil
		}
		dst = append(dst, s[:k]...)
		if s = s[k:]; len(s) == 0 {
			break
		}
		if len(dst)+utf8.UTFMax > limit {
			return dst, false, nil
		}
		if len(s) < 2 {
			return dst, true, nil
		}
		c := s[1]
		s = s[2:]
		switch c {
		case '"', '\\', '/':
			dst = append(dst, c)
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			if len(s) < 4 {
				return dst, true, nil
			}
			r := hex4(s)
			if r < 0 {
				return dst, true, errEscape
			}
			s = s[4:]
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
					low = hex4(s[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					s = s[6:]
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			return dst, true, errEscape
		}
	}
	return dst, true, nil
}

// hex4 reads four hexadecimal digits, -1 if they are not.
func hex4(s []byte) rune {
	var r rune
	for _, c := range s[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
