package lines

import "math"

// NGrams is a logistic regression over hashed n-grams. Each of the n n-grams of a line has
// the value 1/sqrt(n), so that length alone does not make long lines more certain.
type NGrams struct {
	Bias    float32
	Scale   float32 // size of a step
	Weights Weights // in steps; not the first field, see sumChars
}

// Weights holds one weight for each n-gram slot.
type Weights [1 << defaultTableBits]int8

// sum returns the sum of the weights of a line with these ids.
func (g *NGrams) sum(ids []uint32) (s gramSum) {
	s.n = int32(len(ids))
	for _, id := range ids {
		s.sum += int32(g.Weights[id])
	}
	return s
}

// score returns the log odds of a line with this sum.
func (g *NGrams) score(s gramSum) float32 {
	if s.n == 0 {
		return g.Bias
	}
	return g.Bias + float32(float32(s.sum)*g.Scale)/float32(math.Sqrt(float64(s.n)))
}
