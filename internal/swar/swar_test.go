package swar

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"testing"
)

// TestWithin returns for each byte the result of a comparison, independent of its neighbours.
func TestWithin(t *testing.T) {
	for _, r := range [][2]byte{{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {0, 0}, {0, 0x7F}, {' ', ' '}} {
		for c := range 256 {
			for _, beside := range []byte{0, 'a', 'z', 0x7F, 0x80, 0xFF} {
				for at := range 8 {
					b := [8]byte{beside, beside, beside, beside, beside, beside, beside, beside}
					b[at] = byte(c)
					got := Within(Load(string(b[:])), r[0], r[1])
					var want [8]byte
					for i, c := range b {
						if r[0] <= c && c <= r[1] {
							want[i] = 0x80
						}
					}
					if got != binary.LittleEndian.Uint64(want[:]) {
						t.Fatalf("%q, %q to %q: %x, want %x", b, r[0], r[1], got, want)
					}
				}
			}
		}
	}
}

// TestNoLetter finds the first byte that is no ASCII letter.
func TestNoLetter(t *testing.T) {
	letters := "aAzZmMqQ"
	for c := range 256 {
		for at := range 8 {
			for _, after := range []byte{0, 'a', 0x60, '{', 0x80, 0xFF} {
				b := []byte(letters)
				b[at] = byte(c)
				for i := at + 1; i < 8; i++ {
					b[i] = after
				}
				want := 0
				for want < 8 && (b[want]|0x20 >= 'a' && b[want]|0x20 <= 'z') {
					want++
				}
				if got := bits.TrailingZeros64(NoLetter(Load(string(b)))) / 8; got != want {
					t.Fatalf("%q: %d, want %d", b, got, want)
				}
			}
		}
	}
}

// TestFind finds the first of several bytes.
func TestFind(t *testing.T) {
	for _, c := range []byte{0, '\n', '&', 0x7F} {
		for _, text := range []string{"\x00\x01\n\v&'\x7f\x80", "\x01\x00\v\n'&\x80\x7f", "abcdefgh", "\x8a\xa6\x80\xff\x0b%~\x01", "&&&&&&&&"} {
			want := strings.IndexByte(text, c)
			if want < 0 {
				want = 8
			}
			if got := bits.TrailingZeros64(Find(Load(text), c)) / 8; got != want {
				t.Errorf("%q in %q: %d, wanted %d", c, text, got, want)
			}
		}
	}
}
