package weburl

// Octet returns the octet that is percent-encoded at s[i:] (RFC 3986, section 2.1), as in
// "%2F", and reports whether there is one. Callers decide which octets have the same meaning
// encoded or not.
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

// AppendOctet appends the percent-encoded octet c to b.
func AppendOctet(b []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(b, '%', hex[c>>4], hex[c&15])
}

// digit returns the value of a hexadecimal digit, -1 for other characters.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
