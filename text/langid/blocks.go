package langid

import (
	"unicode/utf8"

	"chaffinch/page"
)

// blocks sets the language of every block that is kept; with all of every one
// that the page shows. A block that is sure of its language has it, and code
// that is not is in none. Any other takes the language of the nearest sure
// blocks before and after it and of the page, if these agree; else the one of
// these that fits its text best; if none does, that of its neighbours where both
// agree, else that of the page. p.Lang is set, and blocks that have been asked
// already have their answer.
func (k *Filter) blocks(p *page.Page) {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		g := Guess{b.Lang, b.LangConfidence}
		b.Lang, b.LangConfidence = "", 0
		if !k.looksAt(b) {
			continue
		}
		chars := utf8.RuneCountInString(b.Text)
		if g.Lang == "" && chars >= sureChars {
			g = k.d.Detect(b.Text)
		}
		switch {
		case g.Lang == NoLanguage || sure(g, chars, p.Lang):
			b.Lang, b.LangConfidence = g.Lang, g.Confidence
		case b.Kind == page.Code:
			b.Lang = NoLanguage
		}
	}
	after := make([]Guess, len(p.Blocks))
	var next Guess
	for i := len(p.Blocks) - 1; i >= 0; i-- {
		after[i] = next
		if b := &p.Blocks[i]; b.Lang != "" && b.Lang != NoLanguage {
			next = Guess{b.Lang, b.LangConfidence}
		}
	}
	var before Guess
	whole := Guess{p.KnownLang(), p.LangConfidence}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		switch {
		case b.Lang == NoLanguage || !k.looksAt(b):
		case b.Lang != "":
			before = Guess{b.Lang, b.LangConfidence}
		default:
			g := k.inherit(b.Text, before, after[i], whole)
			b.Lang, b.LangConfidence = g.Lang, g.Confidence
		}
	}
}

// looksAt tells whether the language of b is asked for.
func (k *Filter) looksAt(b *page.Block) bool {
	return b.Text != "" && !b.Hidden && (k.cfg.All || b.Label.Keep())
}

// sure tells whether a block's guess needs no look at the neighbours. Against a
// page in a similar language it must be long and surer.
func sure(g Guess, chars int, pageLang string) bool {
	if g.Lang == "" || g.Lang == Undetermined || g.Confidence < sureConf || chars < sureChars {
		return false
	}
	return g.Lang == pageLang || !Similar(g.Lang, pageLang) || g.Confidence >= similarConf && chars >= similarChars
}

// ranked is how many languages of a block are compared with those around it.
const ranked = 5

// inherit returns the language of a text that is not sure of itself.
func (k *Filter) inherit(text string, before, after, whole Guess) Guess {
	first := firstOf(before, after, whole)
	if (before.Lang == "" || before.Lang == first.Lang) && (after.Lang == "" || after.Lang == first.Lang) && (whole.Lang == "" || whole.Lang == first.Lang) {
		if first.Lang == "" {
			first.Lang = Undetermined
		}
		return first
	}
	var buf [ranked]Guess
	for _, own := range k.d.Rank(buf[:0], text, ranked) {
		for _, g := range [...]Guess{before, after, whole} {
			if g.Lang == own.Lang {
				return g
			}
		}
	}
	if before.Lang != "" && before.Lang == after.Lang || whole.Lang == "" {
		return firstOf(before, after, whole)
	}
	return whole
}

// firstOf returns the first guess that names a language.
func firstOf(guesses ...Guess) Guess {
	for _, g := range guesses {
		if g.Lang != "" {
			return g
		}
	}
	return Guess{}
}
