// Package search is a small retrieval engine for measuring what the cleaning of
// pages does to search: an inverted index with positions, query likelihood with
// Dirichlet smoothing, and BM25.
//
// The index of package corpus serves another purpose: it answers where a pattern
// stands in the order of a text, and lists places. Ranking asks in how many
// documents a word stands and how often in each, so the lists here are by
// document, with counts, and a fifth of the size.
//
// An index depends on the documents, their order and the [Config], never on the
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

// Model says how documents are ranked.
type Model struct {
	// Name is "ql" or "bm25".
	Name string `json:"name"`
	// Mu is the weight of the collection in the smoothing of ql, in words.
	Mu float64 `json:"mu,omitempty"`
	// K1 and B are those of bm25: saturation of counts, and how much length counts.
	K1 float64 `json:"k1,omitempty"`
	B  float64 `json:"b,omitempty"`
	// Lucene computes as Lucene's similarities do: lengths in one byte, a collection
	// with one more word, each word's part of ql cut off at 0 and the length only
	// where the word occurs, sums of numbers of 32 bits.
	Lucene bool `json:"lucene,omitempty"`
}

// DefaultQL and DefaultBM25 are what papers and Lucene use.
var (
	DefaultQL   = Model{Name: "ql", Mu: 2000}
	DefaultBM25 = Model{Name: "bm25", K1: 1.2, B: .75}
)

// Check tells what is wrong with the settings.
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

// ParseModel reads a model as NAME or NAME:K=V,K=V, such as "ql:mu=1000"; what it
// does not name is that of [DefaultQL] or [DefaultBM25].
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

// Hit is a document that a query found.
type Hit struct {
	// Doc is the number of the document, Score what it is ranked by.
	Doc   int
	Score float64
}

// Searcher ranks documents. Its memory is used again from query to query, so
// each goroutine needs one of its own.
type Searcher struct {
	// Phrases tells that words between quotation marks in a query are a phrase.
	Phrases bool
	// Exhaustive scores each document that has a word of the query, also where it cannot
	// be among the best. The hits are the same.
	Exhaustive bool

	x     *Index
	m     Model
	norm  []float64 // what a document's length does to its score
	best  float64   // the norm that does a score the most good
	terms []term
	words float64   // of the query, those of no document left out
	acc   []float64 // of each hit, what was added so far
	hits  []uint32  // the documents that the query touched
	score scratch
	top   topHits
	query query
}

// scratch holds one block of a list.
type scratch struct {
	docs, counts [blockLen]uint32
	// table holds a word's part of the score by its count, where it depends on
	// nothing else; NaN is not yet known.
	table [64]float64
}

// NewSearcher prepares the ranking by a model.
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

// Search returns the best k documents for a query, the best first, those of one
// score in the order of the index. Documents without a word of the query are not
// found. The hits are valid until the next call.
//
// The lists are added up one after the other, first those that can add the most.
// Once those that are left cannot bring a new document among the best k, only the
// documents met so far are looked up in them, and of these only those that can still
// get there. Parts of scores are added in the same order either way, so the scores are
// the same to the last bit.
func (s *Searcher) Search(text string, k int) ([]Hit, error) {
	s.query.parse(text, s.Phrases)
	entries, err := s.open()
	if err != nil {
		return nil, err
	}
	s.hits = s.hits[:0]
	closed := false     // to documents that are no hits yet
	try := math.Inf(-1) // to close, once less than this can be added
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

// term is a word or a phrase of the query that some document has.
type term struct {
	postings
	count float64 // how often it stands in the query
	// weight is that of bm25; of is what counts are divided by in ql: how often the
	// term is expected in mu words.
	weight, of float64
	// bound is the most that the term can add to a score, rest the most that it and
	// those behind it can.
	bound, rest float64
}

// open opens the lists of the query's terms, in the order in which they are added up,
// and returns how many entries they have.
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

// roundingError is more than the sums of a score are wrong by, for each term and word
// of a query.
const roundingError = 1e-9

// weigh fills in what a term counts for.
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

// touched is what a document's score is at least once a word of the query was met
// in it: so that a score of 0 is told from none.
const touched = 0x1p-1000

// add adds a term's part to the scores of its documents, or of those that are hits.
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

// close closes the hits if only they can be among the best k, where rest is the most
// that a score can still grow: it drops those that cannot, puts the others in order,
// and reports that it did. It does not if so many are left that each block of the lists
// to come, of so many entries on average, would have to be read.
func (s *Searcher) close(rest float64, k, entries int) bool {
	other := rest // what a document can reach that is no hit
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

// rank finds the best k hits by what was added so far.
func (s *Searcher) rank(k int) {
	s.top.reset(k)
	for _, d := range s.hits {
		s.top.offer(Hit{int(d), s.total(d)})
	}
}

// total is the score of a hit by what was added so far.
func (s *Searcher) total(d uint32) float64 {
	switch {
	case s.m.Lucene:
		return max(0, float64(float32(s.acc[d])))
	case s.m.Name == "ql":
		return s.acc[d] + float64(s.words*s.norm[d])
	}
	return s.acc[d]
}

// query is a query cut into words.
type query struct {
	analyzer *analyzer
	terms    []queryTerm
}

// queryTerm is a word or a phrase and how often it stands in the query.
type queryTerm struct {
	words []string
	count int
}

// parse cuts text into words and, if it is told to, phrases.
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

// topHits keeps the best hits; the worst of them is the first.
type topHits struct {
	k    int
	hits []Hit
}

func (t *topHits) reset(k int) { t.k, t.hits = k, t.hits[:0] }

// better is the order of a ranking.
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

// Len, Less and Swap are those of a heap with the worst hit at the top; Push and
// Pop are never called.
func (t *topHits) Len() int           { return len(t.hits) }
func (t *topHits) Less(i, j int) bool { return better(t.hits[j], t.hits[i]) }
func (t *topHits) Swap(i, j int)      { t.hits[i], t.hits[j] = t.hits[j], t.hits[i] }
func (t *topHits) Push(any)           {}
func (t *topHits) Pop() any           { return nil }
