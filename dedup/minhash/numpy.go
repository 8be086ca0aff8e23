package minhash

// twister is the Mersenne Twister MT19937 (Matsumoto and Nishimura, ACM TOMACS
// 8, 1998) as numpy.random.RandomState seeds and reads it: the published schemes
// take their permutations from it, and equal decisions need equal constants.
type twister struct {
	state [624]uint32
	next  int
}

func newTwister(seed uint32) *twister {
	t := &twister{next: 624}
	for i := range t.state {
		t.state[i] = seed
		seed = 1812433253*(seed^seed>>30) + uint32(i) + 1
	}
	return t
}

func (t *twister) uint32() uint32 {
	if t.next == len(t.state) {
		t.turn()
	}
	y := t.state[t.next]
	t.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (t *twister) turn() {
	n := len(t.state)
	for i := range t.state {
		y := t.state[i]&0x80000000 | t.state[(i+1)%n]&0x7fffffff
		t.state[i] = t.state[(i+397)%n] ^ y>>1 ^ -(y&1)&0x9908b0df
	}
	t.next = 0
}

// below returns a number of [low, mersenne) like randint(low, mersenne, dtype=uint64):
// larger numbers are drawn again.
func (t *twister) below(low uint64) uint64 {
	span := mersenne - 1 - low
	mask := span
	for s := 1; s < 64; s *= 2 {
		mask |= mask >> s
	}
	for {
		v := (uint64(t.uint32())<<32 | uint64(t.uint32())) & mask
		if v <= span {
			return low + v
		}
	}
}

// below32 is below for dtype=uint32.
func (t *twister) below32(low, high uint32) uint32 {
	span := high - 1 - low
	mask := span
	for s := 1; s < 32; s *= 2 {
		mask |= mask >> s
	}
	for {
		if v := t.uint32() & mask; v <= span {
			return low + v
		}
	}
}
