package lines

import (
	"context"
	"encoding/json"
	"sync"

	"chaffinch/internal/boost"
	"chaffinch/internal/recurrent"
)

// Model is a trained model of lines. It is read-only and safe for concurrent use.
//
// Two regressions over hashed n-grams, one of words and one of characters, each add a column
// to the sheet of a document. Recurrent networks and a forest of boosted trees compute the
// log odds of each line from the standardised columns. The result is a mix of the mean of
// the networks and the forest.
type Model struct {
	rows         Features
	words, chars *NGrams // may be nil
	nets         []*recurrent.Net
	cuts         [][]float32 // by column of the standardised rows
	forest       *boost.Forest
	mix          float32 // share of the forest in the log odds
	threshold    float64
	card         json.RawMessage

	scorer *recurrent.Scorer // scores nets
	used   []int             // columns that the forest reads
	binner *boost.RowBinner  // bins these columns
	pool   sync.Pool         // holds *scratch
}

// Card returns the model card.
func (m *Model) Card() json.RawMessage { return m.card }

// Threshold returns the probability found in training from which a line is text.
func (m *Model) Threshold() float64 { return m.threshold }

func (m *Model) width() int { return m.rows.Width() }

// scratch holds the reusable buffers of scoring a document.
type scratch struct {
	sheet   sheet
	rows    []float32
	ids     []uint32
	ends    []int32
	logits  []float32
	matrix  boost.Matrix
	bins    []uint8
	missing []column
	odds    []float32
	running []float64
}

