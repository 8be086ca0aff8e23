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

// sign puts the least value of each function over all shingles into sig; with
// none, the largest value.
func (l *linear) sign(sig, shingles []uint64) {
	for i := range sig {
		sig[i] = l.mask
	}
	a, b := l.a[:len(sig)], l.b[:len(sig)]
	mask := l.mask
	for _, x := range shingles {
		for i := range sig {
			v := a[i]*x + b[i]
			v = v&mersenne + v>>61
			if v >= mersenne {
				v -= mersenne
			}
			sig[i] = min(sig[i], v&mask)
		}
	}
}

// blocked draws all a, then all b; paired draws a and b of each function in
// turn. Both with the seed that the program has.
func blocked(seed uint32, n int, mask uint64) *linear {
	t := newTwister(seed)
	l := &linear{a: make([]uint64, n), b: make([]uint64, n), mask: mask}
	for i := range l.a {
		l.a[i] = t.below(1, mersenne)
	}
	for i := range l.b {
		l.b[i] = t.below(0, mersenne)
	}
	return l
}

func paired(seed uint32, n int, mask uint64) *linear {
	t := newTwister(seed)
	l := &linear{a: make([]uint64, n), b: make([]uint64, n), mask: mask}
	for i := range l.a {
		l.a[i] = t.below(1, mersenne)
		l.b[i] = t.below(0, mersenne)
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
