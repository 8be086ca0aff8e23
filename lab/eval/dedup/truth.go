package dedup

import (
	"slices"

	"chaffinch/internal/sorts"
)

// Threshold is the minimum Jaccard similarity of near-duplicates, of the sets of their word
// 5-grams. It is the value that text-dedup and data-juicer publish, and the middle of the curve of
// FineWeb's 14 x 8 bands.
const Threshold = 0.7

// leastPair is the minimum similarity of a pair in Truth.
const leastPair = 0.05

// Pair is a pair of documents, by number, with the true Jaccard similarity of their sets of word
// 5-grams.
type Pair struct {
	A, B    int
	Jaccard float64
}

// Truth holds the true near-duplicates of a set.
type Truth struct {
	Set *Set
	// Pairs lists the pairs with a similarity of at least a twentieth, ordered by A and B.
	Pairs []Pair
	// Cluster holds for each document the first document that it is connected to by pairs of at
	// least [Threshold].
	Cluster []int

	sets [][]uint64
}

// Origin is the relation of two documents by how they were made.
type Origin uint8

// The relations.
const (
	Unrelated Origin = iota // no common text except templates and quotations
	Related                 // neither clearly copies nor clearly unrelated: parts, joined texts, more than a fifth of the words changed
	Copies                  // the same text with at most a fifth of the words changed
)

// NewTruth compares all documents with a common n-gram.
func NewTruth(s *Set) *Truth {
	t := &Truth{Set: s, sets: make([][]uint64, len(s.Docs))}
	postings := map[uint64][]int32{}
	links := newLinks(len(s.Docs))
	shared := make([]int32, len(s.Docs))
	for i, d := range s.Docs {
		texts := make([]string, len(d.Paras))
		for k, p := range d.Paras {
			texts[k] = p.Text
		}
		set := shingles(texts)
		slices.Sort(set)
		t.sets[i] = slices.Compact(set)
		var met []int32
		for _, h := range t.sets[i] {
			for _, j := range postings[h] {
				if shared[j] == 0 {
					met = append(met, j)
				}
				shared[j]++
			}
			postings[h] = append(postings[h], int32(i))
		}
		for _, j := range met {
			n := int(shared[j])
			shared[j] = 0
			sim := float64(n) / float64(len(t.sets[i])+len(t.sets[j])-n)
			if sim >= leastPair {
				t.Pairs = append(t.Pairs, Pair{int(j), i, sim})
			}
			if sim >= Threshold {
				links.join(int(j), i)
			}
		}
	}
	sorts.Func(t.Pairs, func(a, b Pair) int {
		if a.A != b.A {
			return a.A - b.A
		}
		return a.B - b.B
	})
	t.Cluster = links.clusters()
	return t
}

// jaccard returns the Jaccard similarity of two documents.
func (t *Truth) jaccard(a, b int) float64 {
	x, y := t.sets[a], t.sets[b]
	n := 0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			n++
			i++
			j++
		}
	}
	if n == 0 {
		return 0
	}
	return float64(n) / float64(len(x)+len(y)-n)
}

// origin returns the relation of two documents.
func (t *Truth) origin(a, b int) Origin {
	x, y := t.Set.Docs[a], t.Set.Docs[b]
	common := false
	for _, r := range x.Roots {
		common = common || slices.Contains(y.Roots, r)
	}
	switch {
	case !common:
		return Unrelated
	case x.Part || y.Part || x.Edited+y.Edited > .2+1e-9:
		return Related
	}
	return Copies
}

// links is a union-find structure of clusters.
type links []int

func newLinks(n int) links {
	l := make(links, n)
	for i := range l {
		l[i] = i
	}
	return l
}

func (l links) find(i int) int {
	for l[i] != i {
		l[i] = l[l[i]]
		i = l[i]
	}
	return i
}

// join connects two documents. The smaller number represents both.
func (l links) join(a, b int) {
	a, b = l.find(a), l.find(b)
	l[max(a, b)] = min(a, b)
}

// clusters returns the representative of each document.
func (l links) clusters() []int {
	out := make([]int, len(l))
	for i := range l {
		out[i] = l.find(i)
	}
	return out
}