func (m *Model) scratch() *scratch {
	if s, ok := m.pool.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

// Fast returns m without its networks, so that only its forest gives the log odds. It
// returns m itself if m has no forest or no networks.
func (m *Model) Fast() *Model {
	if m.forest == nil || len(m.nets) == 0 {
		return m
	}
	fast := &Model{rows: m.rows, words: m.words, chars: m.chars, cuts: m.cuts, forest: m.forest, mix: 1, threshold: m.threshold, card: m.card}
	fast.prepare()
	return fast
}

// Score appends to dst for each line the probability that it is text. lines are all lines of
// the document in order, including empty lines. lang is the language of the document as a
// BCP 47 tag, or "" to detect it.
func (m *Model) Score(dst []float32, lang string, lines []string) []float32 {
	s := m.scratch()
	defer m.pool.Put(s)
	from := len(dst)
	dst = grow(dst, from+len(lines))
	m.score(context.Background(), s, lang, lines,
		func(i, _ int, p float32) { dst[from+i] = p },
		func(i, like int) { dst[from+i] = dst[from+like] })
	for _, i := range codeOf(lines) {
		dst[from+i] = 0
	}
	return dst
}

// score calls fn for each line of a document in order with its index, the index of its row
// in s.sheet, and its probability of text. If the window of a line equals an earlier window,
// it calls same instead, with the index of the line and of the equal line. It returns only
// errors of ctx, which it checks repeatedly.
func (m *Model) score(ctx context.Context, s *scratch, lang string, lines []string, fn func(i, row int, p float32), same func(i, like int)) error {
	if lang == "" {
		lang = detect(lines)
	}
	var seen *copies
	if len(lines) > maxLines {
		seen = newCopies()
	}
	eachWindow(len(lines), func(w stretch) {
		if ctx.Err() != nil {
			return
		}
		if seen != nil {
			if first, ok := seen.of(lines, w); ok {
				for i := w.from; i < w.to; i++ {
					same(i, i-w.lo+first.lo)
				}
				return
			}
		}
		m.window(s, lang, lines, w, fn)
	})
	return ctx.Err()
}

// window calls fn for the lines of one window.
func (m *Model) window(s *scratch, lang string, lines []string, w stretch, fn func(i, row int, p float32)) {
	m.read(&s.sheet, lang, lines[w.lo:w.hi])
	s.odds = grow(s.odds[:0], w.hi-w.lo)
	m.logOdds(s.odds, s)
	s.sheet.demoteTwins(s.odds)
	demoteCounters(s.odds, lines[w.lo:w.hi])
	keepIngredients(s.odds, lines[w.lo:w.hi])
	for i := w.from; i < w.to; i++ {
		fn(i, i-w.lo, recurrent.Sigmoid(s.odds[i-w.lo]))
	}
}

// read computes the features of lines like the function read, but sums the n-gram weights of
// m instead of storing n-grams.
func (m *Model) read(s *sheet, lang string, lines []string) {
	if len(m.nets) > 0 && m.nets[0].Dim > 0 {
		read(s, lang, lines)
		return
	}
	s.script = scriptOf(lines)
	s.wordWeights, s.charWeights = nil, nil
	if s.bare = m.words == nil || !m.rows.KnowsScript(s.script); !s.bare {
		s.wordWeights, s.charWeights = &m.words.Weights, &m.chars.Weights
	}
	s.measureAll(lang, lines)
}

// logOdds fills dst with the log odds of the lines of s.sheet.
func (m *Model) logOdds(dst []float32, s *scratch) {
	m.fillRows(s)
	clear(dst)
	if len(m.nets) > 0 {
		q := recurrent.Sequence{N: s.sheet.n, Dense: s.rows}
		if m.nets[0].Dim > 0 {
			s.fillIDs()
			q.IDs, q.Ends = s.ids, s.ends
		}
		share := (1 - m.mix) / float32(len(m.nets))
		s.logits = grow(s.logits[:0], len(dst)*len(m.nets))
		m.scorer.LogOdds(s.logits, &q)
		for k := range m.nets {
			for i, z := range s.logits[k*len(dst) : (k+1)*len(dst)] {
				dst[i] += float32(share * z)
			}
		}
	}
	if m.forest != nil {
		s.logits = grow(s.logits[:0], len(dst))
		m.bin(s)
		m.forest.Score(&s.matrix, s.logits)
		for i, z := range s.logits {
			dst[i] += float32(m.mix * z)
		}
	}
}

// fillRows fills s.rows with the standardised columns and scores of n-grams.
func (m *Model) fillRows(s *scratch) {
	s.rows = m.rows.appendRows(s.rows[:0], &s.sheet, m.words, m.chars, &s.running)
	s.missing = m.rows.standardise(s.rows, &s.sheet, s.missing)
}

// fillIDs joins the ids of words and characters by line.
func (s *scratch) fillIDs() {
	s.ids, s.ends = s.ids[:0], s.ends[:0]
	for i := range s.sheet.n {
		s.ids = append(append(s.ids, s.sheet.wordIDs(i)...), s.sheet.charIDs(i)...)
		s.ends = append(s.ends, int32(len(s.ids)))
	}
}

// bin fills s.matrix with the columns that the forest reads.
func (m *Model) bin(s *scratch) {
	n, width := s.sheet.n, m.width()
	height := n + 2*boost.Pad
	s.bins = grow(s.bins[:0], height*len(m.used)+boost.SpareBytes)
	clear(s.bins)
	s.matrix.Rows = n
	if len(s.matrix.Cols) != width {
		s.matrix.Cols = make([][]uint8, width)
	}
	for k, c := range m.used {
		s.matrix.Cols[c] = s.bins[k*height : (k+1)*height]
	}
	m.binner.Bin(&s.matrix, s.rows)
}

// prepare prepares the networks for scoring and records the columns that the forest reads.
func (m *Model) prepare() {
	m.scorer = recurrent.NewScorer(m.nets)
	m.used, m.binner = nil, nil
	if m.forest == nil {
		return
	}
	seen := make([]bool, m.width())
	for _, f := range m.forest.Used() {
		seen[f.Col] = true
	}
	for c, yes := range seen {
		if yes {
			m.used = append(m.used, c)
		}
	}
	m.binner = boost.NewRowBinner(m.cuts, m.used)
}
