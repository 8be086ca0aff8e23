package lm

import (
	"fmt"

	"chaffinch/internal/parallel"
	"chaffinch/model"
)

// Columns holds the n-grams of one order in memory, in the order of [Compare].
type Columns struct {
	// Left holds the first words, scrambled. It is nil for order 1.
	Left []uint32
	// Prob and Backoff are log10 values. Backoff is 0 if the n-gram is not a context, and nil for
	// the longest order.
	Prob, Backoff []float32
	// First holds, for each n-gram, the number of the first n-gram of the next order that ends with
	// it, and after the last one their total. It is nil for the longest order.
	First []uint32
}

// columnBooks computes the codebooks of all orders.
func columnBooks(s *Spec) []books {
	all := make([]books, len(s.Columns))
	for k := range all {
		all[k].bits, all[k].bowBits = s.Bits, s.Bits
	}
	if s.Bits == 32 {
		return all
	}
	parallel.Each(0, 2*len(all), func(i int) {
		c, b := &s.Columns[i/2], &all[i/2]
		switch {
		case i%2 == 0:
			b.value = codebook(c.Prob, s.Bits)
		case i/2 < len(all)-1:
			b.bow = codebook(c.Backoff, s.Bits)
		}
	})
	return all
}

// codebook returns the codebook of values.
func codebook(values []float32, bits uint) []float32 {
	h := histogram{few: 1 << bits}
	for _, x := range values {
		h.add(x)
	}
	return h.codebook()
}

// pieceGrams is the number of n-grams that are packed together, a multiple of 64: the records of
// a piece end with a byte.
const pieceGrams = 1 << 15

// writeColumns writes the records of order k+1.
func writeColumns(w *model.Writer, s *Spec, m *meta, k int, value, backoff encoder) error {
	var l level
	if err := l.layout(m, k+1); err != nil {
		return fmt.Errorf("lm: %w", err)
	}
	c, n := &s.Columns[k], int(l.n)
	if k > 0 && len(c.Left) != n || k+1 < m.Order && (len(c.Backoff) != n || len(c.First) != n+1 || uint64(c.First[n]) != m.Ngrams[k+1]) {
		return fmt.Errorf("lm: the columns of the %d-grams have different lengths", k+1)
	}
	pieces := n/pieceGrams + 1
	packed := make([]packer, min(pieces, 4*parallel.Workers(0)))
	for from := 0; from < pieces; from += len(packed) {
		round := packed[:min(len(packed), pieces-from)]
		parallel.Each(0, len(round), func(i int) {
			p := &round[i]
			*p = packer{buf: p.buf[:0]}
			piece := from + i
			for g := piece * pieceGrams; g < min((piece+1)*pieceGrams, n); g++ {
				c.put(p, &l, g, &value, &backoff)
			}
			if piece == pieces-1 {
				p.field(0, l.keyLen+l.valLen+l.bowLen)
				if c.First != nil {
					p.field(uint64(c.First[n]), l.subLen)
				}
				p.finish()
			}
		})
		for i := range round {
			if _, err := w.Write(round[i].buf); err != nil {
				return err
			}
		}
	}
	return nil
}

// put packs the record of n-gram g.
func (c *Columns) put(p *packer, l *level, g int, value, backoff *encoder) {
	if c.Left != nil {
		p.field(uint64(c.Left[g]), l.keyLen)
	}
	p.field(value.code(c.Prob[g]), l.valLen)
	if c.First != nil {
		p.field(backoff.code(c.Backoff[g]), l.bowLen)
		p.field(uint64(c.First[g]), l.subLen)
	}
}
