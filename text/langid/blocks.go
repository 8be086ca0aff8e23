package langid

import (
	"chaffinch/internal/runes"
	"chaffinch/page"
)

// blocks sets the language of every kept block, or with Config.All of every visible block. A
// block with a certain guess gets that language. A code block without a certain guess is in no
// language.
//
// Any other block compares three languages: of the nearest certain blocks before and after it,
// and of the page. If they agree, the block gets that language. Otherwise it gets the one that
// fits its text best. If none fits, it gets the language of its neighbours if both agree,
// otherwise the language of the page. p.Lang must be set. Blocks that were already detected
// keep their guess.
func (k *Filter) blocks(p *page.Page) {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		g := Guess{b.Lang, b.LangConfidence}
		b.Lang, b.LangConfidence = "", 0
		if !k.looksAt(b) {
			continue
		}
		chars := runes.Count(b.Text)
		if g.Lang == "" && chars >= sureChars {
			g = k.d.Detect(b.Text)
		}
		switch {
		case g.Lang == NoLanguage || k.sure(g, chars, Guess{p.Lang, p.LangConfidence}):
			b.Lang, b.LangConfidence = g.Lang, g.Confidence
		case b.Kind == page.Code:
			b.Lang = NoLanguage
		}
	}
	var before, after Guess
	next := 0 // the next block with a certain language
	whole := Guess{p.KnownLang(), p.LangConfidence}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		switch {
		case b.Lang == NoLanguage || !k.looksAt(b):
		case b.Lang != "":
			before = Guess{b.Lang, b.LangConfidence}
		default:
			if next <= i {
				next, after = nextCertain(p.Blocks, i+1)
			}
			g := k.inherit(b.Text, before, after, whole)
			b.Lang, b.LangConfidence = g.Lang, g.Confidence
		}
	}
}

// nextCertain returns the first block from block i on with a certain language, and the language. If
// there is none, it returns the number of blocks and no language.
func nextCertain(blocks []page.Block, i int) (int, Guess) {
	for ; i < len(blocks); i++ {
		if b := &blocks[i]; b.Lang != "" && b.Lang != NoLanguage {
			return i, Guess{b.Lang, b.LangConfidence}
		}
	}
	return i, Guess{}
}

// looksAt reports whether the language of b must be detected.
func (k *Filter) looksAt(b *page.Block) bool {
	return b.Text != "" && !b.Hidden && (k.cfg.All || b.Label.Keep())
}

// sure reports whether a block's guess is certain without its neighbours. For a language
// similar to the page's, the block must be longer and the confidence higher, also higher than
// the confidence of the page.
func (k *Filter) sure(g Guess, chars int, whole Guess) bool {
	if g.Lang == "" || g.Lang == Undetermined || g.Confidence < sureConf || chars < sureChars {
		return false
	}
	return g.Lang == whole.Lang || !k.d.Similar(g.Lang, whole.Lang) || g.Confidence >= similarConf && g.Confidence > whole.Confidence && chars >= similarChars
}

// ranked is the number of languages of a block that are compared with the languages around it.
const ranked = 5

// inherit returns the language of a text whose own guess is not certain.
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

// firstOf returns the first guess with a language.
func firstOf(guesses ...Guess) Guess {
	for _, g := range guesses {
		if g.Lang != "" {
			return g
		}
	}
	return Guess{}
}
