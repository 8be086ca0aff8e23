// Package percent reads and writes octets that stand percent-encoded in URLs (RFC
// 3986, section 2.1). Which of them mean the same encoded or not is for the
// callers to say.
package percent

// Octet returns the octet that stands encoded at s[i:], as in "%2F"; ok is false if
// none does.
func Octet(s string, i int) (c byte, ok bool) {
	if i+2 >= len(s) || s[i] != '%' {
		return 0, false
	}
	high, low := digit(s[i+1]), digit(s[i+2])
	if high < 0 || low < 0 {
		return 0, false
	}
	return byte(high<<4 | low), true
}

// Append appends an octet, encoded, to b.
func Append(b []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(b, '%', hex[c>>4], hex[c&15])
}

// digit returns the value of a hexadecimal digit, -1 for others.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
