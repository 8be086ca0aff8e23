package align

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// Share is how much of a piece of a page, a block or a line, stands in the gold.
type Share struct{ Words, Gold int }

// Of returns the share of the words, 0 without words.
func (s Share) Of() float32 {
	if s.Words == 0 {
		return 0
	}
	return float32(s.Gold) / float32(s.Words)
}

// Shares aligns the pieces of a page, in page order, with its gold text and
// returns the share of each: its words that stand in a longest common
// subsequence of the page and the gold. reach is the share of the gold's words
// that do, 0 for an empty gold. Words are runs of letters and digits in lower
// case, single characters in scripts without spaces.
func Shares(pieces []string, gold string) (shares []Share, reach float32) {
	return NewPieces(pieces, gold).Shares(false)
}

// Pieces are the words of a page's pieces and of its gold.
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

// Shares returns the share of each piece. Of several longest common
// subsequences one early in the page is taken, or one late in it.
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

// appendWords appends the words of text.
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

// wordRune tells whether r belongs to a word, and whether it is one alone. Marks
// of scripts without spaces are both: they end no word.
func wordRune(r rune) (inWord, single bool) {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' || 'A' <= r && r <= 'Z', false
	}
	if runes.IsUnspaced(r) {
		return unicode.IsMark(r), true
	}
	return runes.IsWord(r), false
}
