package token

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has AVX2.
var vectors = cpu.X86.HasAVX2

// flagsVector returns bit sets of the 64 bytes at text: bytes that begin or continue a word, bytes that
// only continue one, and bytes that are not ASCII.
//
//go:noescape
func flagsVector(text *byte) (words, inner, top uint64)
