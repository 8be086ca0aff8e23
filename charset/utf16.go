package charset

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16ByZeros returns the UTF-16 that raw is in, "" if it is in none, from
// where its zero bytes stand: in a page's tags every second byte is 0.
func utf16ByZeros(raw []byte) string {
	n := min(len(raw), 1024) &^ 1
	if n < 4 {
		return ""
	}
	var zeros [2]int
	for i := 0; i < n; i++ {
		if raw[i] == 0 {
			zeros[i&1]++
		}
	}
	many, few := n/2/4, n/2/20
	switch {
	case zeros[1] > many && zeros[0] <= few:
		return "utf-16le"
	case zeros[0] > many && zeros[1] <= few:
		return "utf-16be"
	}
	return ""
}

// decodeUTF16 decodes raw; lone surrogates and a last odd byte are replaced.
func decodeUTF16(raw []byte, name, from string) Result {
	var order binary.ByteOrder = binary.LittleEndian
	if name == "utf-16be" {
		order = binary.BigEndian
	}
	r := Result{Name: name, From: from}
	var b strings.Builder
	b.Grow(len(raw)/2 + len(raw)/8)
	for i := 0; i+1 < len(raw); i += 2 {
		c := rune(order.Uint16(raw[i:]))
		if utf16.IsSurrogate(c) {
			low := rune(0)
			if i+3 < len(raw) {
				low = rune(order.Uint16(raw[i+2:]))
			}
			if c = utf16.DecodeRune(c, low); c == utf8.RuneError {
				r.Replaced++
			} else {
				i += 2
			}
		}
		b.WriteRune(c)
	}
	if len(raw)&1 == 1 {
		b.WriteRune(utf8.RuneError)
		r.Replaced++
	}
	r.Text = b.String()
	return r
}
