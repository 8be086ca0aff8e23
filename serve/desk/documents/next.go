package documents

import (
	"cmp"
	"fmt"
	"time"

	"chaffinch/serve/desk/journal"
)

// The ways in which a document is selected.
const (
	bySecond = "second" // another annotator has labelled it: for agreement
	bySpread = "spread" // at random, spread over languages and sites: no model yet
	byRandom = "random" // at random, although there is a model: for evaluation
	byUnsure = "unsure" // the model is least certain about it
)

// share returns a pseudo-random number from 0 to 1 that depends on a name alone.
func share(name string) float64 { return float64(journal.Draw(name)>>11) / (1 << 53) }

// wanted returns the number of annotators that label a document.
func (s *Desk) wanted(d *doc) int {
	if share(fmt.Sprintf("double %d %s", s.cfg.Seed, d.hash)) < s.cfg.Double {
		return 2
	}
	return 1
}

// here is the time for which an idle annotator still has a document open.
const here = 3 * time.Minute

// choose selects the next document of a person, nil if there is none. The caller holds s.mu.
func (s *Desk) choose(p *person) (next *doc, how string) {
	open := map[*doc]bool{}
	for _, o := range s.people.All() {
		if o != p && o.doc != nil && s.cfg.Now().Sub(o.seen) < here {
			open[o.doc] = true
		}
	}
	langs, sites := map[string]int{}, map[string]int{} // labelled documents
	var second, rest []*doc
	for _, d := range s.docs {
		n := len(s.done(d))
		if n > 0 {
			langs[d.Lang]++
			sites[d.site]++
		}
		if w := p.works[d]; w != nil && (w.Done || w.Skip) || n >= s.wanted(d) {
			continue
		}
		if d == p.doc {
			return d, p.how // still open
		}
		switch {
		case open[d] && n+1 >= s.wanted(d):
		case n > 0:
			second = append(second, d)
		default:
			rest = append(rest, d)
		}
	}
	if next = s.drawn(second); next != nil {
		return next, bySecond
	}
	switch {
	case !s.active:
		return s.best(rest, func(a, b *doc) int {
			return cmp.Or(cmp.Compare(langs[a.Lang], langs[b.Lang]), cmp.Compare(sites[a.site], sites[b.site]))
		}), bySpread
	case share(fmt.Sprintf("random %d %s %d", s.cfg.Seed, p.name, len(p.order))) < s.cfg.Random:
		return s.drawn(rest), byRandom
	}
	return s.best(rest, func(a, b *doc) int { return cmp.Compare(b.unsure, a.unsure) }), byUnsure
}

// drawn returns a random document, nil if there is none.
func (s *Desk) drawn(docs []*doc) *doc { return s.best(docs, func(_, _ *doc) int { return 0 }) }

// best returns the first document in an order, with ties in random order.
func (s *Desk) best(docs []*doc, order func(a, b *doc) int) (best *doc) {
	draw := func(d *doc) uint64 { return journal.Draw(fmt.Sprintf("%d %s", s.cfg.Seed, d.hash)) }
	for _, d := range docs {
		if best == nil || cmp.Or(order(d, best), cmp.Compare(draw(d), draw(best))) < 0 {
			best = d
		}
	}
	return best
}
