package decontaminate

import (
	"chaffinch/dedup"
	"chaffinch/dedup/shingle"
	"chaffinch/input/records"
)

// words hashes the words of documents, in the same way for test sets and corpus.
// Tokens of a vertical are read as text, so that punctuation is not counted there
// either.
type words struct {
	shingler *shingle.Shingler
	tokens   []uint64
	ends     []int // where each paragraph ends in tokens
}

func newWords(n int) words {
	cfg := shingle.Default
	cfg.N = n
	return words{shingler: shingle.New(cfg)}
}

// read hashes the words of d.
func (w *words) read(d *records.Doc) {
	w.tokens, w.ends = w.tokens[:0], w.ends[:0]
	for i := range d.Paras {
		w.tokens = w.shingler.Tokens(w.tokens, d.Paras[i].Text, false)
		w.ends = append(w.ends, len(w.tokens))
	}
}

// sketcher looks for n-grams of the test sets in documents.
type sketcher struct {
	m      *Method
	words  words
	grams  []uint64
	shared []shared
	votes  map[uint32]int // n-grams by test document
}

// shared is an n-gram that is in a test set: the words [from, end) of the document.
type shared struct {
	from, end int
	test      uint32
}

// Sketcher returns a new sketcher.
func (m *Method) Sketcher() dedup.Sketcher {
	return &sketcher{m: m, words: newWords(m.cfg.Ngram), votes: map[uint32]int{}}
}

// Sketch emits a record for each unit that shares an n-gram.
func (s *sketcher) Sketch(d *records.Doc, num int64, emit func(int) []byte) {
	s.words.read(d)
	s.shared = s.shared[:0]
	s.find(s.m.cfg.Ngram)
	for _, n := range s.m.whole {
		s.find(n)
	}
	if len(s.shared) == 0 {
		return
	}
	if s.m.cfg.Unit == "document" {
		s.unit(num, dedup.Whole, 0, len(s.words.tokens), emit)
		return
	}
	from := 0
	for i, end := range s.words.ends {
		s.unit(num, int32(i), from, end, emit)
		from = end
	}
}

// find appends the n-grams of n words that are in a test set.
func (s *sketcher) find(n int) {
	s.grams = shingle.NGrams(s.grams[:0], s.words.tokens, n)
	for i, h := range s.grams {
		if test, ok := s.m.set.find(h); ok {
			s.shared = append(s.shared, shared{i, i + n, test})
		}
	}
}

// unit emits the record of the words [from, end) if any of them is in a shared n-gram.
// It names the test document with most shared n-grams, the first of several.
func (s *sketcher) unit(num int64, para int32, from, end int, emit func(int) []byte) {
	covered := make([]bool, end-from)
	clear(s.votes)
	for _, h := range s.shared {
		if h.end <= from || h.from >= end {
			continue
		}
		s.votes[h.test]++
		for j := max(h.from, from); j < min(h.end, end); j++ {
			covered[j-from] = true
		}
	}
	if len(s.votes) == 0 {
		return
	}
	n := 0
	for _, c := range covered {
		if c {
			n++
		}
	}
	best := uint32(0)
	for test, votes := range s.votes {
		if most := s.votes[best]; votes > most || votes == most && test < best {
			best = test
		}
	}
	rec := emit(0)
	dedup.PutDoc(rec, num)
	for i, x := range []int32{para + 1, int32(n), int32(end - from), int32(best)} {
		dedup.PutPara(rec[dedup.DocBytes+i*dedup.ParaBytes:], x)
	}
}
