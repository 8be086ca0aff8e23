package plagiarism

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"strings"

	"chaffinch/internal/parallel"
	"chaffinch/internal/sorts"
)

// term is a feature of a document: its number in the index and its frequency in the
// document.
type term struct{ id, count uint32 }

// taskIndex is an inverted index over the features of all documents. It lists the
// originals of each feature. Documents are numbered by author, so that documents of one
// author are adjacent. Its size is about 30 bytes for each distinct feature of each
// document.
type taskIndex struct {
	cfg    TaskConfig
	essays []*Essay // by number
	terms  []term   // of all documents, one after another, by id
	starts []int    // start of the terms of each document, followed by the end
	df     []uint32 // number of documents with a feature
	first  []int    // start of the postings of each feature, followed by the end
	posts  []posting
	norms  []float64 // lengths of the vectors
}

// posting is a document with a feature and the frequency of the feature.
type posting struct{ doc, count uint32 }

// newTaskIndex indexes all documents.
func newTaskIndex(ctx context.Context, essays []*Essay, cfg TaskConfig) (*taskIndex, error) {
	x := &taskIndex{cfg: cfg, essays: slices.Clone(essays)}
	slices.SortStableFunc(x.essays, func(a, b *Essay) int { return strings.Compare(a.Author, b.Author) })
	f := newFeatures(cfg)
	f.learn(x.essays)
	ids := map[uint64]uint32{}
	var bag []feature
	for _, e := range x.essays {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x.starts = append(x.starts, len(x.terms))
		bag = f.bag(bag[:0], e)
		for _, t := range bag {
			id, ok := ids[t.hash]
			if !ok {
				id = uint32(len(ids))
				ids[t.hash] = id
				x.df = append(x.df, 0)
			}
			x.df[id]++
			x.terms = append(x.terms, term{id, t.count})
		}
	}
	x.starts = append(x.starts, len(x.terms))
	x.invert()
	return x, nil
}

// of returns the features of a document.
func (x *taskIndex) of(doc int) []term { return x.terms[x.starts[doc]:x.starts[doc+1]] }

// invert computes the postings and the lengths.
func (x *taskIndex) invert() {
	x.first = make([]int, len(x.df)+1)
	for doc, e := range x.essays {
		if !e.Plagiarism {
			for _, t := range x.of(doc) {
				x.first[t.id+1]++
			}
		}
	}
	for i := range x.df {
		x.first[i+1] += x.first[i]
	}
	x.posts = make([]posting, x.first[len(x.df)])
	next := slices.Clone(x.first)
	x.norms = make([]float64, len(x.essays))
	for doc, e := range x.essays {
		for _, t := range x.of(doc) {
			w := x.weight(t.id, t.count)
			x.norms[doc] += float64(w * w)
			if !e.Plagiarism {
				x.posts[next[t.id]] = posting{uint32(doc), t.count}
				next[t.id]++
			}
		}
		x.norms[doc] = math.Sqrt(x.norms[doc])
	}
}

// weight returns tf-idf for the cosine, else 1.
func (x *taskIndex) weight(id, count uint32) float64 {
	if x.cfg.Similarity != Cosine {
		return 1
	}
	return (1 + math.Log(float64(count))) * math.Log(1+float64(len(x.essays))/float64(x.df[id]))
}

// similarity returns the similarity of the suspicious document a and the original b,
// given the weight of their common features.
func (x *taskIndex) similarity(a, b int, common float64) float64 {
	na, nb := float64(len(x.of(a))), float64(len(x.of(b)))
	switch x.cfg.Similarity {
	case Containment:
		return common / na
	case Cosine:
		return min(common/(x.norms[a]*x.norms[b]), 1) // rounding may exceed 1
	}
	return common / (na + nb - common)
}

// seeker finds the sources of one document after another. It must be used by one
// goroutine at a time.
type seeker struct {
	x       *taskIndex
	common  []float64 // by original: weight of the common features
	touched []int
}

// best returns the original in the range lo to hi that is most similar to the document,
// or -1 if none reaches the threshold. Of equal ones it returns the first in the
// input.
func (s *seeker) best(doc, lo, hi int) (source int, score float64) {
	x := s.x
	for _, t := range x.of(doc) {
		posts := x.posts[x.first[t.id]:x.first[t.id+1]]
		i, _ := slices.BinarySearchFunc(posts, lo, func(p posting, lo int) int { return cmp.Compare(int(p.doc), lo) })
		w := x.weight(t.id, t.count)
		for _, p := range posts[i:] {
			if int(p.doc) >= hi {
				break
			}
			if s.common[p.doc] == 0 {
				s.touched = append(s.touched, int(p.doc))
			}
			s.common[p.doc] += float64(w * x.weight(t.id, p.count))
		}
	}
	source = -1
	for _, d := range s.touched {
		v := x.similarity(doc, d, s.common[d])
		s.common[d] = 0
		if v < x.cfg.Threshold || v <= 0 {
			continue
		}
		if source < 0 || v > score || v == score && x.essays[d].Number < x.essays[source].Number {
			source, score = d, v
		}
	}
	s.touched = s.touched[:0]
	return source, score
}

// search finds the source of every plagiarism, in input order.
func (x *taskIndex) search(ctx context.Context) ([]Detection, error) {
	var docs []int
	for doc, e := range x.essays {
		if e.Plagiarism {
			docs = append(docs, doc)
		}
	}
	out := make([]Detection, len(docs))
	workers := runtime.GOMAXPROCS(0)
	seekers := make([]*seeker, workers)
	parallel.EachOf(workers, len(docs), func(w, i int) {
		if ctx.Err() != nil {
			return
		}
		if seekers[w] == nil {
			seekers[w] = &seeker{x: x, common: make([]float64, len(x.essays))}
		}
		lo, hi := x.scope(docs[i])
		out[i].Essay = x.essays[docs[i]]
		if src, score := seekers[w].best(docs[i], lo, hi); src >= 0 {
			out[i].Source, out[i].Score = x.essays[src], score
		}
	})
	sorts.Func(out, func(a, b Detection) int { return cmp.Compare(a.Essay.Number, b.Essay.Number) })
	return out, ctx.Err()
}

// scope returns the range of documents in which the source is searched.
func (x *taskIndex) scope(doc int) (lo, hi int) {
	if x.cfg.AllAuthors {
		return 0, len(x.essays)
	}
	author := x.essays[doc].Author
	by := func(e *Essay, a string) int { return strings.Compare(e.Author, a) }
	lo, _ = slices.BinarySearchFunc(x.essays, author, by)
	hi, _ = slices.BinarySearchFunc(x.essays, author+"\x00", by)
	return lo, hi
}
