package tag

import (
	"slices"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// suffixes holds how often values occur with suffixes of words, for an interpolated distribution of
// the values of a new word. A value of a longer suffix weighs more, the more often it was seen
// (Samuelsson, Morphological tagging based entirely on Bayesian inference, 1993).
type suffixes struct {
	heads  []uint32 // index of the first key with each value of the upper bits, and the end
	keys   []uint32 // the other bits of each key, ascending
	starts []uint32 // of keys in values, and the end
	values []uint16
	counts []uint16
	totals []uint16
	end    int // greater than all values
}

// headBits is the number of upper bits of a key that find its bucket. The next 32 bits are the rest of
// the key: the lowest bits are of the value.
const headBits = 64 - 32 - valueBits

// maxSuffix is the maximum length of a suffix in runes.
const maxSuffix = 8

// valueBits is the number of bits of a value in an observation; the others are of the suffix.
const valueBits = 16

// observe appends an observation of a value for each suffix of a form. seed separates
// distributions.
func observe(list []uint64, form string, seed uint64, value uint16) []uint64 {
	i := len(form)
	for range maxSuffix + 1 {
		list = append(list, suffixKey(form[i:], seed)|uint64(value))
		if i == 0 {
			return list
		}
		_, n := utf8.DecodeLastRuneInString(form[:i])
		i -= n
	}
	return list
}

func suffixKey(suffix string, seed uint64) uint64 {
	return xxh3.HashStringSeed(suffix, seed) &^ (1<<valueBits - 1)
}

// newSuffixes counts observations. It sorts list.
func newSuffixes(list []uint64) *suffixes {
	slices.Sort(list)
	keys, values := 0, 0
	for i, x := range list {
		if i == 0 || x != list[i-1] {
			values++
		}
		if i == 0 || x>>valueBits != list[i-1]>>valueBits {
			keys++
		}
	}
	s := &suffixes{
		heads: make([]uint32, 0, 1<<headBits+1), keys: make([]uint32, 0, keys), starts: make([]uint32, 0, keys+1),
		values: make([]uint16, 0, values), counts: make([]uint16, 0, values), totals: make([]uint16, 0, keys),
	}
	for i := 0; i < len(list); {
		key := list[i] >> valueBits
		for len(s.heads) <= int(list[i]>>(64-headBits)) {
			s.heads = append(s.heads, uint32(len(s.keys)))
		}
		s.keys, s.starts = append(s.keys, uint32(key)), append(s.starts, uint32(len(s.values)))
		total := 0
		for i < len(list) && list[i]>>valueBits == key {
			n := 1
			for i+n < len(list) && list[i+n] == list[i] {
				n++
			}
			s.end = max(s.end, int(uint16(list[i]))+1)
			s.values, s.counts = append(s.values, uint16(list[i])), append(s.counts, uint16(min(n, 1<<16-1)))
			total += n
			i += n
		}
		s.totals = append(s.totals, uint16(min(total, 1<<16-1)))
	}
	s.starts = append(s.starts, uint32(len(s.values)))
	for len(s.heads) <= 1<<headBits {
		s.heads = append(s.heads, uint32(len(s.keys)))
	}
	return s
}

// guess is a value with its probability.
type guess struct {
	value uint16
	p     float32
}

// before reports whether a is more probable than b, or has a smaller number if they are equally
// probable.
func (a guess) before(b guess) bool { return a.p > b.p || a.p == b.p && a.value < b.value }

// inertia is the weight of the distribution of the shorter suffix, in observations. A distribution
// with less than the weight negligible is not added.
const (
	inertia    = .5
	negligible = 1e-3
)

// places holds the place of each value in a list plus one, 0 for values that are not in it.
type places []uint32

// distribute appends the distribution of values of a form to dst in no particular order. It does not
// count one observation of the value without, -1 for none.
func (s *suffixes) distribute(dst []guess, at *places, form string, seed uint64, without int) []guess {
	if len(*at) < s.end {
		*at = make(places, s.end)
	}
	var starts [maxSuffix + 1]int
	n, i := 0, len(form)
	for starts[0] = i; n < maxSuffix && i > 0; {
		_, size := utf8.DecodeLastRuneInString(form[:i])
		i -= size
		n++
		starts[n] = i
	}
	begin := len(dst)
	weight := float32(1)
	for ; n >= 0 && weight > negligible; n-- {
		if k, ok := s.find(suffixKey(form[starts[n]:], seed)); ok {
			dst, weight = s.add(dst, begin, *at, k, without, weight, n == 0)
		}
	}
	for _, g := range dst[begin:] {
		(*at)[g.value] = 0
	}
	return dst
}

// find returns the index of a key.
func (s *suffixes) find(key uint64) (int, bool) {
	head, rest := key>>(64-headBits), uint32(key>>valueBits)
	for k := s.heads[head]; k < s.heads[head+1] && s.keys[k] <= rest; k++ {
		if s.keys[k] == rest {
			return int(k), true
		}
	}
	return 0, false
}

// add adds the observations of the k-th suffix with a weight to the distribution dst[begin:], and
// returns it and the weight of the shorter suffixes.
func (s *suffixes) add(dst []guess, begin int, at places, k, without int, weight float32, last bool) ([]guess, float32) {
	total := float32(s.totals[k])
	if without >= 0 {
		total--
	}
	if total <= 0 {
		return dst, weight
	}
	scale := weight / (total + inertia)
	if last {
		scale = weight / total
	}
	for j := s.starts[k]; j < s.starts[k+1]; j++ {
		v, n := s.values[j], float32(s.counts[j])
		if int(v) == without {
			n--
		}
		if n <= 0 {
			continue
		}
		p := float32(n * scale)
		if i := at[v]; i > 0 {
			dst[begin+int(i)-1].p += p
		} else {
			dst = append(dst, guess{v, p})
			at[v] = uint32(len(dst) - begin)
		}
	}
	return dst, float32(scale * inertia)
}

// best moves the most probable value to the beginning of a list and returns it.
func best(list []guess) guess {
	at := 0
	for i := range list {
		if list[i].before(list[at]) {
			at = i
		}
	}
	list[0], list[at] = list[at], list[0]
	return list[0]
}
