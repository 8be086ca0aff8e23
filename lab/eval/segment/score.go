package segment

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"
	"github.com/clipperhouse/uax29/v2/words"

	"chaffinch/text/token"
)

// Splitter divides a text into tokens and sentences and appends them to w and s.
type Splitter func(text string, w, s []token.Span) (words, sentences []token.Span)

// Counts holds the number of units found, the number in the gold, and the number of gold units
// found.
type Counts struct{ Found, Gold, Hits int }

// F returns the F measure, 0 to 1.
func (c Counts) F() float64 {
	if c.Found+c.Gold == 0 {
		return 0
	}
	return 2 * float64(c.Hits) / float64(c.Found+c.Gold)
}

// PR returns precision and recall.
func (c Counts) PR() (p, r float64) {
	return float64(c.Hits) / float64(max(c.Found, 1)), float64(c.Hits) / float64(max(c.Gold, 1))
}

// Score holds the counts of a file.
type Score struct{ Tokens, Sentences Counts }

// evaluate splits the texts of g and compares the result with the gold.
func evaluate(g *Gold, split Splitter) (sc Score) {
	var w, s []token.Span
	for i := range g.Texts {
		t := &g.Texts[i]
		w, s = split(t.Text, w[:0], s[:0])
		if g.HasTokens {
			sc.Tokens.add(t.Tokens, w, false)
		}
		sc.Sentences.add(t.Sentences, s, !g.HasTokens)
	}
	return sc
}

// add compares ordered spans, or only their ends if ends is set.
func (c *Counts) add(gold, found []token.Span, ends bool) {
	c.Gold += len(gold)
	c.Found += len(found)
	for i := 0; i < len(found) && len(gold) > 0; {
		switch f, g := found[i], gold[0]; {
		case f.End < g.End:
			i++
		case f.End > g.End:
			gold = gold[1:]
		default:
			if ends || f.Start == g.Start {
				c.Hits++
			}
			i, gold = i+1, gold[1:]
		}
	}
}

// annex splits by Unicode Standard Annex 29: a baseline for rules.
func annex(text string, w, s []token.Span) ([]token.Span, []token.Span) {
	it := words.FromString(text)
	for it.Next() {
		w = appendTrimmed(w, text, it.Start(), it.End())
	}
	st := sentences.FromString(text)
	for st.Next() {
		s = appendTrimmed(s, text, st.Start(), st.End())
	}
	return w, s
}

func appendTrimmed(dst []token.Span, text string, start, end int) []token.Span {
	t := strings.TrimLeftFunc(text[start:end], token.IsSpace)
	start = end - len(t)
	if t = strings.TrimRightFunc(t, token.IsSpace); t == "" {
		return dst
	}
	return append(dst, token.Span{Start: start, End: start + len(t)})
}
