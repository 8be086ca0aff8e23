// Package swar processes eight bytes of a text at once as one integer (SIMD within a register):
// [Load] reads them, [Within] and [Find] compare them. Results for a byte are in its top bit.
package swar

// Ones has the value 1 in each byte, Tops the top bit of each byte.
const (
	Ones = 0x0101010101010101
	Tops = 0x80 * Ones
)

// Load returns the first eight bytes of s, the first one lowest. s must have at least eight.
func Load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Within sets the top bit of each byte of x that is between lo and hi, two ASCII characters.
func Within(x uint64, lo, hi byte) uint64 {
	low := x &^ Tops // sums of these carry at most into the top bit
	return (low + uint64(0x80-lo)*Ones) &^ (low + uint64(0x7F-hi)*Ones) &^ x & Tops
}

// NoLetter sets the top bit of the first byte of x that is no ASCII letter, and possibly of later
// bytes. It takes fewer operations than [Within].
func NoLetter(x uint64) uint64 {
	lower := x | 0x20*Ones
	return ((lower - 'a'*Ones) | (lower + (0x7F-'z')*Ones) | lower) & Tops // only later bytes borrow or carry
}

// Find sets the top bit of the first byte of x that is c, an ASCII character, and possibly of later
// bytes. It takes fewer operations than [Within].
func Find(x uint64, c byte) uint64 {
	y := x ^ uint64(c)*Ones
	return (y - Ones) &^ y & Tops
}
