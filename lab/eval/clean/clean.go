// Package clean scores the cleaning of web pages against gold text made by people. [Open] reads a
// [Set] of pages with their gold. [ReadPredictions] reads the saved output of a program; [Run] runs
// a method of this project. [Measure] scores the output.
//
// [Metrics] lists the measures with their sources; lab/results/clean.md defines them. They agree
// page by page with the scripts that published figures were computed with.
package clean

import (
	"math"
	"slices"

	"chaffinch/internal/pytext"
	"chaffinch/lab/eval/stats"
	"chaffinch/lab/gold"
)

// Prediction is the output of a system for one page.
type Prediction struct {
	// Text is the cleaned text.
	Text string
	// Segments is the same text divided into typed segments; nil if the system has no types.
	Segments []Segment
	// Comments is the text that the system classifies as readers' comments, kept or not. It is
	// scored only if Classified is set: the system identifies comments on some page of the set.
	Comments   string
	Classified bool
	// Tables holds the tables of the page, for methods of this project.
	Tables []Table
	// Blocks holds the blocks of the page with their scores, for methods of this project if
	// requested.
	Blocks []BlockNote
	// Confidence is the confidence of the system in the page, 0 if it reports none.
	Confidence float64
	// Type is the type of the page that the system estimates, "" if none; TypeConfidence is its
	// probability.
	Type           string
	TypeConfidence float64
	// Missing is set if the system has no output for the page. The page is scored as empty.
	Missing bool
}

// Segment is a paragraph of a page with a type of CleanEval.
type Segment = gold.Segment

// Counts counts true positives, false positives and false negatives.
type Counts struct{ TP, FP, FN int }

// Add adds d to c.
func (c *Counts) Add(d Counts) {
	c.TP += d.TP
	c.FP += d.FP
	c.FN += d.FN
}

// prf returns precision, recall and their harmonic mean. A fraction with denominator 0 is 0.
func (c Counts) prf() (p, r, f float64) {
	p = float64(c.TP) / float64(max(1, c.TP+c.FP))
	r = float64(c.TP) / float64(max(1, c.TP+c.FN))
	return p, r, stats.Harmonic(p, r)
}

// Score holds all measurements of one page. Fractions are 0 to 1, or NaN if the measure does not
// apply to the page or its set.
type Score struct {
	// ID is the ID of the page.
	ID string
	// Missing is set if there was no prediction.
	Missing bool
	// Confidence is the confidence of the prediction, NaN if there is none.
	Confidence float64
	// Lev is the Levenshtein similarity of the texts with white space collapsed. LevRaw is the
	// similarity of the unchanged texts. LevStrip uses the gold without address line and markers.
	// LevIndel is the similarity with insertions and deletions only. The last three exist for the
	// CleanEval sets.
	Lev, LevRaw, LevStrip, LevIndel float64
	// Words counts the words that a word alignment finds on both sides, only in the prediction, and
	// only in the gold.
	Words Counts
	// RougeP, RougeR and RougeF are ROUGE-LSum.
	RougeP, RougeR, RougeF float64
	// ShingleP and ShingleR are precision and recall of 4-word shingles, NaN if the prediction or
	// the gold is empty. Equal is set if the words are the same in the same order.
	ShingleP, ShingleR float64
	Equal              bool
	// BagF is the F score of the multisets of words.
	BagF float64
	// With is the fraction of required snippets that occur, Without the fraction of forbidden
	// snippets that do not occur.
	With, Without float64
	// Typed is set if Markers was measured: gold and prediction have types.
	Typed bool
	// Markers counts the segment markers p, h, l that the alignment finds on both sides. Bounds is
	// the same without their types.
	Markers, Bounds Counts
	// CommentWords counts the words of comments that the alignment finds on both sides, only in the
	// prediction, and only in the gold. Commented is set if they were measured.
	CommentWords Counts
	Commented    bool
	// Tables counts the tables with gold decisions.
	Tables tableScore
	// Segmented is set if Bounds was measured: the gold has segments.
	Segmented bool
	// Snippets counts required snippets found (TP), forbidden ones found (FP) and required ones
	// missing (FN). Absent counts forbidden ones not found. They exist for the sets without full
	// gold text.
	Snippets Counts
	Absent   int
}

// newScore returns a score without measurements.
func newScore(id string) *Score {
	nan := math.NaN()
	return &Score{ID: id, Confidence: nan, Lev: nan, LevRaw: nan, LevStrip: nan, LevIndel: nan, RougeP: nan, RougeR: nan, RougeF: nan,
		ShingleP: nan, ShingleR: nan, BagF: nan, With: nan, Without: nan}
}

// measure scores a prediction for the page of g.
func (g *Gold) measure(p Prediction) *Score {
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
	s.Lev = similarity([]rune(normal), f.normal)
	if g.variants {
		s.LevRaw = similarity([]rune(p.Text), f.raw)
		s.LevStrip = similarity([]rune(pytext.Strip(p.Text)), f.strip)
		s.LevIndel = indel([]rune(normal), f.normal, s.Lev)
	}
	s.Words = alignWords(alignmentWords(text), f.words)
	s.RougeP, s.RougeR, s.RougeF = rougeLSum(sentences(text), f.sentences, p.Text, g.Text)
	words := pytext.Words(text)
	s.ShingleP, s.ShingleR = shingles(words, f.tokens)
	s.Equal = slices.Equal(words, f.tokens)
	s.BagF = bag(words, f.tokens)
	s.With = share(g.With, normal, true)
	s.Without = share(g.Without, normal, false)
	g.measureSegments(p, s)
	if s.Commented = g.Commented && p.Classified; s.Commented {
		s.CommentWords = alignWords(alignmentWordsOf(p.Comments), alignmentWordsOf(g.Comments))
	}
	return s
}
