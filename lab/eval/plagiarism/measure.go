// Package plagiarism scores detected passages against known cases: precision, recall, granularity
// and plagdet of the PAN evaluations (Potthast, Stein, Barrón-Cedeño and Rosso: An Evaluation
// Framework for Plagiarism Detection, COLING 2010, section 2). [Open] reads sets, [Run] detects
// passages and [Rows] scores them. [GenerateFrom] makes cases from clean text with several
// kinds of changes.
package plagiarism

import (
	"math"

	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/stats"
	"chaffinch/plagiarism"
)

// Score holds the measures. All are fractions except Granularity, which is at least 1.
type Score struct {
	Cases, Detections int
	// Precision and Recall are macro-averaged over detections and cases. MicroPrecision and
	// MicroRecall count characters.
	Precision, Recall           float64
	MicroPrecision, MicroRecall float64
	// Granularity is the mean number of detections per detected case.
	Granularity float64
	// Plagdet is F1 of Precision and Recall divided by log2(1 + Granularity).
	Plagdet float64
}

// measure compares detections with cases. Duplicates in a list count once, and empty passages have
// length 0, as in the script of the first PAN workshop (version 1.3).
func measure(cases, found []plagiarism.Passage) Score {
	cases, found = unique(cases), unique(found)
	s := Score{Cases: len(cases), Detections: len(found)}
	s.Recall, s.Precision = macro(cases, found), macro(found, cases)
	s.MicroRecall, s.MicroPrecision = micro(cases, found)
	s.Granularity = granularity(cases, found)
	s.Plagdet = stats.Harmonic(s.Precision, s.Recall) / math.Log2(1+s.Granularity)
	return s
}

// place returns a passage without its score.
func place(p plagiarism.Passage) plagiarism.Passage {
	p.Score = 0
	return p
}

func unique(ps []plagiarism.Passage) []plagiarism.Passage {
	seen := map[plagiarism.Passage]bool{}
	var out []plagiarism.Passage
	for _, p := range ps {
		if p = place(p); !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

func bySuspicious(ps []plagiarism.Passage) map[string][]plagiarism.Passage {
	m := map[string][]plagiarism.Passage{}
	for _, p := range ps {
		m[p.Suspicious] = append(m[p.Suspicious], p)
	}
	return m
}

// Overlap reports whether two passages share characters on both sides, in which case one counts as
// a detection of the other.
func Overlap(a, b plagiarism.Passage) bool {
	return a.Suspicious == b.Suspicious && a.Source == b.Source &&
		b.SuspiciousEnd > a.SuspiciousStart && b.SuspiciousStart < a.SuspiciousEnd &&
		b.SourceEnd > a.SourceStart && b.SourceStart < a.SourceEnd
}

// macro returns the mean fraction of each passage of a that passages of b cover.
func macro(a, b []plagiarism.Passage) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 1
	}
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	of := bySuspicious(b)
	sum := 0.0
	for _, p := range a {
		sum += Covered(p, of[p.Suspicious])
	}
	return sum / float64(len(a))
}

// Covered returns the fraction of the characters of p on both sides that overlapping passages
// cover.
func Covered(p plagiarism.Passage, by []plagiarism.Passage) float64 {
	var this, source []span
	for _, q := range by {
		if Overlap(p, q) {
			this = append(this, span{max(p.SuspiciousStart, q.SuspiciousStart), min(p.SuspiciousEnd, q.SuspiciousEnd)})
			source = append(source, span{max(p.SourceStart, q.SourceStart), min(p.SourceEnd, q.SourceEnd)})
		}
	}
	all := p.SuspiciousEnd - p.SuspiciousStart + p.SourceEnd - p.SourceStart
	if this == nil || all == 0 {
		return 0
	}
	return float64(union(this)+union(source)) / float64(all)
}

// micro counts characters: recall is the covered fraction of the cases, precision the right
// fraction of the detections.
func micro(cases, found []plagiarism.Passage) (recall, precision float64) {
	if len(cases) == 0 && len(found) == 0 {
		return 1, 1
	}
	if len(cases) == 0 || len(found) == 0 {
		return 0, 0
	}
	of := bySuspicious(found)
	var right []plagiarism.Passage
	for _, c := range cases {
		for _, d := range of[c.Suspicious] {
			if Overlap(c, d) {
				c := c
				c.SuspiciousStart, c.SuspiciousEnd = max(c.SuspiciousStart, d.SuspiciousStart), min(c.SuspiciousEnd, d.SuspiciousEnd)
				c.SourceStart, c.SourceEnd = max(c.SourceStart, d.SourceStart), min(c.SourceEnd, d.SourceEnd)
				right = append(right, c)
			}
		}
	}
	n := float64(characters(right))
	if all := characters(cases); all > 0 {
		recall = n / float64(all)
	}
	if all := characters(found); all > 0 {
		precision = n / float64(all)
	}
	return recall, precision
}

// characters returns the number of distinct characters in passages, on both sides.
func characters(ps []plagiarism.Passage) int {
	spans := map[[2]string][]span{}
	for _, p := range ps {
		this, source := [2]string{"this", p.Suspicious}, [2]string{"source", p.Source}
		spans[this] = append(spans[this], span{p.SuspiciousStart, p.SuspiciousEnd})
		spans[source] = append(spans[source], span{p.SourceStart, p.SourceEnd})
	}
	n := 0
	for _, s := range spans {
		n += union(s)
	}
	return n
}

func granularity(cases, found []plagiarism.Passage) float64 {
	of := bySuspicious(found)
	detected, n := 0, 0
	for _, c := range cases {
		k := 0
		for _, d := range of[c.Suspicious] {
			if Overlap(c, d) {
				k++
			}
		}
		if k > 0 {
			detected++
			n += k
		}
	}
	if detected == 0 {
		return 1
	}
	return float64(n) / float64(detected)
}

type span struct{ from, to int }

// union returns the number of positions in at least one of the spans.
func union(s []span) int {
	sorts.Func(s, func(a, b span) int { return a.from - b.from })
	n, at := 0, 0
	for i, x := range s {
		if i == 0 || x.from > at {
			at = x.from
		}
		if x.to > at {
			n += x.to - at
			at = x.to
		}
	}
	return n
}
