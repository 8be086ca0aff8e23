package blocks

import (
	"chaffinch/clean"
	"chaffinch/page"
)

// Threshold returns the probability from which the blocks of the page are kept:
// SureProbability, or less if that improves the page as a whole (decide.go). It implements
// clean.Scored.
func (l *Labeller) Threshold(verdicts []page.Verdict) clean.Threshold {
	limit := float64(l.rule.sure)
	for i := range verdicts {
		if v := &verdicts[i]; v.Label.Keep() && v.Reason != whyHeading && v.Reason != whyRescued {
			limit = min(limit, v.Score)
		}
	}
	return clean.Threshold{Name: "limit", Help: "probability that it is text: kept from, as the page as a whole decides", Value: limit}
}

// ByScore reports whether the block was decided by its own probability, not by the decision
// on a heading or its section.
func (l *Labeller) ByScore(_ *page.Page, _ int, v *page.Verdict) bool {
	return v.By == name && v.Reason != whyHeading && v.Reason != whySection && v.Reason != whyBare && v.Reason != whyRescued
}
