package perplexity

import (
	"chaffinch/clean"
	"chaffinch/page"
)

// Threshold returns the limit and its description. It implements clean.Scored.
func (l *Labeller) Threshold([]page.Verdict) clean.Threshold {
	t := clean.Threshold{Name: "limit", Help: "perplexity: kept below", Value: l.limit, Below: true, Log: true}
	if l.cfg.Measure != Perplexity {
		t.Help, t.Log = "bits per token ("+string(l.cfg.Measure)+"): kept below", false
	}
	return t
}

// ByScore reports whether the limit decided v, which holds for all blocks with text.
func (l *Labeller) ByScore(_ *page.Page, _ int, v *page.Verdict) bool { return v.Reason != whyNoText }
