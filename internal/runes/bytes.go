package runes

import "unicode/utf8"

// HasUTF16Mark reports whether b begins with a byte-order mark of UTF-16, of either byte order. The
// little-endian mark of UTF-32 begins with the same bytes.
func HasUTF16Mark(b []byte) bool {
	return len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff)
}

// IsHex reports whether c is a hexadecimal digit in ASCII.
func IsHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// CountUTF8 returns the number of bytes in b that are not UTF-8, and of characters of several bytes. A
// character that is cut off at the end is ignored.
func CountUTF8(b []byte) (bad, good int) {
	for i := 0; i < len(b) && (b[i] < utf8.RuneSelf || utf8.FullRune(b[i:])); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else if n > 1 {
			good++
		}
		i += n
	}
	return bad, good
}
