package charset

import (
	"encoding/binary"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF16 reads b as UTF-16 text without a byte-order mark. It returns the byte order and the
// characters, non-ASCII characters as byte 80. It returns nil if b is not such text.
func UTF16(b []byte) (binary.ByteOrder, []byte) {
	var best []byte
	var order binary.ByteOrder
	most := 0
	for _, o := range [...]binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if out, n := utf16Text(b, o); n > most {
			best, order, most = out, o, n
		}
	}
	return order, best
}

// utf16Text reads b in one byte order and returns the number of ASCII characters, 0 if b is not
// text. Text has an ASCII character, such as a blank. At most 1 in 50 characters may be invalid
// in text. ASCII bytes with NUL bytes, whose pairs would be Chinese, are not text.
func utf16Text(b []byte, order binary.ByteOrder) (out []byte, ascii int) {
	if len(b) < 8 {
		return nil, 0
	}
	out = make([]byte, 0, len(b)/2)
	bad, pairs := 0, 0
	for i := 0; i+1 < len(b); i += 2 {
		r := rune(order.Uint16(b[i:]))
		if isPrintable(b[i]) && isPrintable(b[i+1]) {
			pairs++
		}
		if utf16.IsSurrogate(r) && i+3 < len(b) {
			if pair := utf16.DecodeRune(r, rune(order.Uint16(b[i+2:]))); pair != utf8.RuneError {
				r = pair
				i += 2
			}
		}
		switch {
		case isASCII(r):
			ascii++
			out = append(out, byte(r))
			continue
		case !unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r):
			bad++
		}
		out = append(out, 0x80)
	}
	if bad > len(out)/50 || 5*pairs >= 3*len(out) {
		return nil, 0
	}
	return out, ascii
}

func isPrintable(c byte) bool { return ' ' <= c && c < 0x7f }

// isASCII reports whether r is a character of ASCII text.
func isASCII(r rune) bool { return ' ' <= r && r < 0x7f || r == '\n' || r == '\r' || r == '\t' }
