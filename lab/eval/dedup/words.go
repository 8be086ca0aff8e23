package dedup

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"

	"github.com/zeebo/xxh3"
)

// piece is a word and the text between it and the next word.
type piece struct{ word, gap string }

func wordRune(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return runes.IsWord(r)
}

// pieces cuts text into words, runs of letters, digits and marks; in scripts
// without spaces each letter is one. The first piece may have no word. Together
// they are the text.
func pieces(text string) []piece {
	out := make([]piece, 0, len(text)/6+1)
	for i := 0; i < len(text); {
		start := i
		for i < len(text) {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !wordRune(r) || i > start && unspaced(r) {
				break
			}
			i += n
			if unspaced(r) {
				break
			}
		}
		end := i
		for i < len(text) {
			r, n := utf8.DecodeRuneInString(text[i:])
			if wordRune(r) {
				break
			}
			i += n
		}
		out = append(out, piece{text[start:end], text[end:i]})
	}
	return out
}

// unspaced reports whether a letter is of a script without spaces between words.
func unspaced(r rune) bool {
	return r >= 0xe00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// join is the inverse of pieces.
func join(ps []piece) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.word)
		b.WriteString(p.gap)
	}
	return b.String()
}

// count returns the number of words of a text.
func count(text string) (n int) {
	for _, p := range pieces(text) {
		if p.word != "" {
			n++
		}
	}
	return n
}

// ngramWords is the length of the n-grams that the truth goes by.
const ngramWords = 5

// shingles returns the hashes of the n-grams of words in the texts of a
// document, across the boundaries of paragraphs, in lower case and without
// punctuation. A document with fewer words is one n-gram.
func shingles(texts []string) []uint64 {
	var words []uint64
	for _, t := range texts {
		for _, p := range pieces(t) {
			if p.word != "" {
				words = append(words, xxh3.HashString(folded(p.word)))
			}
		}
	}
	if len(words) == 0 {
		return nil
	}
	n := min(ngramWords, len(words))
	out := make([]uint64, 0, len(words)-n+1)
	for i := 0; i+n <= len(words); i++ {
		h := uint64(n)
		for _, w := range words[i : i+n] {
			h = (h ^ w) * 0x9e3779b97f4a7c15
			h ^= h >> 32
		}
		out = append(out, h)
	}
	return out
}

// folded returns a word without regard to case; Greek sigma has two small ones.
func folded(word string) string {
	return strings.ReplaceAll(strings.ToLower(word), "ς", "σ")
}

// sampled keeps one in eight hashes, the same ones in every text.
func sampled(hashes []uint64) []uint64 {
	return slices.DeleteFunc(hashes, func(h uint64) bool { return h&7 != 0 })
}
