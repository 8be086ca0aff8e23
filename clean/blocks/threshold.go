package blocks

import (
	"chaffinch/clean"
	"chaffinch/page"
)

// Threshold returns the probability from which on the blocks of the page are
// kept: Sure, or less if the page as a whole is better so (decide.go). It makes
// the method a clean.Scored.
func (l *Labeller) Threshold(verdicts []page.Verdict) clean.Threshold {
	limit := float64(l.rule.sure)
	for i := range verdicts {
		if v := &verdicts[i]; v.Label.Keep() && v.Why != whyHeading && v.Why != whyRescued {
			limit = min(limit, v.Score)
		}
	}
	return clean.Threshold{Name: "limit", Help: "probability that it is text: kept from, as the page as a whole decides", Value: limit}
}

// ByScore reports whether the method has judged the block by itself, and not
// for the sake of a heading or its section.
func (l *Labeller) ByScore(_ *page.Page, _ int, v *page.Verdict) bool {
	return v.By == name && v.Why != whyHeading && v.Why != whySection && v.Why != whyBare && v.Why != whyRescued
}
