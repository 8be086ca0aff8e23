package blocks

import (
	"strings"
	"unicode"

	"chaffinch/internal/align"
	"chaffinch/page"
)

// shares returns for each block of p the share of its words that stand in a
// longest common subsequence of the page and the text.
func shares(p *page.Page, text string) []float32 {
	var v align.Vocabulary
	var words []int32
	ends := make([]int, len(p.Blocks))
	for i := range p.Blocks {
		words = appendWords(words, &v, p.Blocks[i].Text)
		ends[i] = len(words)
	}
	hit := align.Common(words, appendWords(nil, &v, text))
	out := make([]float32, len(ends))
	from := 0
	for i, to := range ends {
		n := 0
		for _, h := range hit[from:to] {
			if h {
				n++
			}
		}
		if to > from {
			out[i] = float32(n) / float32(to-from)
		}
		from = to
	}
	return out
}

// appendWords appends the words of text in lower case: runs of letters and
// digits, single characters in scripts without blanks.
func appendWords(dst []int32, v *align.Vocabulary, text string) []int32 {
	text = strings.ToLower(text)
	from := -1
	for i, r := range text {
		c := classOf(r)
		inWord := c == classLower || c == classUpper || c == classDigit || r == '_' || unicode.IsMark(r)
		if from >= 0 && !inWord {
			dst = append(dst, v.ID(text[from:i]))
			from = -1
		}
		switch {
		case c == classUnspaced:
			dst = append(dst, v.ID(string(r)))
		case from < 0 && inWord:
			from = i
		}
	}
	if from >= 0 {
		dst = append(dst, v.ID(text[from:]))
	}
	return dst
}
