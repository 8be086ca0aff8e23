package lines

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/gold"
)

// Set is a collection of labelled documents.
type Set struct {
	Name string
	// Docs are in the order of language, then as the collection has them.
	Docs []*gold.LineDoc
	// SHA256 is that of ids, languages, labels and lines; it does not depend on
	// the packing.
	SHA256 string
	// index finds a document by its id.
	index map[string]int
	// clusters gives documents that are near-duplicates of each other the same
	// number.
	clusters func() []int
}

// Open reads a set: whatever [gold.ReadLineDocs] reads.
func Open(ctx context.Context, path string) (*Set, error) {
	docs, err := gold.ReadLineDocs(ctx, path)
	if err != nil {
		return nil, err
	}
	return newSet(gold.SetName(path), docs)
}

// newSet makes a set of documents. Two with the same id, one whose labels do not
// fit its lines, and no document with a line are errors.
func newSet(name string, docs []*gold.LineDoc) (*Set, error) {
	s := &Set{Name: name, index: map[string]int{}}
	for _, d := range docs {
		if len(d.Lines) != len(d.Labels) {
			return nil, fmt.Errorf("set %s: document %s: %d lines and %d labels", name, d.ID, len(d.Lines), len(d.Labels))
		}
		if len(d.Lines) > 0 {
			s.Docs = append(s.Docs, d)
		}
	}
	if len(s.Docs) == 0 {
		return nil, fmt.Errorf("set %s: no document with labelled lines in it", name)
	}
	slices.SortStableFunc(s.Docs, func(a, b *gold.LineDoc) int { return cmp.Compare(a.Lang, b.Lang) })
	h := sha256.New()
	for i, d := range s.Docs {
		if _, ok := s.index[d.ID]; ok {
			return nil, fmt.Errorf("set %s: two documents have the id %q: predictions and folds go by it", name, d.ID)
		}
		s.index[d.ID] = i
		fmt.Fprintf(h, "%q %q\n", d.ID, d.Lang)
		for k, line := range d.Lines {
			fmt.Fprintf(h, "%t %q\n", d.Labels[k], line)
		}
	}
	s.SHA256 = hex.EncodeToString(h.Sum(nil))
	s.clusters = sync.OnceValue(func() []int {
		of := make([]int, len(s.Docs))
		for k, cluster := range gold.LineClusters(s.Docs) {
			for _, i := range cluster {
				of[i] = k
			}
		}
		return of
	})
	return s, nil
}

// Only returns the set of the documents in these languages; it reports those of
// which there are none.
func (s *Set) Only(langs []string) (*Set, error) {
	var docs []*gold.LineDoc
	for _, l := range langs {
		if !slices.Contains(s.Langs(), l) {
			return nil, fmt.Errorf("set %s: no document in %q: there are %v", s.Name, l, s.Langs())
		}
	}
	for _, d := range s.Docs {
		if slices.Contains(langs, d.Lang) {
			docs = append(docs, d)
		}
	}
	return newSet(s.Name, docs)
}

// Lines returns the number of lines of all documents.
func (s *Set) Lines() (n int) {
	for _, d := range s.Docs {
		n += len(d.Lines)
	}
	return n
}

// Fingerprint tells the data apart from others.
func (s *Set) Fingerprint() floors.Fingerprint {
	return floors.Fingerprint{SHA256: s.SHA256, Pages: len(s.Docs), Lines: s.Lines()}
}

// Langs returns the languages, those of the thesis first and in its order.
func (s *Set) Langs() []string {
	seen := map[string]bool{}
	var langs []string
	for _, d := range s.Docs {
		if !seen[d.Lang] {
			seen[d.Lang] = true
			langs = append(langs, d.Lang)
		}
	}
	slices.SortFunc(langs, func(a, b string) int { return cmp.Or(cmp.Compare(thesisRank(a), thesisRank(b)), cmp.Compare(a, b)) })
	return langs
}

// of returns the indexes of the documents for which keep holds.
func (s *Set) of(keep func(d *gold.LineDoc) bool) (docs []int) {
	for i, d := range s.Docs {
		if keep(d) {
			docs = append(docs, i)
		}
	}
	return docs
}

// pick returns the documents of the indexes.
func (s *Set) pick(docs []int) []*gold.LineDoc {
	out := make([]*gold.LineDoc, len(docs))
	for i, k := range docs {
		out[i] = s.Docs[k]
	}
	return out
}

// shuffled returns documents in an order that depends on their ids, the seed and
// the purpose alone.
func (s *Set) shuffled(docs []int, seed uint64, purpose string) []int {
	type keyed struct {
		key uint64
		doc int
	}
	list := make([]keyed, len(docs))
	for i, d := range docs {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s %s", seed, purpose, s.Docs[d].ID)
		list[i] = keyed{mix(h.Sum64()), d}
	}
	sorts.Func(list, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(s.Docs[a.doc].ID, s.Docs[b.doc].ID))
	})
	out := make([]int, len(list))
	for i, k := range list {
		out[i] = k.doc
	}
	return out
}

// mix spreads the bits of a hash (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
