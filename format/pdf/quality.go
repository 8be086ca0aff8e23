package pdf

import (
	"strings"
	"unicode"

	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/truth"
)

// verdict is the quality of the text of a page.
type verdict uint8

const (
	good       verdict = iota
	empty              // no text
	unreadable         // an image without text, or text that cannot be trusted
)

const (
	fewChars    = 20  // characters of a page that shows an image
	coverage    = .5  // least share of the page that an image page is covered by
	maxUnmapped = .05 // largest share of characters without a Unicode value
	maxGarbage  = .5  // largest share of words that are none
	maxDoubtful = .2  // ... if the font has no Unicode values
	fewWords    = 20  // too few words for a decision
)

// judge returns the quality of the characters of a page.
func judge(p *wire.Page) verdict {
	n, bad, doubtful := 0, 0, 0
	for i := range p.Chars {
		c := &p.Chars[i]
		if isSpace(c.Rune) {
			continue
		}
		n++
		bad += truth.Int(!isText(c.Rune))
		doubtful += truth.Int(c.Flags&wire.Unmapped != 0)
	}
	switch {
	case n < fewChars && covered(p) >= coverage:
		return unreadable // an image without text
	case n == 0:
		return empty
	case float64(bad) > maxUnmapped*float64(n):
		return unreadable // no Unicode values
	}
	words, wrong := latinWords(p)
	switch {
	case float64(doubtful) > maxUnmapped*float64(n) && (words == 0 || float64(wrong) > maxDoubtful*float64(words)):
		return unreadable // PDFium took the codes of the font for characters, which may be right
	case words >= fewWords && float64(wrong) > maxGarbage*float64(words):
		return unreadable // letters that are no words
	}
	return good
}

// isText reports whether r may be in a text: it is assigned and public. U+0002 is a hyphen.
func isText(r rune) bool {
	switch {
	case r == 2:
		return true
	case r == unicode.ReplacementChar, unicode.IsControl(r):
		return false
	}
	return unicode.IsGraphic(r) && !unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cf, r)
}

// covered returns the sum of the areas of the images as a share of the page.
func covered(p *wire.Page) float64 {
	var sum float64
	for _, b := range p.Images {
		w, h := min(b.X1, p.Width)-max(b.X0, 0), min(b.Y1, p.Height)-max(b.Y0, 0)
		if w > 0 && h > 0 {
			sum += float64(w) * float64(h)
		}
	}
	return sum / (float64(p.Width) * float64(p.Height))
}

// latinWords counts the Latin words of a page of at least four letters, and the ones that cannot
// be words: without vowels, or with capitals inside. Fonts with a wrong Unicode map and failed OCR
// give such words.
func latinWords(p *wire.Page) (words, wrong int) {
	var word []rune
	flush := func() {
		if len(word) >= 4 {
			words++
			wrong += truth.Int(!isWord(word))
		}
		word = word[:0]
	}
	var last wire.Char
	for _, c := range p.Chars {
		if len(word) > 0 && (c.X0-last.X1 > .2*c.Size || c.X0 < last.X0-c.Size) {
			flush()
		}
		last = c
		switch {
		case unicode.Is(unicode.Latin, c.Rune):
			word = append(word, c.Rune)
		case !unicode.IsMark(c.Rune):
			flush()
		}
	}
	flush()
	return words, wrong
}

func isWord(word []rune) bool {
	vowels, inner, upper := 0, 0, 0
	for i, r := range word {
		// Letters outside ASCII are mostly vowels with marks.
		vowels += truth.Int(r > 0x7F || strings.ContainsRune("aeiouyAEIOUY", r))
		upper += truth.Int(unicode.IsUpper(r))
		inner += truth.Int(i > 0 && unicode.IsUpper(r) && unicode.IsLower(word[i-1]))
	}
	return (vowels > 0 || upper == len(word)) && inner < 2
}
