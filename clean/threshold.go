package clean

import "chaffinch/page"

// Threshold is the setting of a method that its scores are compared with.
type Threshold struct {
	// Name is that of the field in the method's Config, such as "limit".
	Name string
	// Help says in a few words what the score is and which text is kept.
	Help string
	// Value is the threshold in force, in the unit of Verdict.Score.
	Value float64
	// Below tells that scores below Value are kept; otherwise those of at least
	// Value are.
	Below bool
	// Log tells that scores spread over orders of magnitude.
	Log bool
}

// Keeps reports whether text with this score is kept.
func (t Threshold) Keeps(score float64) bool {
	if t.Below {
		return score < t.Value
	}
	return score >= t.Value
}

// Scored is a Labeller that compares scores with one threshold, so that
// another threshold can be tried on its verdicts without a new run.
type Scored interface {
	Labeller
	// Threshold returns the threshold in force on the page that got these
	// verdicts.
	Threshold(verdicts []page.Verdict) Threshold
	// ByScore reports whether the threshold alone decides v, the verdict on
	// block i of p: each of its sentences is kept if the threshold keeps its
	// score, and the block if a sentence is; without sentences, the block is
	// kept if the threshold keeps its score.
	ByScore(p *page.Page, i int, v *page.Verdict) bool
}
