package align

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// Share is the number of words of a piece of a page (a block or a line) and how many of them are in
// the gold text.
type Share struct{ Words, Gold int }

// Fraction returns the fraction of the words that are in the gold text, 0 without words.
func (s Share) Fraction() float32 {
	if s.Words == 0 {
		return 0
	}
	return float32(s.Gold) / float32(s.Words)
}

// Shares aligns the pieces of a page, in page order, with its gold text and returns the share of
// each. A word counts as gold if it belongs to a longest common subsequence of the page and the
// gold text. reach is the fraction of the gold words in that subsequence, 0 for an empty gold text.
// Words are runs of letters and digits in lower case; in scripts without spaces they are single
// characters.
func Shares(pieces []string, gold string) (shares []Share, reach float32) {
	return NewPieces(pieces, gold).Shares(false)
}

// Pieces holds the words of the pieces of a page and of its gold text.
type Pieces struct {
	words, gold []int32
	count       []int // words of each piece
}

// NewPieces reads the words of the pieces of a page and of its gold text.
func NewPieces(pieces []string, gold string) *Pieces {
	var v Vocabulary
	a := &Pieces{count: make([]int, len(pieces))}
	for i, text := range pieces {
		n := len(a.words)
		a.words = appendWords(a.words, &v, text)
		a.count[i] = len(a.words) - n
	}
	a.gold = appendWords(nil, &v, gold)
	return a
}

// Shares returns the share of each piece and the reach, like the function [Shares]. Of several
// longest common subsequences it uses one early in the page, or with late one late in the page.
func (a *Pieces) Shares(late bool) (shares []Share, reach float32) {
	var hit []bool
	if late {
		hit = Common(reversed(a.words), reversed(a.gold))
		slices.Reverse(hit)
	} else {
		hit = Common(a.words, a.gold)
	}
	shares = make([]Share, len(a.count))
	all, from := 0, 0
	for i := range shares {
		s := &shares[i]
		s.Words = a.count[i]
		for _, h := range hit[from : from+s.Words] {
			if h {
				s.Gold++
			}
		}
		all += s.Gold
		from += s.Words
	}
	return shares, float32(all) / float32(max(1, len(a.gold)))
}

func reversed(s []int32) []int32 {
	out := slices.Clone(s)
	slices.Reverse(out)
	return out
}

func appendWords(dst []int32, v *Vocabulary, text string) []int32 {
	text = strings.ToLower(text)
	from := -1
	for i, r := range text {
		inWord, single := wordRune(r)
		if from >= 0 && !inWord {
			dst = append(dst, v.ID(text[from:i]))
			from = -1
		}
		switch {
		case single:
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

// wordRune reports whether r belongs to a word, and whether it is a word alone. Marks of scripts
// without spaces are both: they do not end a word.
func wordRune(r rune) (inWord, single bool) {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' || 'A' <= r && r <= 'Z', false
	}
	if runes.IsUnspaced(r) {
		return unicode.IsMark(r), true
	}
	return runes.IsWord(r), false
}
