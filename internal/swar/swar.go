// Package swar works on eight bytes of a text at a time, as one number: SIMD within a
// register. What it tells of each byte is in the top bit of that byte.
package swar

// Eight bytes that are 1, and the top bits of eight.
const (
	Ones = 0x0101010101010101
	Tops = 0x80 * Ones
)

// Load returns the first eight bytes of s, which has as many, the first one lowest.
func Load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Within tells which bytes of x are from lo to hi, two characters of ASCII.
func Within(x uint64, lo, hi byte) uint64 {
	low := x &^ Tops // a sum of these carries into the top bit at most
	return (low + uint64(0x80-lo)*Ones) &^ (low + uint64(0x7F-hi)*Ones) &^ x & Tops
}
