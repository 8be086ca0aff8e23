package minhash

import (
	"iter"

	"chaffinch/dedup"
)

// Where documents are too many for a [forest], clusters are found by sorting
// alone: Kiveris et al., Connected components in MapReduce and beyond, SoCC
// 2014, alternating large-star and small-star until nothing changes. Then each
// document of a cluster has one edge, to the smallest.

// putEdge writes an edge as a record of two document numbers.
func putEdge(rec []byte, a, b int64) {
	dedup.PutDoc(rec, a)
	dedup.PutDoc(rec[dedup.DocBytes:], b)
}

func edgeAt(rec []byte) (a, b int64) {
	return dedup.DocAt(rec), dedup.DocAt(rec[dedup.DocBytes:])
}

// distinct reads sorted edges, each once.
func distinct(in iter.Seq2[[]byte, error]) iter.Seq2[[2]int64, error] {
	return func(yield func([2]int64, error) bool) {
		last := [2]int64{-1, -1}
		for rec, err := range in {
			if err != nil {
				yield(last, err)
				return
			}
			a, b := edgeAt(rec)
			if e := [2]int64{a, b}; e != last {
				if !yield(e, nil) {
					return
				}
				last = e
			}
		}
	}
}

// largeStar reads sorted edges in both directions. It links each neighbour that is
// larger than a document to the smallest of them all. Emitted edges go from the larger
// to the smaller document.
func largeStar(in iter.Seq2[[]byte, error], emit func(a, b int64) error) (changed bool, err error) {
	doc, least := int64(-1), int64(-1)
	for e, err := range distinct(in) {
		if err != nil {
			return false, err
		}
		if e[0] != doc {
			doc, least = e[0], min(e[0], e[1])
		}
		if e[1] > doc {
			changed = changed || least < doc
			if err := emit(e[1], least); err != nil {
				return false, err
			}
		}
	}
	return changed, nil
}

// smallStar reads sorted edges from larger to smaller and links a document and
// all smaller neighbours to the smallest of them.
func smallStar(in iter.Seq2[[]byte, error], emit func(a, b int64) error) (changed bool, err error) {
	doc, least := int64(-1), int64(-1)
	for e, err := range distinct(in) {
		if err != nil {
			return false, err
		}
		from := e[1]
		if e[0] != doc {
			doc, least = e[0], e[1]
			from = doc
		} else {
			changed = true
		}
		if err := emit(from, least); err != nil {
			return false, err
		}
	}
	return changed, nil
}
