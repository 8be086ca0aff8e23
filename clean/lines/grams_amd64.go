package lines

import "golang.org/x/sys/cpu"

// wideGrams reports whether the processor has the instructions of sumChars and sumWords.
var wideGrams = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// sumChars returns the sum and number of the weights of the n-grams that end after the fourth of n
// characters, at least five. It reads three bytes before the weights.
//
//go:noescape
func sumChars(codes *uint16, n int, weights *Weights) (sum, count int32)

// sumWords returns the sum and number of the weights of n words, at least one, and of their pairs. It
// reads three bytes before the weights.
//
//go:noescape
func sumWords(words *uint32, n int, weights *Weights) (sum, count int32)
