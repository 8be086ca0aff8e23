// Package jsonscan walks over JSON (RFC 8259) without building it, so that a
// reader takes what it wants and knows where it stands.
package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// Scanner walks over the values in B, from the byte I on. It is more tolerant
// than the standard in two points: control characters may stand in strings as
// they are, and NaN, Infinity and -Infinity are values, as Python writes them.
type Scanner struct {
	B []byte
	I int
}

// ErrShort tells that the text ends before the value does.
var ErrShort = errors.New("the line ends inside a value")

// maxDepth bounds how deep arrays and objects may nest.
const maxDepth = 10000

// Bad tells what stands at this place and what was wanted.
func (s *Scanner) Bad(want string) error {
	if s.I >= len(s.B) {
		return ErrShort
	}
	r, _ := utf8.DecodeRune(s.B[s.I:])
	return fmt.Errorf("not JSON: found %q after %d bytes of the line, wanted %s", r, s.I, want)
}

// Space passes white space.
func (s *Scanner) Space() {
	for s.I < len(s.B) {
		switch s.B[s.I] {
		case ' ', '\t', '\r', '\n':
			s.I++
		default:
			return
		}
	}
}

// Take passes c after white space and reports whether it was there.
func (s *Scanner) Take(c byte) bool {
	s.Space()
	if s.I < len(s.B) && s.B[s.I] == c {
		s.I++
		return true
	}
	return false
}

// Str passes a string and returns what stands between its quotation marks; with
// ErrShort the part that is there.
func (s *Scanner) Str() ([]byte, error) {
	if !s.Take('"') {
		return nil, s.Bad("a string")
	}
	start := s.I
	for {
		k := bytes.IndexByte(s.B[s.I:], '"')
		if k < 0 {
			s.I = len(s.B)
			return s.B[start:], ErrShort
		}
		s.I += k
		n := 0 // backslashes before the mark
		for s.I-n > start && s.B[s.I-n-1] == '\\' {
			n++
		}
		s.I++
		if n%2 == 0 {
			return s.B[start : s.I-1], nil
		}
	}
}

// Skip passes any value.
func (s *Scanner) Skip() error {
	var stack []byte // the closing marks that are awaited
	for {
		s.Space()
		if s.I >= len(s.B) {
			return ErrShort
		}
		switch c := s.B[s.I]; {
		case c == '"':
			if _, err := s.Str(); err != nil {
				return err
			}
		case c == '{' || c == '[':
			s.I++
			closing := c + 2 // in ASCII
			if s.Take(closing) {
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
			if s.Take(',') {
				if top == '}' {
					if err := s.key(); err != nil {
						return err
					}
				}
				break
			}
			if !s.Take(top) {
				return s.Bad("a comma or the end of the list")
			}
			stack = stack[:len(stack)-1]
		}
	}
}

// Value passes any value and returns its bytes.
func (s *Scanner) Value() ([]byte, error) {
	s.Space()
	start := s.I
	err := s.Skip()
	return s.B[start:s.I], err
}

// Object passes an object: it calls field with each key as it stands there, in front of the
// value, which field passes.
func (s *Scanner) Object(field func(key []byte) error) error {
	if !s.Take('{') {
		return s.Bad("an object")
	}
	for more := !s.Take('}'); more; {
		key, err := s.Str()
		if err != nil {
			return err
		}
		if !s.Take(':') {
			return s.Bad("a colon")
		}
		if err := field(key); err != nil {
			return err
		}
		if more = s.Take(','); !more && !s.Take('}') {
			return s.Bad("a comma or the end of the object")
		}
	}
	return nil
}

// Array passes an array: it calls item in front of each value, which item passes.
func (s *Scanner) Array(item func() error) error {
	if !s.Take('[') {
		return s.Bad("an array")
	}
	for more := !s.Take(']'); more; {
		if err := item(); err != nil {
			return err
		}
		if more = s.Take(','); !more && !s.Take(']') {
			return s.Bad("a comma or the end of the array")
		}
	}
	return nil
}

func (s *Scanner) key() error {
	if _, err := s.Str(); err != nil {
		return err
	}
	if !s.Take(':') {
		return s.Bad("a colon")
	}
	return nil
}

// literal passes true, false, null or a number.
func (s *Scanner) literal() error {
	start := s.I
	for s.I < len(s.B) {
		switch c := s.B[s.I]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '+', c == '.', c == 'E', c == 'N', c == 'I':
			s.I++
			continue
		}
		break
	}
	w := s.B[start:s.I]
	switch {
	case string(w) == "true", string(w) == "false", string(w) == "null", IsNumber(w), isNoNumber(w):
		return nil
	case s.I == len(s.B):
		return ErrShort
	}
	s.I = start
	return s.Bad("a value")
}

// noNumbers are the values of Python's json module that JSON does not have.
var noNumbers = [...]string{"-Infinity", "Infinity", "NaN"}

func isNoNumber(w []byte) bool {
	for _, s := range noNumbers {
		if string(w) == s {
			return true
		}
	}
	return false
}

// Finite returns the value v with null in place of NaN and the infinities.
func Finite(v []byte) []byte {
	if !bytes.Contains(v, []byte("NaN")) && !bytes.Contains(v, []byte("Infinity")) {
		return v
	}
	out := make([]byte, 0, len(v))
	s := Scanner{B: v}
next:
	for s.I < len(v) {
		if start := s.I; v[start] == '"' {
			s.Str() // an end that is missing is the end of v
			out = append(out, v[start:s.I]...)
			continue
		}
		for _, word := range noNumbers {
			if bytes.HasPrefix(v[s.I:], []byte(word)) {
				out = append(out, "null"...)
				s.I += len(word)
				continue next
			}
		}
		out = append(out, v[s.I])
		s.I++
	}
	return out
}

// IsNumber checks the grammar of RFC 8259, section 6.
func IsNumber(b []byte) bool {
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

// Unquote appends the text of a string to dst, at most max bytes of it (cut at
// a character); whole tells that nothing was left out. An escape that the end
// of s cuts is left out without an error.
func Unquote(dst, s []byte, max int) (out []byte, whole bool, err error) {
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

// Unicode decodes what follows \u in a string, a pair of surrogates together. n is the
// number of bytes, 0 if they are no four digits; what is no character is U+FFFD.
func Unicode(s string) (r rune, n int) {
	if len(s) < 4 {
		return utf8.RuneError, 0
	}
	if r = hex4(s); r < 0 {
		return utf8.RuneError, 0
	}
	if utf16.IsSurrogate(r) && len(s) >= 10 && s[4:6] == `\u` {
		if pair := utf16.DecodeRune(r, hex4(s[6:])); pair != utf8.RuneError {
			return pair, 10
		}
	}
	if !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return r, 4
}

// hex4 reads four hexadecimal digits, -1 if they are not.
func hex4[T string | []byte](s T) rune {
	var r rune
	for i := range 4 {
		c := s[i]
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
