package minhash

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"chaffinch/dedup"
)

// choose keeps the pairs of candidates that are similar enough.
func (w *work) choose() error {
	const candidates = "candidates"
	var err error
	switch {
	case w.g.MarksAll():
		err = w.g.Step(candidates, func() error {
			out, err := w.edges(candidates)
			if err != nil {
				return err
			}
			return w.candidates(func(worker int, a, b int64) error { return put(out, worker, a, b) })
		})
	case w.fits():
		err = w.g.Step(candidates, func() error { return w.mineInMemory(candidates) })
	default:
		err = w.mineBySorting(candidates)
	}
	if err != nil {
		return err
	}
	if w.m.verified() {
		return w.compare(candidates, keptTable, w.m.cfg.Verify)
	}
	return w.compareSamples(candidates, keptTable, w.m.cfg.Threshold)
}

// mineInMemory writes the candidates that this process compares to a table. Documents
// that are connected by shared bands are compared by one process, so that it finds
// their clusters completely.
func (w *work) mineInMemory(candidates string) error {
	f := newForest(w.g.Docs())
	err := w.pairs(func(_ int, first, other int64) error {
		f.union(uint32(first), uint32(other))
		return nil
	})
	if err != nil {
		return err
	}
	out, err := w.edges(candidates)
	if err != nil {
		return err
	}
	return w.candidates(func(worker int, a, b int64) error {
		if !w.g.Owns(int64(f.find(uint32(a)))) {
			return nil
		}
		return put(out, worker, a, b)
	})
}

// mineBySorting is like mineInMemory for more documents than memory can hold.
func (w *work) mineBySorting(candidates string) error {
	const all = "all-candidates"
	stars, err := w.stars("joined", w.pairs)
	if err != nil {
		return err
	}
	err = w.g.Step(all, func() error {
		out, err := w.edges(all)
		if err != nil {
			return err
		}
		return w.candidates(func(worker int, a, b int64) error { return put(out, worker, a, b) })
	})
	if err != nil {
		return err
	}
	return w.g.Step(candidates, func() error {
		out, err := w.edges(candidates)
		if err != nil {
			return err
		}
		next, stop := iter.Pull2(distinct(w.g.Sorted(stars)))
		defer stop()
		doc, root := int64(-1), int64(-1)
		for rec, err := range w.g.Sorted(all) {
			if err != nil {
				return err
			}
			a, b := edgeAt(rec)
			for doc < a { // the first star of a document goes to the smallest
				e, err, ok := next()
				if err != nil {
					return err
				}
				if !ok {
					return fmt.Errorf("minhash: document %d shares a band and is joined with none", a)
				}
				if e[0] != doc {
					doc, root = e[0], min(e[0], e[1])
				}
			}
			if !w.g.Owns(root) {
				continue
			}
			if err := put(out, 0, a, b); err != nil {
				return err
			}
		}
		w.g.Remove(all)
		w.g.Remove(stars)
		return w.ctx.Err()
	})
}

const (
	// before is the number of documents before it, by rank, that each document
	// of a band is compared with beside the best.
	before = 3
	// maxOrdered is the size of a band from which on it is compared with the best
	// alone.
	maxOrdered = 1 << 16
)

// ranked is a document with its rank.
type ranked struct{ rank, doc int64 }

// candidates calls fn for pairs of documents that share a band. A band of up to 5
// documents gives all pairs. In larger bands each document is paired with the best
// ranked one and some others, so that the work is linear in the documents. The pairs
// depend only on ranks, not on the order of the input.
func (w *work) candidates(fn func(worker int, doc, better int64) error) error {
	key := w.m.keyBytes()
	groups := make([][]ranked, w.g.Workers())
	return w.g.Groups(bandsTable, func(worker int, group *dedup.Records) error {
		if group.Len() < 2 {
			return nil
		}
		docs := groups[worker][:0]
		best := ranked{math.MaxInt64, -1}
		for rec, err := range group.All() {
			if err != nil {
				return err
			}
			doc := dedup.DocAt(rec[key:])
			r := ranked{w.g.Rank(doc), doc}
			if r.rank < best.rank {
				best = r
			}
			if group.Len() < w.m.ordered {
				docs = append(docs, r)
			}
		}
		groups[worker] = docs
		slices.SortFunc(docs, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
		for i, d := range docs {
			if i > before {
				if err := fn(worker, d.doc, best.doc); err != nil {
					return err
				}
			}
			for _, b := range docs[max(0, i-before):i] {
				if err := fn(worker, d.doc, b.doc); err != nil {
					return err
				}
			}
		}
		if len(docs) > 0 {
			return w.ctx.Err()
		}
		for rec, err := range group.All() {
			if err != nil {
				return err
			}
			if doc := dedup.DocAt(rec[key:]); doc != best.doc {
				if err := fn(worker, doc, best.doc); err != nil {
					return err
				}
			}
		}
		return w.ctx.Err()
	})
}

// compareSamples reads pairs of documents and writes pairs with at least the estimated
// similarity least to a table: second document, first document. Samples of first
// documents are moved to the second ones by sorting.
func (w *work) compareSamples(pairs, result string, least float64) error {
	moved := pairs + "-samples" // second document, first document, sample of the first
	size := w.m.sampleBytes()
	err := w.g.Step(moved, func() error {
		out, err := w.g.NewTable(dedup.Table{Name: moved, Record: edge + size, Key: dedup.DocBytes})
		if err != nil {
			return err
		}
		samples, err := w.samples()
		if err != nil {
			return err
		}
		defer samples.in.Close()
		for e, err := range distinct(w.g.Sorted(pairs)) {
			if err != nil {
				return err
			}
			sample, err := samples.of(e[0])
			if err != nil {
				return err
			}
			rec, err := out.Add(0)
			if err != nil {
				return err
			}
			putEdge(rec, e[1], e[0])
			copy(rec[edge:], sample)
		}
		w.g.Remove(pairs)
		return w.ctx.Err()
	})
	if err != nil {
		return err
	}
	return w.g.Step(result, func() error {
		out, err := w.edges(result)
		if err != nil {
			return err
		}
		samples, err := w.samples()
		if err != nil {
			return err
		}
		defer samples.in.Close()
		compared := int64(0)
		for rec, err := range w.g.Sorted(moved) {
			if err != nil {
				return err
			}
			a, b := edgeAt(rec)
			sample, err := samples.of(a)
			if err != nil {
				return err
			}
			compared++
			if estimate(sample, rec[edge:]) >= least {
				if err := put(out, 0, a, b); err != nil {
					return err
				}
			}
		}
		w.g.Count("compared", compared)
		w.g.Remove(moved)
		return w.ctx.Err()
	})
}

// samples reads the samples of documents in order.
type samples struct {
	in  *dedup.Cursor
	rec []byte
}

func (w *work) samples() (*samples, error) {
	in, err := w.g.Open(sampleTable)
	return &samples{in: in}, err
}

// of returns the sample of a document. Documents must be requested in order.
func (s *samples) of(doc int64) ([]byte, error) {
	for s.rec == nil || dedup.DocAt(s.rec) < doc {
		rec, err := s.in.Next()
		if err != nil {
			return nil, err
		}
		if rec == nil {
			return nil, errNoSample(doc)
		}
		s.rec = rec
	}
	if dedup.DocAt(s.rec) > doc {
		return nil, errNoSample(doc)
	}
	return s.rec[dedup.DocBytes:], nil
}
