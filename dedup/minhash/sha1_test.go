package minhash

import (
	"crypto/sha1"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestSHA1 compares short and long messages with crypto/sha1.
func TestSHA1(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 3))
	text := make([]byte, 200)
	for i := range text {
		text[i] = byte(rnd.Uint32())
	}
	for n := range 130 {
		for range 20 {
			b := text[rnd.IntN(len(text)-n):][:n]
			sum := sha1.Sum(b)
			if got, want := sha64(b), binary.LittleEndian.Uint64(sum[:]); got != want || sha32(b) != want&low32 {
				t.Fatalf("%d bytes: %x and %x, wanted %x", n, got, sha32(b), want)
			}
		}
	}
}
