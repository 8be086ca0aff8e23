package minhash

import "golang.org/x/sys/cpu"

// shortMessage is the maximum length of a message that sha1Short hashes: one block of SHA-1.
var shortMessage = func() int {
	if cpu.X86.HasAVX512BW && cpu.X86.HasBMI2 && hasSHA() {
		return 55
	}
	return 0
}()

// sha1Short returns the first eight bytes of SHA-1, little-endian, of the n bytes from b on, at most
// 55. It requires AVX-512 and the SHA extensions.
//
//go:noescape
func sha1Short(b *byte, n int) uint64

// hasSHA reports whether the processor has the SHA extensions.
func hasSHA() bool
