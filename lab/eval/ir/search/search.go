// Package search is a small retrieval engine for measuring the effect of cleaning on retrieval: an
// inverted index with positions, query likelihood with Dirichlet smoothing, and BM25. [Build]
// writes an index, [Open] opens it, and a [Searcher] ranks documents.
//
// The index of package corpus serves another purpose: it finds the positions of a pattern in a
// text. Ranking needs document frequencies and counts, so the lists here are by document with
// counts, and a fifth of the size.
// number of workers.
package search

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"chaffinch/internal/settings"
)

// Model configures the ranking function.
type Model struct {
	// Name is "ql" or "bm25".
	Name string `json:"name"`
	// Mu is the weight of the collection in the smoothing of ql, in words.
	Mu float64 `json:"mu,omitempty"`
	// K1 and B are the parameters of bm25: saturation of counts, and length normalisation.
	K1 float64 `json:"k1,omitempty"`
	B  float64 `json:"b,omitempty"`
	// Lucene computes like Lucene's similarities: lengths in one byte, a collection with one more
	// word, the score of each word in ql at least 0 and the length only for documents with the
	// word, and sums in 32 bits.
	Lucene bool `json:"lucene,omitempty"`
}

// DefaultQL and DefaultBM25 are the settings of papers and of Lucene.
var (
	DefaultQL   = Model{Name: "ql", Mu: 2000}
	DefaultBM25 = Model{Name: "bm25", K1: 1.2, B: .75}
)

// Check returns an error if the settings are invalid.
func (m Model) Check() error {
	switch {
	case m.Name != "ql" && m.Name != "bm25":
		return fmt.Errorf("model %q: wanted ql or bm25", m.Name)
	case m.Name == "ql" && !(m.Mu > 0):
		return fmt.Errorf("mu %v: wanted more than 0", m.Mu)
	case m.Name == "bm25" && !(m.K1 >= 0 && m.B >= 0 && m.B <= 1):
		return fmt.Errorf("k1 %v, b %v: wanted k1 of at least 0 and b between 0 and 1", m.K1, m.B)
	}
	return nil
}

// ParseModel parses a model as NAME or NAME:K=V,K=V, such as "ql:mu=1000". Missing settings are
// those of [DefaultQL] or [DefaultBM25].
func ParseModel(spec string) (m Model, err error) {
	name, rest, _ := strings.Cut(spec, ":")
	if name == "bm25" {
		m = DefaultBM25
	} else {
		m = DefaultQL
		m.Name = name
	}
	var fields []string
	for f := range strings.SplitSeq(rest, ",") {
		if f == "" {
			continue
		}
		k, v, ok := strings.Cut(f, "=")
		if !ok {
			return m, fmt.Errorf("%q: wanted MODEL:K=V, such as ql:mu=1000", spec)
		}
		x, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return m, fmt.Errorf("%q: %s=%s: wanted a number", spec, k, v)
		}
		fields = append(fields, fmt.Sprintf("%q:%g", k, x))
	}
	if err := settings.Parse([]byte("{"+strings.Join(fields, ",")+"}"), &m); err != nil {
		return m, fmt.Errorf("%q: %w", spec, err)
	}
	return m, m.Check()
}

// Hit is a document found by a query.
type Hit struct {
	// Doc is the number of the document, Score its score.
	Doc   int
	Score float64
}

// Searcher ranks documents. It reuses its memory, so each goroutine needs a separate Searcher.
type Searcher struct {
	// Phrases makes quoted words in a query a phrase.
	Phrases bool
	// Exhaustive scores every document with a word of the query, even if it cannot be among the
	// best. The hits are the same.
	Exhaustive bool

	x     *Index
	m     Model
	norm  []float64 // the length normalisation of each document
	best  float64   // the norm that gives the highest score
	terms []term
	words float64   // of the query, without words that occur in no document
	acc   []float64 // of each hit, the sum so far
	hits  []uint32  // the documents with a word of the query
	score scratch
	top   topHits
	query query
}

// scratch holds one block of a list.
type scratch struct {
	docs, counts [blockLen]uint32
	// table holds a word's part of the score by its count, if it depends on nothing else; NaN if
	// not computed.
	table [64]float64
}

// NewSearcher returns a Searcher for a ranking model.
func (x *Index) NewSearcher(m Model) (*Searcher, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	s := &Searcher{x: x, m: m, acc: make([]float64, x.Docs()), norm: make([]float64, x.Docs())}
	s.query.analyzer = x.analyzer()
	mean := float64(x.tokens) / math.Max(1, float64(x.filled))
	for d := range s.norm {
		n := float64(x.lengths.At(d))
		if m.Lucene {
			n = float64(luceneLength[luceneByte(int(n))])
		}
		if m.Name == "ql" {
			s.norm[d] = math.Log(m.Mu / (m.Mu + n))
			continue
		}
		s.norm[d] = m.K1 * (1 - m.B + m.B*n/mean)
		if m.Lucene {
			s.norm[d] = float64(1 / (float32(m.K1) * (1 - float32(m.B) + float32(m.B)*float32(n)/float32(mean))))
		}
	}
	switch {
	case len(s.norm) == 0:
	case m.Name == "ql":
		s.best = slices.Max(s.norm)
	default:
		s.best = slices.Min(s.norm)
	}
	return s, nil
}

