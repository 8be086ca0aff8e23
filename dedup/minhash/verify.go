package minhash

import (
	"encoding/binary"
	"iter"
	"math"

	"chaffinch/dedup"
	"chaffinch/internal/parallel"
)

// compare reads pairs of documents and writes pairs with at least the Jaccard
// similarity least to a table: second document, first document, similarity.
func (w *work) compare(pairs, result string, least float64) error {
	if w.g.Done(result) {
		return nil
	}
	if !w.m.sorting {
		sets, err := w.load(pairs)
		if err != nil {
			return err
		}
		if sets != nil {
			return w.g.Step(result, func() error { return w.compareLoaded(pairs, result, least, sets) })
		}
	}
	return w.compareMoved(pairs, result, least)
}

// compareMoved is compare for sets that do not fit in memory. The shingles of first
// documents are moved to the second ones by sorting, then sets are merged.
func (w *work) compareMoved(pairs, result string, least float64) error {
	moved := movedTable(pairs)
	err := w.g.Step(moved, func() error {
		out, err := w.g.NewTable(dedup.Table{Name: moved, Record: edge + 8, Key: dedup.DocBytes})
		if err != nil {
			return err
		}
		return w.withSets(pairs, func(worker int, in iter.Seq2[[]byte, error], sets *sets) error {
			return w.move(in, sets, out, worker)
		})
	})
	if err != nil {
		return err
	}
	return w.g.Step(result, func() error {
		out, err := w.similarities(result)
		if err != nil {
			return err
		}
		err = w.withSets(moved, func(worker int, in iter.Seq2[[]byte, error], sets *sets) error {
			return w.similar(in, sets, out, worker, least)
		})
		if err != nil {
			return err
		}
		w.g.Remove(moved)
		w.g.Remove(pairs)
		return w.ctx.Err()
	})
}

// movedTable returns the name of the table of moved shingles: second document, first
// document, hash of a shingle.
func movedTable(pairs string) string { return pairs + "-sets" }

// similarities begins a table of pairs of documents with their similarity.
func (w *work) similarities(name string) (*dedup.Sorter, error) {
	return w.g.NewTable(dedup.Table{Name: name, Record: edge + 4, Key: dedup.DocBytes})
}

// putSimilar writes a record of such a table.
func putSimilar(out *dedup.Sorter, worker int, a, b int64, similarity float64) error {
	rec, err := out.Add(worker)
	if err == nil {
		putEdge(rec, a, b)
		binary.BigEndian.PutUint32(rec[edge:], math.Float32bits(float32(similarity)))
	}
	return err
}

// withSets cuts a table whose records begin with a document into parts, and calls do for each
// beside the others, with the sets of documents.
func (w *work) withSets(table string, do func(worker int, in iter.Seq2[[]byte, error], sets *sets) error) error {
	parts, err := w.g.Parts(table, shinglesTable)
	if err != nil {
		return err
	}
	return parallel.All(len(parts), func(i int) error {
		sets := &sets{open: func(doc int64) (*dedup.Cursor, error) { return w.g.OpenFrom(shinglesTable, doc, len(parts)) }}
		defer sets.close()
		return do(i, parts[i], sets)
	})
}

// move brings the shingles of the first documents of pairs to the second ones.
func (w *work) move(pairs iter.Seq2[[]byte, error], sets *sets, out *dedup.Sorter, worker int) error {
	var others []int64
	end := func(doc int64) error {
		set, err := sets.of(doc)
		if err != nil {
			return err
		}
		for _, h := range set {
			for _, other := range others {
				rec, err := out.Add(worker)
				if err != nil {
					return err
				}
				putEdge(rec, other, doc)
				binary.BigEndian.PutUint64(rec[edge:], h)
			}
		}
		others = others[:0]
		return w.ctx.Err()
	}
	doc := int64(-1)
	for e, err := range distinct(pairs) {
		if err == nil && e[0] != doc && doc >= 0 {
			err = end(doc)
		}
		if err != nil {
			return err
		}
		doc = e[0]
		others = append(others, e[1])
	}
	if doc >= 0 {
		return end(doc)
	}
	return nil
}

// similar writes the similar pairs among the pairs whose shingles were moved.
func (w *work) similar(moved iter.Seq2[[]byte, error], sets *sets, out *dedup.Sorter, worker int, least float64) error {
	var set, other []uint64
	a, b, compared := int64(-1), int64(-1), int64(0)
	end := func() error {
		compared++
		if s := jaccard(set, other); s >= least {
			return putSimilar(out, worker, a, b, s)
		}
		return nil
	}
	for rec, err := range moved {
		if err != nil {
			return err
		}
		if x, y := edgeAt(rec); x != a || y != b {
			if a >= 0 {
				if err := end(); err != nil {
					return err
				}
			}
			if x != a {
				if set, err = sets.of(x); err != nil {
					return err
				}
			}
			a, b, other = x, y, other[:0]
		}
		other = append(other, binary.BigEndian.Uint64(rec[edge:]))
	}
	if a >= 0 {
		if err := end(); err != nil {
			return err
		}
	}
	if compared > 0 {
		w.g.Count("compared", compared)
	}
	return nil
}

// markVerified marks the documents of all clusters with their true similarity to the
// document that stays.
func (w *work) markVerified() error {
	const pairs, result = "members", "similar"
	err := w.g.Step(pairs, func() error {
		out, err := w.edges(pairs)
		if err != nil {
			return err
		}
		return w.g.Groups(clustersTable, func(worker int, group *dedup.Records) error {
			best := int64(-1)
			for rec, err := range group.All() {
				if err != nil {
					return err
				}
				doc := dedup.DocAt(rec[2*dedup.DocBytes:])
				if best < 0 {
					best = doc
				} else if err := put(out, worker, doc, best); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	if err := w.compare(pairs, result, 0); err != nil {
		return err
	}
	return w.g.Step("mark", func() error {
		return w.g.Groups(result, func(_ int, group *dedup.Records) error {
			size := int32(min(group.Len()+1, math.MaxInt32))
			first := true
			for rec, err := range group.All() {
				if err != nil {
					return err
				}
				stays, doc := edgeAt(rec)
				if first {
					if err := w.g.Mark(markOf(stays, stays, size, 1)); err != nil {
						return err
					}
					first = false
				}
				s := math.Float32frombits(binary.BigEndian.Uint32(rec[edge:]))
				if err := w.g.Mark(markOf(doc, stays, size, float64(s))); err != nil {
					return err
				}
			}
			return w.ctx.Err()
		})
	})
}

// sets reads the shingle sets of documents in order.
type sets struct {
	open  func(doc int64) (*dedup.Cursor, error)
	in    *dedup.Cursor
	ahead []byte // a record that was read and is of no document asked for yet
	set   []uint64
}

func (s *sets) close() {
	if s.in != nil {
		s.in.Close()
	}
}

// of returns the set of a document. Documents must be requested in order.
func (s *sets) of(doc int64) (_ []uint64, err error) {
	if s.in == nil {
		if s.in, err = s.open(doc); err != nil {
			return nil, err
		}
	}
	s.set = s.set[:0]
	for {
		rec := s.ahead
		if rec == nil {
			if rec, err = s.in.Next(); rec == nil || err != nil {
				return s.set, err
			}
		}
		at := dedup.DocAt(rec)
		if at > doc {
			s.ahead = rec
			return s.set, nil
		}
		s.ahead = nil
		if at == doc {
			s.set = append(s.set, binary.BigEndian.Uint64(rec[dedup.DocBytes:]))
		}
	}
}
