package runes

// HasUTF16Mark reports whether b begins with a byte-order mark of UTF-16, of either byte order. The
// little-endian mark of UTF-32 begins with the same bytes.
func HasUTF16Mark(b []byte) bool {
	return len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff)
}

// IsHex reports whether c is a hexadecimal digit in ASCII.
func IsHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
