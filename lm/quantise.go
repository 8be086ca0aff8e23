package lm

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// books are the codebooks of one order.
type books struct {
	bits, bowBits uint
	value, bow    []float32 // nil: exact
}

// newBooks reads the n-grams of one order once and chooses their codebooks.
func newBooks(g Grams, s *Spec, last bool) (books, error) {
	if s.Estimator != MLE && s.Bits == 32 {
		return books{bits: 32, bowBits: 32}, nil
	}
	r, err := g.Open()
	if err != nil {
		return books{}, err
	}
	var p, b histogram
	var x Gram
	var most uint64
	for {
		ok, err := r.Next(&x)
		if err != nil {
			return books{}, err
		}
		if !ok {
			break
		}
		most = max(most, x.Count)
		if s.Estimator != MLE {
			p.add(x.Prob)
			if !last {
				b.add(x.Backoff)
			}
		}
	}
	if s.Estimator == MLE {
		return books{bits: uint(max(1, bits.Len64(most)))}, nil
	}
	out := books{bits: s.Bits, bowBits: s.Bits, value: p.codebook(1 << s.Bits)}
	if !last {
		out.bow = b.codebook(1 << s.Bits)
	}
	return out, nil
}

// bins of a histogram: log10 values from -64 to 64 in steps of 1/512.
const (
	binsPerUnit = 512
	binsHalf    = 64 * binsPerUnit
)

// histogram counts values in bounded memory, so that codebooks of models of
// any size can be chosen.
type histogram struct {
	n     [2 * binsHalf]uint64
	sum   [2 * binsHalf]float64
	exact map[float32]uint64 // all values as long as they are few
	many  bool
}

const fewValues = 1 << 16

func (h *histogram) add(x float32) {
	if !h.many {
		if h.exact == nil {
			h.exact = map[float32]uint64{}
		}
		h.exact[x]++
		h.many = len(h.exact) > fewValues
	}
	i := int(math.Floor(float64(x)*binsPerUnit)) + binsHalf
	i = min(max(i, 0), len(h.n)-1)
	h.n[i]++
	h.sum[i] += float64(x)
}

// codebook chooses n values that are near most of the others: the means of n
// equally large parts of the sorted values, where each bin weighs the root of
// its count, so that rare values are not all thrown together.
func (h *histogram) codebook(n int) []float32 {
	if !h.many && len(h.exact) <= n {
		out := make([]float32, 0, n)
		for x := range h.exact {
			out = append(out, x)
		}
		slices.Sort(out)
		for len(out) < n { // unused
			out = append(out, float32(math.Inf(1)))
		}
		return out
	}
	total := 0.0
	for _, c := range h.n {
		total += math.Sqrt(float64(c))
	}
	out := make([]float32, 0, n)
	done, part, sum := 0.0, uint64(0), 0.0
	for i, c := range h.n {
		if c == 0 {
			continue
		}
		part += c
		sum += h.sum[i]
		done += math.Sqrt(float64(c))
		if done >= total*float64(len(out)+1)/float64(n) && len(out) < n {
			out = append(out, float32(sum/float64(part)))
			part, sum = 0, 0
		}
	}
	if part > 0 && len(out) < n {
		out = append(out, float32(sum/float64(part)))
	}
	for len(out) < n {
		out = append(out, float32(math.Inf(1)))
	}
	return out
}

// encode returns the index of the entry of a codebook that is nearest to x, or
// the bits of x where there is no codebook.
func encode(book []float32, x float32) uint64 {
	if book == nil {
		return uint64(math.Float32bits(x))
	}
	i := sort.Search(len(book), func(i int) bool { return book[i] >= x })
	if i == len(book) || i > 0 && x-book[i-1] <= book[i]-x {
		i--
	}
	return uint64(i)
}