// Search returns the best k documents for a query, the best first; ties are in the order of the
// index. Documents without a word of the query are not found. The hits are valid until the next
// call.
//
// The lists are added one after another, those with the highest upper bound first. Once the
// remaining lists cannot bring a new document among the best k, only the documents found so far are
// searched in them, and of these only documents that can still be among the best. The order of
// additions is the same in both cases, so that scores are identical to the bit.
func (s *Searcher) Search(text string, k int) ([]Hit, error) {
	s.query.parse(text, s.Phrases)
	entries, err := s.open()
	if err != nil {
		return nil, err
	}
	s.hits = s.hits[:0]
	closed := false     // to new hits
	try := math.Inf(-1) // to close once less than this can be added
	if len(s.terms) > 0 && k > 0 && !s.Exhaustive && !s.m.Lucene {
		try = s.terms[0].rest / 2
	}
	for i := range s.terms {
		t := &s.terms[i]
		if !closed && t.rest < try && len(s.hits) <= entries {
			closed, try = s.close(t.rest, k, entries/(len(s.terms)-i)), t.rest/2
		}
		if err := s.add(t, closed); err != nil {
			return nil, err
		}
		entries -= t.df
	}
	s.rank(k)
	for _, d := range s.hits {
		s.acc[d] = 0
	}
	return s.top.sorted(), nil
}

// term is a word or phrase of the query that occurs in some document.
type term struct {
	postings
	count float64 // in the query
	// weight is the weight for bm25. of is the divisor of counts in ql: the expected count of the
	// term in mu words.
	weight, of float64
	// bound is the maximum score of the term, rest the maximum of it and all later terms.
	bound, rest float64
}

// open opens the lists of the query's terms in the order in which they are added, and returns their
// total number of entries.
func (s *Searcher) open() (entries int, err error) {
	s.terms, s.words = s.terms[:0], 0
	for _, q := range s.query.terms {
		list, err := s.x.list(q.words)
		if err != nil {
			return 0, err
		}
		if list.df == 0 {
			continue
		}
		t := term{postings: list, count: float64(q.count)}
		s.weigh(&t)
		s.terms = append(s.terms, t)
		s.words += t.count
		entries += t.df
	}
	slices.SortStableFunc(s.terms, func(a, b term) int { return cmp.Compare(b.bound, a.bound) })
	rest := 0.0
	for i := range slices.Backward(s.terms) {
		rest += s.terms[i].bound + float64(roundingError*s.words)
		s.terms[i].rest = rest
	}
	return entries, nil
}

// roundingError is an upper bound of the rounding error of scores, for each term and word of a
// query.
const roundingError = 1e-9

// weigh sets the weights and bounds of a term.
func (s *Searcher) weigh(t *term) {
	n, df, most := float64(s.x.filled), float64(t.df), float64(t.most)
	t.weight = math.Log(1 + (n-df+.5)/(df+.5))
	t.of = s.m.Mu * float64(t.postings.total) / float64(s.x.tokens)
	if s.m.Lucene {
		t.of = s.m.Mu * (float64(t.postings.total) + 1) / (float64(s.x.tokens) + 1)
	}
	if s.m.Name == "ql" {
		t.bound = t.count * math.Log(1+most/t.of)
	} else {
		t.bound = t.count * t.weight * most / (most + s.best)
	}
}

// touched is the minimum score of a document with a word of the query, which distinguishes a score
// of 0 from none.
const touched = 0x1p-1000

