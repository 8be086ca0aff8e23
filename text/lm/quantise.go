package lm

import (
	"math"
	"math/bits"
	"slices"
)

// books holds the codebooks of one order.
type books struct {
	bits, bowBits uint
	value, bow    []float32 // nil: exact
}

// newBooks reads the n-grams of one order once and computes their codebooks.
func newBooks(g Grams, s *Spec, last bool) (books, error) {
	if s.Estimator != MLE && s.Bits == 32 {
		return books{bits: 32, bowBits: 32}, nil
	}
	r, err := g.Open()
	if err != nil {
		return books{}, err
	}
	p, b := histogram{few: 1 << s.Bits}, histogram{few: 1 << s.Bits}
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
	out := books{bits: s.Bits, bowBits: s.Bits, value: p.codebook()}
	if !last {
		out.bow = b.codebook()
	}
	return out, nil
}

// The bins of a histogram: log10 values from -64 to 64 in steps of 1/512.
const (
	binsPerUnit = 512
	binsHalf    = 64 * binsPerUnit
)

// histogram counts values in bounded memory, so that codebooks of models of
// any size can be chosen.
type histogram struct {
	n     [2 * binsHalf]uint64
	sum   [2 * binsHalf]float64
	few   int                  // number of entries of the codebook
	exact map[float32]struct{} // all values, while each fits in the codebook
	many  bool
}

func (h *histogram) add(x float32) {
	if !h.many {
		if h.exact == nil {
			h.exact = map[float32]struct{}{}
		}
		h.exact[x] = struct{}{}
		h.many = len(h.exact) > h.few
	}
	i := bin(x)
	h.n[i]++
	h.sum[i] += float64(x)
}

// bin returns the bin of a value.
func bin(x float32) int {
	return min(max(int(math.Floor(float64(x)*binsPerUnit))+binsHalf, 0), 2*binsHalf-1)
}

// codebook returns n values that approximate the counted values: the means of n equally large
// parts of the sorted values. The weight of a bin is the root of its count, so that rare values
// are not merged too much.
func (h *histogram) codebook() []float32 {
	n := h.few
	if !h.many {
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

// encoder maps values to entries of a codebook.
type encoder struct {
	book []float32 // nil: values are exact
	from []uint32  // by bin: the first entry that is not below it
}

func newEncoder(book []float32) encoder {
	e := encoder{book: book}
	if book == nil {
		return e
	}
	e.from = make([]uint32, 2*binsHalf)
	n := 0
	for b := range e.from {
		for b > 0 && n < len(book) && float64(book[n]) < float64(b-binsHalf)/binsPerUnit {
			n++
		}
		e.from[b] = uint32(n)
	}
	return e
}

// code returns the index of the entry nearest to x, or the bits of x if there is no codebook.
func (e *encoder) code(x float32) uint64 {
	if e.book == nil {
		return uint64(math.Float32bits(x))
	}
	i := int(e.from[bin(x)])
	for i < len(e.book) && e.book[i] < x {
		i++
	}
	if i == len(e.book) || i > 0 && x-e.book[i-1] <= e.book[i]-x {
		i--
	}
	return uint64(i)
}
