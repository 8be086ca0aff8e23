package simulate

import (
	"fmt"
	"slices"
	"strings"

	"chaffinch/crawl/schedule"
)

// SpamKind is a kind of spam host.
type SpamKind uint8

// Kinds of spam hosts.
const (
	Stuffed    SpamKind = iota // keywords
	Spun                       // texts with replaced synonyms
	Scraped                    // copies of good hosts
	Translated                 // by machine
	Generated                  // by a model
	Farm                       // hosts that link to each other
	Expired                    // a domain that a good host had
	spamKinds
)

// spamPasses holds the shares of the text of each kind that count as yield: after a filter of non-text
// (stuffed), near-duplicates (spun, scraped) and the language (translated, expired). They are
// assumptions.
var spamPasses = [spamKinds]float64{Stuffed: .03, Spun: .7, Scraped: .2, Translated: .9, Generated: 1, Farm: 1, Expired: .5}

// boughtLinks is the share of pages of good hosts with a link that a spam host bought.
const boughtLinks = .01

var spamKindNames = [spamKinds]string{"stuffed", "spun", "scraped", "translated", "generated", "farm", "expired"}

// String returns the name of k, such as "farm".
func (k SpamKind) String() string { return spamKindNames[k] }

// SpamKindNames returns the names of all kinds of spam hosts.
func SpamKindNames() []string { return spamKindNames[:] }

// ParseSpamKinds returns the kinds with names; "all" is all kinds.
func ParseSpamKinds(names []string) (kinds []SpamKind, err error) {
	for _, name := range names {
		k := slices.Index(spamKindNames[:], name)
		switch {
		case name == "all":
			for k := range spamKinds {
				kinds = append(kinds, k)
			}
		case k < 0:
			return nil, fmt.Errorf("spam kind %q, wanted all or some of %s", name, strings.Join(SpamKindNames(), ", "))
		default:
			kinds = append(kinds, SpamKind(k))
		}
	}
	return kinds, nil
}

// spamKind returns the kind of a spam host.
func (w *Web) spamKind(host uint32) SpamKind {
	return w.cfg.SpamKinds[host%uint32(len(w.cfg.SpamKinds))]
}

// addKindLinks adds links to spam hosts to a page: bought ones, ones from worthless hosts and between
// spam hosts, and ones that an expired domain has kept.
func (w *Web) addKindLinks(host uint32, path string, o *schedule.Outcome) {
	spam := w.byKind[Spam]
	rng := w.rand(host, path, 3*textStream)
	add := func(to uint32, own bool) { // own reports whether a spam host wrote the link
		l := schedule.Link{Origin: origin(to), Path: "/", Promise: .5}
		if own {
			l.Words = linkWords(rng, 1)
		} else if l.Words = linkWords(rng, w.hosts[to].match); w.spamKind(to) == Expired && rng.IntN(2) == 0 {
			l.Path = pagePath(rng.IntN(expiredPages))
			if rng.IntN(2) == 0 {
				l.Words = 0 // the page does not exist any more, so that it is not tested
			}
		}
		o.Links = append(o.Links, l)
	}
	switch w.hosts[host].kind {
	case Good:
		if rng.Float64() < boughtLinks {
			add(pick(rng, spam), true)
		}
		if len(w.expired) > 0 && rng.Float64() < float64(len(o.Links))*float64(w.cfg.External)/10*w.cfg.Local*float64(len(w.expired))/float64(len(w.byKind[Good])+1) {
			add(pick(rng, w.expired), false)
		}
	case Spam:
		if w.spamKind(host) == Farm {
			for range 8 {
				add(pick(rng, w.farm), true)
			}
		}
	default:
		odds := (1 - w.cfg.Local) * float64(w.cfg.External) / 10 * float64(len(spam)) / float64(w.cfg.Hosts-w.cfg.Spam)
		for range o.Links {
			if rng.Float64() < odds {
				add(pick(rng, spam), false)
			}
		}
	}
}
