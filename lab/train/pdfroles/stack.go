package pdfroles

import (
	"math"

	"chaffinch/format/pdf/roles"
	"chaffinch/internal/boost"
)

// stacked holds the features of documents below each other, with rows of zeros between them.
type stacked struct {
	rows    []float32
	n       int
	gold    []uint32
	weight  []float32 // 0 for rows without an annotation
	between []bool    // rows of zeros
}

func stack(docs []*Doc, share, balance float64) *stacked {
	s := &stacked{}
	zero := make([]float32, boost.Pad*int(roles.Columns))
	for _, d := range docs {
		from, to := d.near()
		if from >= to {
			continue
		}
		f := roles.Features(d.Parts)
		start := s.n
		s.rows = append(append(s.rows, f[from*int(roles.Columns):to*int(roles.Columns)]...), zero...)
		s.n += to - from + boost.Pad
		s.gold = append(s.gold, make([]uint32, s.n-start)...)
		s.weight = append(s.weight, make([]float32, s.n-start)...)
		known := 0
		for _, i := range d.At {
			if i >= 0 {
				known++
			}
		}
		w := float32(math.Pow(float64(max(known, 1)), share-1))
		s.between = append(s.between, make([]bool, to-from)...)
		for range boost.Pad {
			s.between = append(s.between, true)
		}
		for k, i := range d.At {
			if i >= 0 {
				s.gold[start+i-from], s.weight[start+i-from] = uint32(d.Roles[k].Role), w
			}
		}
	}
	var count [roles.Count]int
	for i, w := range s.weight {
		if w > 0 {
			count[s.gold[i]]++
		}
	}
	var sum float32
	for i, w := range s.weight {
		if w > 0 {
			s.weight[i] *= float32(math.Pow(float64(count[s.gold[i]]), -balance))
		}
		sum += s.weight[i]
	}
	known := 0
	for _, w := range s.weight {
		if w > 0 {
			known++
		}
	}
	for i := range s.weight {
		s.weight[i] *= float32(known) / sum
	}
	return s
}

// matrix returns the bins of the features. Rows between documents have bin 0, like padding.
func (s *stacked) matrix(cuts [][]float32) *boost.Matrix {
	m := boost.NewMatrix(s.n, len(cuts))
	for c, k := range cuts {
		for i, between := range s.between {
			if !between {
				m.Cols[c][boost.Pad+i] = boost.Bin(s.rows[i*len(cuts)+c], k)
			}
		}
	}
	return m
}

// near returns the range of paragraphs from the first to the last annotated one, with neighbours.
func (d *Doc) near() (from, to int) {
	from, to = len(d.Parts.Paragraphs), 0
	for _, i := range d.At {
		if i >= 0 {
			from, to = min(from, i), max(to, i+1)
		}
	}
	return max(from-boost.Pad, 0), min(to+boost.Pad, len(d.Parts.Paragraphs))
}
