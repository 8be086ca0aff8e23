// Package clean scores the cleaning of web pages against gold text made by
// people. A [Set] is pages with their gold; a [System] is what is scored: the
// saved output of any program, or one of our own methods run on the pages.
//
// The measures, with their sources, are the table [Metrics]; lab/results/clean.md
// defines each. They agree page by page with the scripts that the published
// figures come from.
package clean

import (
	"math"

	"chaffinch/internal/pytext"
	"chaffinch/lab/gold"
)

// Prediction is what a system made of one page.
type Prediction struct {
	// Text is the cleaned text.
	Text string
	// Segments is the same text cut into typed segments; nil where the system
	// tells no types.
	Segments []Segment
	// Comments is the text that the system takes for readers' comments, kept or
	// not. It is scored only if Classified: the system tells comments apart on
	// any page of the set.
	Comments   string
	Classified bool
	// Tables are the tables of the page, where the system is one of ours.
	Tables []Table
	// Blocks are the blocks of the page with what the system thought of each,
	// where it is one of ours and they were asked for.
	Blocks []BlockNote
	// Confidence is how sure the system is of the page, where it tells that; 0 elsewhere.
	Confidence float64
	// Missing tells that the system has no output for the page; it is scored
	// as empty.
	Missing bool
}

// Segment is a paragraph of a page, with its type in CleanEval's terms.
type Segment = gold.Segment

// Counts are true positives, false positives and false negatives.
type Counts struct{ TP, FP, FN int }

// Add adds d to c.
func (c *Counts) Add(d Counts) {
	c.TP += d.TP
	c.FP += d.FP
	c.FN += d.FN
}

// PRF returns precision, recall and their harmonic mean; a fraction of nothing
// is 0.
func (c Counts) PRF() (p, r, f float64) {
	p = float64(c.TP) / float64(max(1, c.TP+c.FP))
	r = float64(c.TP) / float64(max(1, c.TP+c.FN))
	return p, r, harmonic(p, r)
}

func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// Score holds everything that was measured of one page. Fractions are 0 to 1,
// NaN where the measure does not apply to the page or its set.
type Score struct {
	// ID is the page.
	ID string
	// Missing tells that there was no prediction.
	Missing bool
	// Confidence is that of the prediction; NaN where there is none.
	Confidence float64
	// Lev is the Levenshtein similarity of the texts with white space
	// collapsed; LevRaw that of the texts as they are, LevStrip that against
	// the gold without address line and markers, LevIndel the similarity by
	// insertions and deletions only. The last three are of the CleanEval sets.
	Lev, LevRaw, LevStrip, LevIndel float64
	// Words counts the words that a word alignment finds on both sides, in the
	// prediction only, in the gold only.
	Words Counts
	// RougeP, RougeR and RougeF are ROUGE-LSum.
	RougeP, RougeR, RougeF float64
	// ShingleP and ShingleR are of 4-word shingles; NaN where the prediction,
	// or the gold, is empty. Equal tells that the words are the same in the
	// same order.
	ShingleP, ShingleR float64
	Equal              bool
	// BagF is the F score of the multisets of words.
	BagF float64
	// With is the share of the snippets that must appear and do, Without that
	// of those that must not and do not.
	With, Without float64
	// Typed tells whether Markers was measured: gold and prediction have types.
	Typed bool
	// Markers counts segment markers p, h, l that the alignment finds on both
	// sides; Bounds is the same without their type.
	Markers, Bounds Counts
	// CommentWords counts the words of comments that the alignment finds on
	// both sides, in the prediction or the gold only; Commented tells whether
	// they were measured.
	CommentWords Counts
	Commented    bool
	// Tables counts the tables that the gold has decisions on.
	Tables tableScore
	// Segmented tells whether Bounds was measured: the gold has segments.
	Segmented bool
	// Snippets counts required snippets found (TP), forbidden ones found (FP)
	// and required ones missing (FN); Absent counts forbidden ones not found.
	// They are of the sets without full gold text.
	Snippets Counts
	Absent   int
}

// newScore returns a score in which nothing was measured.
func newScore(id string) *Score {
	nan := math.NaN()
	return &Score{ID: id, Confidence: nan, Lev: nan, LevRaw: nan, LevStrip: nan, LevIndel: nan, RougeP: nan, RougeR: nan, RougeF: nan,
		ShingleP: nan, ShingleR: nan, BagF: nan, With: nan, Without: nan}
}

// Measure scores a prediction for the page of g.
func (g *Gold) Measure(p Prediction) *Score {
	s := newScore(g.ID)
	s.Missing = p.Missing
	if p.Confidence > 0 {
		s.Confidence = p.Confidence
	}
	if g.SnippetsOnly {
		g.measureSnippets(p.Text, s)
		return s
	}
	f := g.prepare()
	text := p.Text
	if f.spread {
		text = gold.Spread(text)
	}
	normal := pytext.Collapse(p.Text)
	s.Lev = similarity(runes(normal), f.normal)
	if g.variants {
		s.LevRaw = similarity(runes(p.Text), f.raw)
		s.LevStrip = similarity(runes(pytext.Strip(p.Text)), f.strip)
		s.LevIndel = indel(runes(normal), f.normal, s.Lev)
	}
	s.Words = alignWords(alignmentWords(text), f.words)
	s.RougeP, s.RougeR, s.RougeF = rougeLSum(sentences(text), f.sentences, p.Text, g.Text)
	words := pytext.Words(text)
	s.ShingleP, s.ShingleR = shingles(words, f.tokens)
	s.Equal = equal(words, f.tokens)
	s.BagF = bag(words, f.tokens)
	s.With = share(g.With, normal, true)
	s.Without = share(g.Without, normal, false)
	g.measureSegments(p, s)
	if s.Commented = g.Commented && p.Classified; s.Commented {
		s.CommentWords = alignWords(alignmentWordsOf(p.Comments), alignmentWordsOf(g.Comments))
	}
	return s
}
