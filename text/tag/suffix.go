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
	keys   []uint64 // ascending
	starts []uint32 // of keys in values, and the end
	values []uint16
	counts []uint16
	totals []uint16
}

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
	s := &suffixes{}
	for i := 0; i < len(list); {
		key := list[i] >> valueBits
		s.keys, s.starts = append(s.keys, key<<valueBits), append(s.starts, uint32(len(s.values)))
		total := 0
		for i < len(list) && list[i]>>valueBits == key {
			n := 1
			for i+n < len(list) && list[i+n] == list[i] {
				n++
			}
			s.values, s.counts = append(s.values, uint16(list[i])), append(s.counts, uint16(min(n, 1<<16-1)))
			total += n
			i += n
		}
		s.totals = append(s.totals, uint16(min(total, 1<<16-1)))
	}
	s.starts = append(s.starts, uint32(len(s.values)))
	return s
}

// guess is a value with its probability.
type guess struct {
	value uint16
	p     float32
}

// inertia is the weight of the distribution of the shorter suffix, in observations.
const inertia = .5

// distribute returns the distribution of values of a form, most probable first. It does not count
// one observation of the value without, -1 for none. The result is appended to dst.
func (s *suffixes) distribute(dst []guess, form string, seed uint64, without int) []guess {
	begin := len(dst)
	i := len(form)
	for n := range maxSuffix + 2 {
		key := suffixKey(form[i:], seed)
		if n > 0 && i == len(form) {
			break
		}
		var ok bool
		if dst, ok = s.add(dst, begin, key, without); !ok {
			break
		}
		if i == 0 {
			break
		}
		_, size := utf8.DecodeLastRuneInString(form[:i])
		i -= size
	}
	list := dst[begin:]
	slices.SortFunc(list, func(a, b guess) int {
		switch {
		case a.p > b.p:
			return -1
		case a.p < b.p:
			return 1
		}
		return int(a.value) - int(b.value)
	})
	return dst
}

// add interpolates the distribution dst[begin:] with the observations of a suffix, and reports
// whether there are any.
func (s *suffixes) add(dst []guess, begin int, key uint64, without int) ([]guess, bool) {
	k, ok := slices.BinarySearch(s.keys, key)
	if !ok {
		return dst, false
	}
	from, to := s.starts[k], s.starts[k+1]
	total := float32(s.totals[k])
	if without >= 0 {
		total--
	}
	if total <= 0 {
		return dst, false
	}
	old := float32(inertia) / float32(total+inertia)
	if len(dst) == begin {
		old = 0
	}
	for j := begin; j < len(dst); j++ {
		dst[j].p = float32(dst[j].p * old)
	}
	scale := (1 - old) / total
	for j := from; j < to; j++ {
		n := float32(s.counts[j])
		if int(s.values[j]) == without {
			n--
		}
		if n <= 0 {
			continue
		}
		p := float32(n * scale)
		at := slices.IndexFunc(dst[begin:], func(g guess) bool { return g.value == s.values[j] })
		if at < 0 {
			dst = append(dst, guess{s.values[j], p})
		} else {
			dst[begin+at].p += p
		}
	}
	return dst, true
}
