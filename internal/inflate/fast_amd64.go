package inflate

import "golang.org/x/sys/cpu"

// vector reports whether the processor has the instructions of fastBMI2.
var vector = cpu.X86.HasBMI2

// loopState is the state of [Reader.fast] for fastBMI2.
type loopState struct {
	in        *byte
	pos, last int // the last position with a whole word
	out       *byte
	w, full   int // the output is full from full
	lit       *litTable
	dist      *distTable
	hold      uint64
	n         uint
}

// The results of fastBMI2.
const (
	atLimit = iota
	atEndMark
	atDamage
)

// fastBMI2 runs the loop of [Reader.fastGo].
//
//go:noescape
func fastBMI2(s *loopState) int

// fast decodes symbols like [Reader.fastGo].
func (z *Reader) fast() error {
	if !vector || z.pos+8 > len(z.in) {
		return z.fastGo()
	}
	out := z.out[:Window]
	s := loopState{
		in: &z.in[0], pos: z.pos, last: len(z.in) - 8, out: &out[0], w: z.w, full: history + ahead - 8,
		lit: z.lit, dist: z.dist, hold: z.bits & (1<<z.n - 1), n: z.n,
	}
	how := fastBMI2(&s)
	z.pos, z.w, z.bits, z.n = s.pos, s.w, s.hold, s.n
	if how == atLimit {
		return nil
	}
	z.state = atBlock
	if how == atDamage {
		return errCorrupt
	}
	return nil
}
