package simulate

import (
	"math/rand/v2"
	"strings"
)

// Vocabulary of spam pages. A host advertises one trade; each of its pages is for one town.
var (
	trades = [][]string{
		{"payday loan", "fast cash", "bad credit", "same day lender", "instant approval", "loan calculator", "debt relief", "low APR", "money today", "guarantor free"},
		{"roof repair", "gutter cleaning", "slate tiles", "leak fix", "roofing contractor", "free estimate", "storm damage", "flat roof", "chimney stack", "roofer near me"},
		{"replica watch", "luxury timepiece", "swiss movement", "sapphire glass", "discount watches", "free shipping", "outlet store", "mens chronograph", "gift box", "wholesale"},
		{"slimming tea", "fat burner", "detox plan", "belly fat", "keto gummies", "appetite control", "metabolism boost", "30 day results", "natural pills", "money back"},
		{"essay writer", "custom dissertation", "cheap term paper", "plagiarism free", "homework help", "urgent deadline", "phd expert", "college essay", "proofreading", "top grades"},
		{"moving company", "piano movers", "man with van", "storage unit", "packing boxes", "long distance move", "office relocation", "free quote", "local mover", "last minute removals"},
		{"locksmith", "lost car keys", "emergency lockout", "door opening", "key cutting", "24 hour service", "safe opening", "burglary repair", "lock change", "no call out fee"},
		{"online casino", "free spins", "no deposit bonus", "slot machine", "live roulette", "jackpot", "betting odds", "poker room", "welcome offer", "fast payout"},
	}
	towns = []string{
		"Abbotsworth", "Bramley Cross", "Castlebury", "Dunmere", "Eastholme", "Fernleigh", "Grantbridge", "Harrowdale", "Ilverton", "Kingsfold",
		"Larkhampton", "Millbeck", "Northwick", "Oakhurst", "Pendle Bay", "Queensford", "Redmarsh", "Stonehaven Park", "Thornley", "Westcombe",
	}
	// frames are sentences with slots: # for a keyword, @ for a town.
	frames = []string{
		"If you are searching for # in @, our # team offers the best # at the lowest price.",
		"Looking for #? We are the number one # in @ and the whole @ area.",
		"# @ is the right choice when you need #, # or #.",
		"Our customers in @ love our # because # has never been so easy.",
		"Call now for # in @ and get # with every #.",
		"Do not pay more for #: compare #, # and # from @ today.",
		"Why choose us for #? Because we know #, and no other shop in @ has better #.",
		"Click here to learn more about # @, # near @ and cheap #.",
		"With many years of experience in #, we bring # to every street of @.",
		"Order # online, save on #, and enjoy # at home in @.",
		"The top ten # of this year were all made for people who need # in @.",
		"Read our guide to # before you decide on #, since not every # is the same.",
	}
	separators = []string{", ", " | ", " - ", " / ", ". "}
)

// spamText returns the text of a page of a spam host, of about size bytes. The styles of hosts
// differ: from sentences with many keywords to rows of keywords and towns.
func (w *Web) spamText(host uint32, path string, size int) string {
	own := rand.New(rand.NewPCG(w.cfg.Seed<<32|uint64(host), 2*textStream)) // of the host
	keys, rows, separator := trades[own.IntN(len(trades))], own.Float64(), pick(own, separators)
	rng := w.rand(host, path, textStream)
	town := pick(rng, towns)
	var b strings.Builder
	for b.Len() < size {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if rng.Float64() < rows {
			for i := range 6 + rng.IntN(20) {
				if i > 0 {
					b.WriteString(separator)
				}
				b.WriteString(pick(rng, keys))
				if rng.IntN(2) == 0 {
					b.WriteString(" " + pick(rng, []string{town, town, pick(rng, towns)}))
				}
			}
			continue
		}
		for i := range 2 + rng.IntN(5) {
			if i > 0 {
				b.WriteByte(' ')
			}
			for _, r := range pick(rng, frames) {
				switch r {
				case '#':
					b.WriteString(pick(rng, keys))
				case '@':
					b.WriteString(town)
				default:
					b.WriteRune(r)
				}
			}
		}
	}
	return b.String()
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }
