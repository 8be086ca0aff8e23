package minhash

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"
	"sync/atomic"

	"chaffinch/dedup"
	"chaffinch/internal/parallel"
)

// loaded holds the shingle sets of some documents.
type loaded struct {
	docs []int64 // in order
	sets [][]uint64
}

// of returns the set of a document, empty if it has none.
func (l *loaded) of(doc int64) []uint64 {
	if i, ok := slices.BinarySearch(l.docs, doc); ok {
		return l.sets[i]
	}
	return nil
}

const (
	// loadedDoc is the memory of a document of loaded besides its shingles.
	loadedDoc = 8 + 24
	// loadedChunk is the number of shingles that are allocated at once, at least the number of
	// a set.
	loadedChunk = 2 * maxShingles
)

// load reads the shingle sets of the documents of pairs. It returns nil if they do not fit in
// memory.
func (w *work) load(pairs string) (*loaded, error) {
	docs, err := w.docsOf(pairs)
	memory := w.g.Memory() - int64(len(docs))*loadedDoc
	if err != nil || memory < 0 {
		return nil, err
	}
	l := &loaded{docs: docs, sets: make([][]uint64, len(docs))}
	parts, err := w.g.Parts(shinglesTable)
	if err != nil {
		return nil, err
	}
	var left atomic.Int64
	left.Store(memory)
	err = parallel.All(len(parts), func(i int) error { return l.read(parts[i], &left) })
	if err != nil || left.Load() < 0 {
		return nil, err
	}
	return l, nil
}

// read reads the sets of a part of the table. It stops when left, the bytes of memory, is negative.
func (l *loaded) read(part iter.Seq2[[]byte, error], left *atomic.Int64) error {
	var chunk []uint64                     // begins with the set of the last document
	doc, at, wanted := int64(-1), 0, false // that document, and its place in docs if it is wanted
	end := func() {
		if wanted {
			l.sets[at] = chunk[:len(chunk):len(chunk)]
		}
	}
	for rec, err := range part {
		if err != nil {
			return err
		}
		if d := dedup.DocAt(rec); d != doc {
			end()
			doc = d
			if at, wanted = slices.BinarySearch(l.docs, doc); at == len(l.docs) {
				break
			}
			chunk = chunk[len(chunk):]
		}
		if !wanted {
			continue
		}
		if len(chunk) == cap(chunk) {
			if left.Add(-8*loadedChunk) < 0 {
				return nil
			}
			chunk = append(make([]uint64, 0, loadedChunk), chunk...)
		}
		chunk = append(chunk, binary.BigEndian.Uint64(rec[dedup.DocBytes:]))
	}
	end()
	return nil
}

// docsOf returns the documents of pairs, in order.
func (w *work) docsOf(pairs string) (docs []int64, err error) {
	set := make([]uint64, w.g.Docs()/64+1)
	for rec, err := range w.g.Sorted(pairs) {
		if err != nil {
			return nil, err
		}
		a, b := edgeAt(rec)
		set[a/64] |= 1 << (a % 64)
		set[b/64] |= 1 << (b % 64)
	}
	n := 0
	for _, x := range set {
		n += bits.OnesCount64(x)
	}
	docs = make([]int64, 0, n)
	for i, x := range set {
		for ; x != 0; x &= x - 1 {
			docs = append(docs, int64(64*i+bits.TrailingZeros64(x)))
		}
	}
	return docs, nil
}

// compareLoaded is compare for loaded sets.
func (w *work) compareLoaded(pairs, result string, least float64, sets *loaded) error {
	out, err := w.similarities(result)
	if err != nil {
		return err
	}
	parts, err := w.g.Parts(pairs)
	if err != nil {
		return err
	}
	err = parallel.All(len(parts), func(worker int) error {
		compared := int64(0)
		for e, err := range distinct(parts[worker]) {
			if err != nil {
				return err
			}
			first, second := sets.of(e[0]), sets.of(e[1])
			if len(first) == 0 { // forgotten by an index
				continue
			}
			compared++
			if s, ok := atLeast(first, second, least); ok {
				if err := putSimilar(out, worker, e[1], e[0], s); err != nil {
					return err
				}
			}
		}
		if compared > 0 {
			w.g.Count("compared", compared)
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.g.Remove(movedTable(pairs)) // of an interrupted run with less memory
	w.g.Remove(pairs)
	return w.ctx.Err()
}
