package minhash

import "golang.org/x/sys/cpu"

// leastEights is linear.sign for 8*groups functions and a mask of 32 bits, with n > 0 shingles of
// as many bits.
//
//go:noescape
func leastEights(sig, a, b *uint64, groups int, x *uint64, n int)

// leastWide is linear.sign for 8*groups functions, groups > 0, without a mask and with n > 0
// shingles. It requires AVX-512.
//
//go:noescape
func leastWide(sig, a, b *uint64, groups int, x *uint64, n int)

// signEights signs as many functions as a vector unit does together, and returns how many.
func (l *linear) signEights(sig, shingles []uint64) int {
	n := len(sig) / 8
	if n == 0 || len(shingles) == 0 {
		return 0
	}
	a, b := &l.a[:len(sig)][0], &l.b[:len(sig)][0]
	switch {
	case l.mask == high && cpu.X86.HasAVX512DQ:
		leastWide(&sig[0], a, b, n, &shingles[0], len(shingles))
	case l.mask == low32 && cpu.X86.HasAVX2 && below32(shingles):
		leastEights(&sig[0], a, b, n, &shingles[0], len(shingles))
	default:
		return 0
	}
	return 8 * n
}
