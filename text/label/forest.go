package label

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"chaffinch/internal/boost"
)

// Columns is the number of columns that forests read: [Stats] statistics of a window, the linear
// score of each block of the document, and the whole linear score.
const Columns = Stats + int(Blocks) + 1

// Forest computes the score of a class from statistics and linear scores. The score of a document
// is the mean over its windows, weighted by their words. Unstable: it may change in any release.
type Forest struct {
	cuts  [][]float32
	trees boost.Forest
	// upper holds the trees without the columns that are unknown at each step of
	// [Scorer.ScoreAbove].
	upper [2]func() *boost.Forest
}

// ParseForest returns a forest. cuts are, for each of [Columns] columns, the rising values that
// separate its bins; trees are encoded trees of package lab/train/trees.
func ParseForest(cuts [][]float32, trees []byte) (*Forest, error) {
	f := &Forest{cuts: cuts}
	f.upper[0] = sync.OnceValue(func() *boost.Forest {
		return f.trees.Upper(columnOf(Words), columnOf(Shapes), columnOf(Facts), Columns-1)
	})
	f.upper[1] = sync.OnceValue(func() *boost.Forest { return f.trees.Upper(columnOf(Words), columnOf(Facts), Columns-1) })
	if err := f.trees.UnmarshalBinary(trees); err != nil {
		return nil, err
	}
	return f, f.check()
}

func (f *Forest) check() error {
	switch {
	case len(f.cuts) != Columns:
		return fmt.Errorf("a forest of %d columns, wanted %d", len(f.cuts), Columns)
	case f.trees.Columns() > Columns:
		return fmt.Errorf("a tree reads column %d of %d", f.trees.Columns()-1, Columns)
	}
	for _, ft := range f.trees.Used() {
		if ft.Shift != 0 {
			return errors.New("a tree reads other windows")
		}
	}
	return nil
}

// Linear returns the linear score of each class, without forests. The result is valid until the
// next call.
func (s *Scorer) Linear(m *Model, d Doc) []float32 {
	s.begin(m, d)
	return s.finish(m, d)
}

// begin reads the words of a document.
func (s *Scorer) begin(m *Model, d Doc) {
	s.features.begin(d.Text, m.w.Flat)
	for b := range s.parts {
		s.parts[b] = s.parts[b][:0]
	}
	if len(s.counts) < len(m.w.IDs) {
		s.counts = make([]uint16, len(m.w.IDs))
	}
}

// part computes the linear scores of a block, unless they are known. The scores of a block
// without a scale are 0.
func (s *Scorer) part(m *Model, d Doc, b Block) {
	k := len(m.w.Classes)
	if len(s.parts[b]) == k {
		return
	}
	s.parts[b] = append(s.parts[b], make([]float32, k)...)
	if m.w.Scales[b] == 0 {
		return
	}
	if s.features.find(d, b); b == Layout {
		s.layout(m, s.parts[b])
	} else {
		s.grams(m, b)
	}
}

// finish computes the remaining blocks and adds the scores of all blocks.
func (s *Scorer) finish(m *Model, d Doc) []float32 {
	s.scores = append(s.scores[:0], m.w.Bias...)
	for b := range Blocks {
		s.before[b] = append(s.before[b][:0], s.scores...)
		s.part(m, d, b)
		if b == Layout && m.w.Scales[b] > 0 {
			s.layout(m, s.scores) // one step after the other, so that the rounding is the same as in training
			continue
		}
		for c, v := range s.parts[b] {
			s.scores[c] += v
		}
	}
	return s.scores
}

// Windows returns the share of the words in each window of the document of the last call of Linear,
// and appends [Columns] columns of each window for a class to dst.
func (s *Scorer) Windows(class int, dst []float32) (shares, columns []float32) {
	f := &s.features
	s.shares = s.shares[:0]
	for w, words := range f.weights {
		s.shares = append(s.shares, float32(words)/float32(f.count))
		if len(f.stats) > 0 {
			dst = append(dst, f.stats[w*Stats:][:Stats]...)
		} else {
			dst = append(dst, make([]float32, Stats)...)
		}
		for b := range Blocks {
			after := s.scores
			if b+1 < Blocks {
				after = s.before[b+1]
			}
			dst = append(dst, after[class]-s.before[b][class])
		}
		dst = append(dst, s.scores[class])
	}
	return s.shares, dst
}

// batch is the number of windows that a forest scores at once.
const batch = boost.Pad

// Score returns the score of a document from its windows, as [Scorer.Windows] returns them.
func (f *Forest) Score(shares, columns []float32) float32 {
	return f.score(boost.NewMatrix(batch, Columns), shares, columns)
}

func (f *Forest) score(m *boost.Matrix, shares, columns []float32) (score float32) {
	for len(shares) > 0 {
		n := min(batch, len(shares))
		for c, cuts := range f.cuts[:f.trees.Columns()] {
			for i := range n {
				m.Cols[c][boost.Pad+i] = boost.Bin(columns[i*Columns+c], cuts)
			}
		}
		var out [batch]float32
		f.trees.Score(m, out[:])
		for i, share := range shares[:n] {
			score += float32(out[i] * share)
		}
		shares, columns = shares[n:], columns[n*Columns:]
	}
	return score
}

// forests replaces the scores of classes with a forest.
func (s *Scorer) forests(m *Model) {
	for class, f := range m.w.Forests {
		if f == nil || s.features.count == 0 {
			continue
		}
		if s.matrix == nil {
			s.matrix = boost.NewMatrix(batch, Columns)
		}
		var shares []float32
		shares, s.columns = s.Windows(class, s.columns[:0])
		s.scores[class] = f.score(s.matrix, shares, s.columns)
	}
}

// appendForests appends, for each class, the number of bytes of its forest (0 for none), the cuts
// and the trees.
func (w *Weights) appendForests(b []byte) ([]byte, error) {
	for _, f := range w.Forests {
		var part []byte
		if f != nil {
			for _, cuts := range f.cuts {
				part = boost.AppendCuts(part, cuts)
			}
			var err error
			if part, err = f.trees.AppendBinary(part); err != nil {
				return nil, err
			}
		}
		b = append(binary.AppendUvarint(b, uint64(len(part))), part...)
	}
	return b, nil
}

func (w *Weights) readForests(b []byte) error {
	for class := range w.Classes {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return fmt.Errorf("the forest of class %d is damaged", class)
		}
		part := b[n:][:size]
		b = b[n:][size:]
		if size == 0 {
			w.Forests = append(w.Forests, nil)
			continue
		}
		var all [][]float32
		for range Columns {
			cuts, rest, err := boost.ReadCuts(part)
			if err != nil {
				return err
			}
			all, part = append(all, cuts), rest
		}
		f, err := ParseForest(all, part)
		if err != nil {
			return err
		}
		w.Forests = append(w.Forests, f)
	}
	if len(b) > 0 {
		return fmt.Errorf("%d bytes after the last forest", len(b))
	}
	return nil
}
