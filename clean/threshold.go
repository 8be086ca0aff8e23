package clean

import "chaffinch/page"

// Threshold describes the setting of a method that its scores are compared with.
type Threshold struct {
	// Name is the name of the field in the method's Config, such as "limit".
	Name string
	// Help describes in a few words the score and the text that is kept.
	Help string
	// Value is the current threshold, in the unit of Verdict.Score.
	Value float64
	// Below reports whether scores below Value are kept. If false, scores of at least Value
	// are kept.
	Below bool
	// Log reports whether scores spread over orders of magnitude.
	Log bool
}

// Keeps reports whether text with this score is kept.
func (t Threshold) Keeps(score float64) bool {
	if t.Below {
		return score < t.Value
	}
	return score >= t.Value
}

// Scored is a [Labeller] that compares scores with one threshold. Other thresholds can be
// tried on its verdicts without another run.
type Scored interface {
	Labeller
	// Threshold returns the threshold that produced these verdicts of a page.
	Threshold(verdicts []page.Verdict) Threshold
	// ByScore reports whether the threshold alone decides v, the verdict on block i of p.
	// Then a sentence is kept if the threshold keeps its score, and a block if one of its
	// sentences is kept. A block without sentences is kept if the threshold keeps its score.
	ByScore(p *page.Page, i int, v *page.Verdict) bool
}
