package evidence

import "golang.org/x/sys/cpu"

// expands reports whether the processor can expand bytes by a mask (AVX-512 VBMI2).
var expands = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasPOPCNT

// addExpanded adds the n dense rows at rows, at least one and at most batchKeys, to the scores of
// denseClasses classes.
//
//go:noescape
func addExpanded(scores *int32, pairs *uint64, rows *uint32, n int)

// addDense adds dense rows to the scores from base on.
func (t *Tally) addDense(base int, pairs []uint64, rows []uint32) {
	if len(rows) > 0 {
		addExpanded(&t.Score[base : base+denseClasses][0], &pairs[0], &rows[0], len(rows))
	}
}
