// Package jsonscan scans JSON (RFC 8259) without building a tree. A [Scanner] reads or skips value
// by value with [Scanner.Object], [Scanner.Value] and [Scanner.Skip].
package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Scanner scans the values in B from offset I. It deviates from the standard in two points: strings
// may contain unescaped control characters, and NaN, Infinity and -Infinity are values, as Python
// writes them.
type Scanner struct {
	B []byte
	I int
}

// ErrShort means that the text ends inside a value.
var ErrShort = errors.New("the line ends inside a value")

// maxDepth is the maximum nesting depth of arrays and objects.
const maxDepth = 10000

// Bad returns an error with the character found at this offset and the wanted value.
func (s *Scanner) Bad(want string) error {
	if s.I >= len(s.B) {
		return ErrShort
	}
	r, _ := utf8.DecodeRune(s.B[s.I:])
	return fmt.Errorf("not JSON: found %q after %d bytes of the line, wanted %s", r, s.I, want)
}

// Space skips white space.
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

// Take skips white space and reports whether c follows. If so, it skips c.
func (s *Scanner) Take(c byte) bool {
	s.Space()
	if s.I < len(s.B) && s.B[s.I] == c {
		s.I++
		return true
	}
	return false
}

// Str reads a string and returns the bytes between its quotation marks. With ErrShort it returns
// the bytes until the end of the text.
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
		n := 0 // backslashes before the quotation mark
		for s.I-n > start && s.B[s.I-n-1] == '\\' {
			n++
		}
		s.I++
		if n%2 == 0 {
			return s.B[start : s.I-1], nil
		}
	}
}

// Skip skips a value of any type.
func (s *Scanner) Skip() error {
	var stack []byte // the closing brackets that must follow
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

// Value skips a value of any type and returns its bytes.
func (s *Scanner) Value() ([]byte, error) {
	s.Space()
	start := s.I
	err := s.Skip()
	return s.B[start:s.I], err
}

// Object reads an object. It calls field with each undecoded key at the offset of its value, which
// field must read or skip.
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

// Array reads an array. It calls item at the offset of each value, which item must read or skip.
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

// literal skips true, false, null or a number.
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
	case string(w) == "true", string(w) == "false", string(w) == "null", IsNumber(w), isNonFinite(w):
		return nil
	case s.I == len(s.B):
		return ErrShort
	}
	s.I = start
	return s.Bad("a value")
}

// nonFinite lists the values of Python's json module that JSON does not have.
var nonFinite = [...]string{"-Infinity", "Infinity", "NaN"}

func isNonFinite(w []byte) bool {
	return slices.Contains(nonFinite[:], string(w))
}

// Finite returns the value v with null instead of NaN and the infinities.
func Finite(v []byte) []byte {
	if !bytes.Contains(v, []byte("NaN")) && !bytes.Contains(v, []byte("Infinity")) {
		return v
	}
	out := make([]byte, 0, len(v))
	s := Scanner{B: v}
next:
	for s.I < len(v) {
		if start := s.I; v[start] == '"' {
			s.Str() // a missing end is the end of v
			out = append(out, v[start:s.I]...)
			continue
		}
		for _, word := range nonFinite {
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

// IsNumber reports whether b is a number by the grammar of RFC 8259, section 6.
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

// errEscape is returned for a backslash before a character that JSON does not allow there.
var errEscape = errors.New("not JSON: unknown escape in a string")

// Unquote appends the decoded string s to dst, at most max bytes, cut at a character. whole reports
// whether nothing was omitted. An escape that the end of s cuts is dropped without an error.
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

// Unicode decodes the digits after \u in a string; a pair of surrogates is one character. n is the
// number of bytes read, 0 without four digits. Unpaired surrogates are U+FFFD.
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

// hex4 decodes four hexadecimal digits. It returns -1 if s does not begin with them.
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
