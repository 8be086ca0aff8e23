package minhash

import "golang.org/x/sys/cpu"

// leastEights is linear.sign for 8*groups functions and a mask of 32 bits, with n > 0 shingles of
// as many bits.
//
//go:noescape
func leastEights(sig, a, b *uint64, groups int, x *uint64, n int)

// signEights signs as many functions as a vector unit does together, and returns how many.
func signEights(sig, a, b, shingles []uint64) int {
	n := len(sig) / 8
	if n == 0 || len(shingles) == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	leastEights(&sig[0], &a[:len(sig)][0], &b[:len(sig)][0], n, &shingles[0], len(shingles))
	return 8 * n
}
