package clean

import (
	"math"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// TestReliability counts ten pages by hand.
func TestReliability(t *testing.T) {
	var scores []*Score
	add := func(confidence float64, tp, fp int) {
		s := newScore("x")
		s.Lev, s.Confidence, s.Words = 1, confidence, Counts{TP: tp, FP: fp}
		scores = append(scores, s)
	}
	for range 3 {
		add(.95, 100, 0)
	}
	add(.95, 50, 50)
	add(.99, 100, 0)
	add(.25, 0, 10)
	add(.35, 95, 5)
	add(.9, 90, 30) // not above .9, but in the last bin
	add(math.NaN(), 100, 0)
	snippets := newScore("y")
	snippets.Confidence = .5
	scores = append(scores, snippets)
	r := newReliability("blocks", "set", scores)
	if r == nil || r.Pages != 8 {
		t.Fatalf("%+v", r)
	}
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s %v, want %v", name, got, want)
		}
	}
	near("mean", r.Mean, (4*.95+.99+.25+.35+.9)/8)
	near("good", r.Good, 5./8)
	near("Brier", r.Brier, (3*.0025+.9025+.0001+.0625+.4225+.81)/8)
	near("above .9", r.Sure, 5./8)
	near("of these good", r.SureGood, 4./5)
	near("last bin", r.Bins[9].Good, 4./6)
	near("ECE", r.ECE, (math.Abs(4*.95+.99+.9-4)+.25+.65)/8)
	must.Equal(t, r.Bins[2].Pages+r.Bins[3].Pages+r.Bins[9].Pages, 8, "pages in the bins")
	if newReliability("x", "set", scores[8:]) != nil {
		t.Error("confidences are measured where there are none")
	}
	view := View{Results: []*Result{{Set: "set", System: "blocks", Scores: scores}}}
	var b strings.Builder
	must.Succeed(t, WriteReliability(&b, Reliabilities([]View{view})))
	for _, want := range []string{"confidence of pages, blocks", "0.9–1.0", "66.7", "all", "80.0"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if svg := reliabilityCurves(view.Results); !strings.Contains(string(svg), "confidence 94.8: 6 pages") {
		t.Errorf("drawing %s", svg)
	}
	if reliabilityCurves([]*Result{{System: "x", Scores: scores[8:9]}}) != "" {
		t.Error("a drawing of no confidences")
	}
	two := Reliabilities([]View{view, {Results: []*Result{{Set: "other", System: "blocks", Scores: scores}}}})
	if len(two) != 3 || two[0].Pages != 16 || two[0].Set != "" || two[2].Set != "other" {
		t.Errorf("two sets: %+v", two)
	}
}

// TestConfidenceScored wants the confidence of a page in its score.
func TestConfidenceScored(t *testing.T) {
	p := FromPage(&page.Page{Confidence: .7})
	g := &Gold{Page: &gold.Page{ID: "a", Text: "text"}}
	if s := g.measure(p); s.Confidence != .7 {
		t.Errorf("confidence %v", s.Confidence)
	}
	if s := g.measure(Prediction{}); !math.IsNaN(s.Confidence) {
		t.Errorf("confidence %v of a system that tells none", s.Confidence)
	}
}

// TestReliabilityCurves draws the number of pages of each bin.
func TestReliabilityCurves(t *testing.T) {
	res := &Result{System: "x"}
	for i := range 40 {
		s := newScore("x")
		s.Lev, s.Confidence, s.Words = 1, .95, Counts{TP: 100}
		if i < 7 {
			s.Confidence, s.Words = .15, Counts{FP: 10}
		}
		res.Scores = append(res.Scores, s)
	}
	svg := string(reliabilityCurves([]*Result{res}))
	for _, want := range []string{">7</text>", ">33</text>", "33 pages"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
}
