package tag

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// all returns the keys.
func (s *suffixes) all() (keys []uint64) {
	for head := range uint64(1 << headBits) {
		for _, k := range s.keys[s.heads[head]:s.heads[head+1]] {
			keys = append(keys, head<<(64-headBits)|uint64(k)<<valueBits)
		}
	}
	return keys
}

// slowDistribute is a simple version of distribute: a sorted list with linear search.
func (s *suffixes) slowDistribute(form string, seed uint64, without int) (list []guess) {
	runes, keys := []rune(form), s.all()
	weight := float32(1)
	for n := min(len(runes), maxSuffix); n >= 0 && weight > negligible; n-- {
		k, ok := slices.BinarySearch(keys, suffixKey(string(runes[len(runes)-n:]), seed))
		total := float32(0)
		if ok {
			total = float32(s.totals[k])
		}
		if without >= 0 {
			total--
		}
		if total <= 0 {
			continue
		}
		scale := weight / (total + inertia)
		if n == 0 {
			scale = weight / total
		}
		for j := s.starts[k]; j < s.starts[k+1]; j++ {
			count := float32(s.counts[j])
			if int(s.values[j]) == without {
				count--
			}
			at := slices.IndexFunc(list, func(g guess) bool { return g.value == s.values[j] })
			switch {
			case count <= 0:
			case at < 0:
				list = append(list, guess{s.values[j], float32(count * scale)})
			default:
				list[at].p += float32(count * scale)
			}
		}
		weight = float32(scale * inertia)
	}
	slices.SortFunc(list, func(a, b guess) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	return list
}

// TestDistribute compares the distributions of random words with the simple version, twice with the
// same places.
func TestDistribute(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]rune, r.IntN(12))
		for i := range b {
			b[i] = []rune("abcdéж")[r.IntN(6)]
		}
		return string(b)
	}
	var list []uint64
	for range 2000 {
		list = observe(list, word(), seedTags, uint16(r.IntN(50)))
	}
	s := newSuffixes(list)
	var at places
	for range 500 {
		form, without := word(), r.IntN(51)-1
		got := s.distribute([]guess{{value: 7}}, &at, form, seedTags, without)[1:]
		for i := range got {
			best(got[i:])
		}
		if want := s.slowDistribute(form, seedTags, without); !slices.Equal(got, want) {
			t.Fatalf("%q without %d: %v, want %v", form, without, got, want)
		}
	}
}
