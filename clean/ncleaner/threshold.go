package ncleaner

import (
	"chaffinch/clean"
	"chaffinch/page"
)

// Threshold returns the minimum score of kept text. It implements clean.Scored.
func (l *Labeller) Threshold([]page.Verdict) clean.Threshold {
	return clean.Threshold{Name: "threshold", Help: "bits a character by which the clean model is likelier: kept from", Value: l.cfg.Threshold}
}

// ByScore reports whether v was decided for the whole block by the models, not because the
// block is a navigation bar.
func (l *Labeller) ByScore(p *page.Page, i int, v *page.Verdict) bool {
	return (v.Reason == whyClean || v.Reason == whyDirty) && (isDump(p) || !hasLines(&p.Blocks[i]))
}
