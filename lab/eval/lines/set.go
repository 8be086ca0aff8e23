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
	// Docs holds the documents, ordered by language and then as in the collection.
	Docs []*gold.LineDoc
	// SHA256 is the hash of ids, languages, labels and lines, independent of the packing.
	SHA256 string
	// index maps ids to indexes of documents.
	index map[string]int
	// clusters returns a number for each document; near-duplicates have the same number.
	clusters func() []int
}

// Open reads a set in any format of [gold.ReadLineDocs].
func Open(ctx context.Context, path string) (*Set, error) {
	docs, err := gold.ReadLineDocs(ctx, path)
	if err != nil {
		return nil, err
	}
	return newSet(gold.SetName(path), docs)
}

// newSet returns a set of documents. Duplicate ids, labels that do not match the lines, and a set
// without lines are errors.
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

// Only returns the set of the documents in the given languages. A language without documents is an
// error.
func (s *Set) Only(langs []string) (*Set, error) {
	var docs []*gold.LineDoc
	for _, l := range langs {
		if !slices.Contains(s.langs(), l) {
			return nil, fmt.Errorf("set %s: no document in %q: there are %v", s.Name, l, s.langs())
		}
	}
	for _, d := range s.Docs {
		if slices.Contains(langs, d.Lang) {
			docs = append(docs, d)
		}
	}
	return newSet(s.Name, docs)
}

// Lines returns the total number of lines.
func (s *Set) Lines() (n int) {
	for _, d := range s.Docs {
		n += len(d.Lines)
	}
	return n
}

// Fingerprint identifies the data.
func (s *Set) Fingerprint() floors.Fingerprint {
	return floors.Fingerprint{SHA256: s.SHA256, Pages: len(s.Docs), Lines: s.Lines()}
}

// langs returns the languages, first the languages of the thesis in its order.
func (s *Set) langs() []string {
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

// of returns the indexes of the documents for which keep returns true.
func (s *Set) of(keep func(d *gold.LineDoc) bool) (docs []int) {
	for i, d := range s.Docs {
		if keep(d) {
			docs = append(docs, i)
		}
	}
	return docs
}

// pick returns the documents with the given indexes.
func (s *Set) pick(docs []int) []*gold.LineDoc {
	out := make([]*gold.LineDoc, len(docs))
	for i, k := range docs {
		out[i] = s.Docs[k]
	}
	return out
}

// shuffled returns documents in an order that depends only on their ids, the seed and the purpose.
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

// mix mixes the bits of a hash (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
