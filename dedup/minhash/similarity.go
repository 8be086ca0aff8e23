package minhash

import "math/bits"

// similar implements Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup: Fast
// Similarity Sketching, FOCS 2017, algorithm 1). In round i every shingle gets a bin
// and a value of [i, i+1). Each bin keeps its least value, and rounds end when no bin
// is empty. From round t on, where t is the number of bins, all shingles get bin i-t.
// A long document takes one or two rounds regardless of the number of bins. Bins are
// as good as t independent functions: unbiased, without the copied bins of
// one-permutation hashing.
type similar struct {
	round []uint16 // in which the bin was filled
}

const (
	empty  = 1<<64 - 1
	golden = 0x9e3779b97f4a7c15
)

// mix spreads x over all 64 bits and is a bijection (Stafford's variant 13 of
// the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// fall returns the bin of t and the value of a shingle in a round. Shingles are
// uniform already; the product with an odd number makes other numbers of them.
func fall(x, round, t uint64) (bin, v uint64) {
	if round > 0 {
		x *= mix(round*golden) | 1
	}
	bin, v = bits.Mul64(x, t)
	if round >= t {
		bin = round - t
	}
	return bin, v
}

// open is the round of an empty bin.
const open = 1<<16 - 1

func (s *similar) sign(sig, shingles []uint64) {
	t := uint64(len(sig))
	for i := range sig {
		sig[i] = empty
	}
	if len(shingles) == 0 {
		return
	}
	for _, x := range shingles {
		bin, v := fall(x, 0, t)
		sig[bin] = min(sig[bin], v)
	}
	s.round = append(s.round[:0], make([]uint16, len(sig))...)
	left := 0
	for i, v := range sig {
		if v == empty {
			s.round[i] = open
			left++
		}
	}
	for i := uint64(1); left > 0; i++ {
		if i >= t { // the same bin for all
			bin := i - t
			if s.round[bin] == open {
				for _, x := range shingles {
					_, v := fall(x, i, t)
					sig[bin] = min(sig[bin], v)
				}
				s.round[bin] = uint16(i)
				left--
			}
			continue
		}
		factor := mix(i*golden) | 1
		for _, x := range shingles {
			bin, v := bits.Mul64(x*factor, t)
			switch r := s.round[bin]; {
			case r < uint16(i):
			case r == open:
				sig[bin], s.round[bin] = v, uint16(i)
				left--
			default:
				sig[bin] = min(sig[bin], v)
			}
		}
	}
}