// add adds the scores of a term to its documents, or only to hits.
func (s *Searcher) add(t *term, hitsOnly bool) error {
	for i := range s.score.table {
		s.score.table[i] = math.NaN()
	}
	for hit := 0; t.left > 0; {
		if hitsOnly {
			if hit == len(s.hits) {
				return nil
			}
			if err := t.skip(s.hits[hit]); err != nil {
				return err
			}
		}
		n, err := t.block(&s.score)
		if err != nil {
			return err
		}
		docs, counts := s.score.docs[:n], s.score.counts[:n]
		for hitsOnly && hit < len(s.hits) && s.hits[hit] <= docs[n-1] {
			hit++
		}
		for i, d := range docs {
			if int(d) >= len(s.acc) {
				return s.x.damaged("a document beyond the last one")
			}
			if hitsOnly && s.acc[d] == 0 {
				continue
			}
			tf := counts[i]
			var part float64
			if s.m.Name == "ql" {
				if int(tf) < len(s.score.table) {
					if part = s.score.table[tf]; part != part {
						part = math.Log(1 + float64(tf)/t.of)
						s.score.table[tf] = part
					}
				} else {
					part = math.Log(1 + float64(tf)/t.of)
				}
				if s.m.Lucene {
					part = float64(float32(t.count * math.Max(0, part+s.norm[d])))
				} else {
					part *= t.count
				}
			} else if s.m.Lucene {
				w := float32(t.count) * float32(t.weight)
				part = float64(w - w/(1+float32(float32(tf)*float32(s.norm[d]))))
			} else {
				part = t.count * t.weight * float64(tf) / (float64(tf) + s.norm[d])
			}
			if s.acc[d] == 0 {
				s.hits = append(s.hits, d)
				s.acc[d] = touched
			}
			s.acc[d] += part
		}
	}
	return nil
}

// close closes the hits if only they can be among the best k, and reports whether it did. rest is
// the maximum that a score can still grow by. It drops hits that cannot be among the best and sorts
// the others. It does not close if so many hits remain that each block of the remaining lists, of
// the given number of entries on average, would be read.
func (s *Searcher) close(rest float64, k, entries int) bool {
	other := rest // maximum score of a document that is not a hit
	if s.m.Name == "ql" {
		other += float64(s.words * s.best)
	}
	above := 0
	for _, d := range s.hits {
		if s.total(d) > other {
			above++
		}
	}
	if above < k {
		return false
	}
	s.rank(k)
	least, kept := s.top.hits[0].Score, 0
	out := func(d uint32) bool { return s.total(d)+rest < least }
	for _, d := range s.hits {
		if !out(d) {
			kept++
		}
	}
	if kept > entries/8 {
		return false
	}
	s.hits = slices.DeleteFunc(s.hits, func(d uint32) bool {
		drop := out(d)
		if drop {
			s.acc[d] = 0
		}
		return drop
	})
	slices.Sort(s.hits)
	return true
}

// rank finds the best k hits by their current scores.
func (s *Searcher) rank(k int) {
	s.top.reset(k)
	for _, d := range s.hits {
		s.top.offer(Hit{int(d), s.total(d)})
	}
}

// total returns the current score of a hit.
func (s *Searcher) total(d uint32) float64 {
	switch {
	case s.m.Lucene:
		return max(0, float64(float32(s.acc[d])))
	case s.m.Name == "ql":
		return s.acc[d] + float64(s.words*s.norm[d])
	}
	return s.acc[d]
}

// query is a query divided into words.
type query struct {
	analyzer *analyzer
	terms    []queryTerm
}

// queryTerm is a word or phrase with its count in the query.
type queryTerm struct {
	words []string
	count int
}

// parse divides text into words and, with phrases, phrases.
func (q *query) parse(text string, phrases bool) {
	q.terms = q.terms[:0]
	for i, part := range strings.Split(text, `"`) {
		words := q.analyzer.words(part)
		if phrases && i%2 == 1 && len(words) > 1 {
			q.add(words)
			continue
		}
		for j := range words {
			q.add(words[j : j+1])
		}
	}
}

func (q *query) add(words []string) {
	for i := range q.terms {
		if slices.Equal(q.terms[i].words, words) {
			q.terms[i].count++
			return
		}
	}
	q.terms = append(q.terms, queryTerm{words, 1})
}

// topHits keeps the best hits as a heap; the first is the worst.
type topHits struct {
	k    int
	hits []Hit
}

func (t *topHits) reset(k int) { t.k, t.hits = k, t.hits[:0] }

// better reports whether a is ranked before b.
func better(a, b Hit) bool { return a.Score > b.Score || a.Score == b.Score && a.Doc < b.Doc }

func (t *topHits) offer(h Hit) {
	if len(t.hits) < t.k {
		t.hits = append(t.hits, h)
		if len(t.hits) == t.k {
			heap.Init(t)
		}
		return
	}
	if t.k > 0 && better(h, t.hits[0]) {
		t.hits[0] = h
		heap.Fix(t, 0)
	}
}

func (t *topHits) sorted() []Hit {
	slices.SortFunc(t.hits, func(a, b Hit) int {
		if better(a, b) {
			return -1
		}
		return 1
	})
	return t.hits
}

// Len, Less and Swap implement [heap.Interface] with the worst hit at the top; Push and Pop are
// never called.
func (t *topHits) Len() int           { return len(t.hits) }
func (t *topHits) Less(i, j int) bool { return better(t.hits[j], t.hits[i]) }
func (t *topHits) Swap(i, j int)      { t.hits[i], t.hits[j] = t.hits[j], t.hits[i] }
func (t *topHits) Push(any)           {}
func (t *topHits) Pop() any           { return nil }
