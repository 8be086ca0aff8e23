package minhash

// mersenne is the prime 2^61-1, modulo which the published schemes permute.
const mersenne = 1<<61 - 1

// linear is the family h_i(x) = ((a_i*x + b_i) mod 2^64) mod (2^61-1), cut to
// the lower 32 bits where a scheme keeps no more (Carter and Wegman, Universal
// classes of hash functions, 1979; the product runs over 64 bits in all
// programs that use it, which makes it weaker than theirs, and is kept).
type linear struct {
	a, b []uint64
	mask uint64
}

// value is h(x), but for a number v of [2^61-1, 2^61+6] in place of v-(2^61-1),
// which is one value in 2^58.
func value(a, b, x uint64) uint64 {
	v := a*x + b
	return v&mersenne + v>>61
}

// sign puts the least value of each function over all shingles into sig; with
// none, the largest value.
func (l *linear) sign(sig, shingles []uint64) {
	l.signFrom(l.signEights(sig, shingles), sig, shingles)
}

// below32 reports whether all shingles have at most 32 bits.
func below32(shingles []uint64) bool {
	all := uint64(0)
	for _, x := range shingles {
		all |= x
	}
	return all>>32 == 0
}

// signFrom is sign without the first functions. Four at a time stay in registers.
func (l *linear) signFrom(done int, sig, shingles []uint64) {
	a, b, mask := l.a[done:len(sig)], l.b[done:len(sig)], l.mask
	sig = sig[done:]
	for len(sig) >= 4 {
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		m0, m1, m2, m3 := mask, mask, mask, mask
		for _, x := range shingles {
			m0 = min(m0, value(a0, b0, x)&mask)
			m1 = min(m1, value(a1, b1, x)&mask)
			m2 = min(m2, value(a2, b2, x)&mask)
			m3 = min(m3, value(a3, b3, x)&mask)
		}
		sig[0], sig[1], sig[2], sig[3] = m0, m1, m2, m3
		sig, a, b = sig[4:], a[4:], b[4:]
	}
	for i := range sig {
		least := mask
		for _, x := range shingles {
			least = min(least, value(a[i], b[i], x)&mask)
		}
		sig[i] = least
	}
}

// blocked draws all a, then all b; paired draws a and b of each function in turn. Both
// use the seed of the published program.
func blocked(seed uint32, n int, mask uint64) *linear {
	t := newTwister(seed)
	l := &linear{a: make([]uint64, n), b: make([]uint64, n), mask: mask}
	for i := range l.a {
		l.a[i] = t.below(1)
	}
	for i := range l.b {
		l.b[i] = t.below(0)
	}
	return l
}

func paired(seed uint32, n int, mask uint64) *linear {
	t := newTwister(seed)
	l := &linear{a: make([]uint64, n), b: make([]uint64, n), mask: mask}
	for i := range l.a {
		l.a[i] = t.below(1)
		l.b[i] = t.below(0)
	}
	return l
}

// paired32 draws numbers below 2^31-1. The first a is also the seed of the hash
// of the shingles.
func paired32(seed uint32, n int) *linear {
	const prime = 1<<31 - 1
	t := newTwister(seed)
	l := &linear{a: make([]uint64, n), b: make([]uint64, n), mask: 1<<32 - 1}
	for i := range l.a {
		l.a[i] = uint64(t.below32(1, prime))
		l.b[i] = uint64(t.below32(0, prime))
	}
	return l
}
