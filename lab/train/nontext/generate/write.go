package generate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// between returns a random number from lo to hi.
func between(r *rand.Rand, lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// common returns a random word, preferring the first of words sorted by frequency.
func common(r *rand.Rand, words []string) string {
	x := r.Float64()
	return words[int(x*x*float64(len(words)))]
}

// space returns the separator of words.
func (m *maker) space() string {
	if m.spaced {
		return " "
	}
	return ""
}

// stop returns the end of a sentence of the language.
func (m *maker) stop() string {
	if m.spaced {
		return ". "
	}
	return "。"
}

func (m *maker) comma() string {
	if m.spaced {
		return ", "
	}
	return "，"
}

// writeUp writes words as a document in one of several ways: with the punctuation of d, with random
// punctuation, or with little.
func (m *maker) writeUp(r *rand.Rand, words []string, d *source) string {
	var gaps []string
	switch r.IntN(5) {
	case 0, 1, 2:
		shift := 0
		if r.IntN(2) == 0 && len(d.units) > len(words) {
			shift = r.IntN(len(d.units) - len(words))
		}
		for i := range words {
			gaps = append(gaps, d.units[(i+shift)%len(d.units)].gap)
		}
	case 3:
		gaps = m.ownMarks(r, len(words))
	default:
		every := between(r, 40, 200)
		for i := range words {
			if gaps = append(gaps, m.space()); (i+1)%every == 0 {
				gaps[i] = "\n"
			}
		}
	}
	return m.join(words, gaps, r.IntN(8) > 0)
}

// ownMarks returns random punctuation.
func (m *maker) ownMarks(r *rand.Rand, n int) (gaps []string) {
	left, lines := between(r, 5, 25), between(r, 2, 9)
	for range n {
		gap := m.space()
		left--
		switch {
		case left <= 0:
			left = between(r, 5, 25)
			gap = m.stop()
			if lines--; lines == 0 {
				gap, lines = strings.TrimSpace(gap)+"\n", between(r, 2, 9)
			}
		case r.IntN(12) == 0:
			gap = m.comma()
		}
		gaps = append(gaps, gap)
	}
	return gaps
}

// join writes words with the text between them. With capitals, sentences begin with a capital and
// names keep theirs.
func (m *maker) join(words, gaps []string, capitals bool) string {
	var b strings.Builder
	begins := true
	for i, w := range words {
		switch {
		case !capitals:
		case begins:
			w = capital(w)
		case isTitle(w) && !m.isName(w):
			w = strings.ToLower(w)
		}
		b.WriteString(w)
		gap := gaps[i]
		if gap == "" && m.spaced && i+1 < len(words) {
			gap = " "
		}
		if i+1 == len(words) && !endsSentence(gap) {
			gap = strings.TrimSpace(m.stop())
		}
		b.WriteString(gap)
		begins = endsSentence(gap)
	}
	return b.String()
}

func (m *maker) isName(w string) bool {
	_, ok := slices.BinarySearch(m.names, w)
	return ok
}

func capital(w string) string {
	c, n := utf8.DecodeRuneInString(w)
	return string(unicode.ToUpper(c)) + w[n:]
}

func wordsOf(units []unit) []string {
	words := make([]string, len(units))
	for i, u := range units {
		words[i] = u.word
	}
	return words
}

// key returns a random keyword or key phrase.
func (m *maker) key(r *rand.Rand, d *source) string {
	words := make([]string, between(r, 1, 3))
	for i := range words {
		words[i] = common(r, m.content)
		if u := pick(r, d.units); r.IntN(2) == 0 && len([]rune(u.word)) > 4 {
			words[i] = strings.ToLower(u.word)
		}
	}
	return strings.Join(words, m.space())
}

func (m *maker) keys(r *rand.Rand, d *source, n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = m.key(r, d)
	}
	return keys
}

// sentence returns a random sentence of the document.
func (d *source) sentence(r *rand.Rand) []unit {
	i := r.IntN(len(d.ends))
	start := 0
	if i > 0 {
		start = d.ends[i-1]
	}
	return d.units[start:d.ends[i]]
}
