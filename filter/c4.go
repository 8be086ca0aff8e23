package filter

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/pytext"
	"chaffinch/internal/swar"
)

// C4Config configures the group c4, except for its limits.
type C4Config struct {
	// TerminalPunctuation drops lines that do not end in . ? ! " or ', and lines that end in an
	// ellipsis. FineWeb does not use it.
	TerminalPunctuation bool `json:"terminal_punctuation"`
	// MinWordsPerLine drops lines with fewer words, separated by white space.
	MinWordsPerLine int `json:"min_words_per_line"`
	// MaxWordLength drops lines with a longer word, in characters. 0 means no limit.
	MaxWordLength int `json:"max_word_length"`
	// Citations removes marks such as [12], [edit] and [citation needed] from lines.
	Citations bool `json:"citations"`
	// JavaScript drops lines that mention it. Policies drops lines about cookies, privacy and
	// terms of use.
	JavaScript bool `json:"javascript"`
	Policies   bool `json:"policies"`
}

// DefaultC4 holds the published settings.
var DefaultC4 = C4Config{TerminalPunctuation: true, MinWordsPerLine: 3, MaxWordLength: 1000, Citations: true, JavaScript: true, Policies: true}

// The reasons for dropping lines, in the order of the tests.
const (
	lineLongWord   = "long_word"
	lineNoEnd      = "no_terminal_punctuation"
	lineFewWords   = "few_words"
	lineJavaScript = "javascript"
	linePolicy     = "policy"
)

// phrase is a set of phrases to search for.
type phrase uint8

const (
	loremIpsum phrase = 1 << iota
	javaScript
	policy
	cookies
	allPhrases = 1<<iota - 1
)

// phrases holds the texts of each phrase, in lower case, and the place of the three bytes that the
// search looks for. They are rare in most languages.
var phrases = [...]struct {
	phrase phrase
	text   string
	at     int
}{
	{loremIpsum, "lorem ipsum", 4}, {javaScript, "javascript", 0},
	{policy, "terms of use", 7}, {policy, "privacy policy", 6},
	{cookies, "cookie policy", 3}, {cookies, "uses cookies", 8}, {cookies, "use of cookies", 10}, {cookies, "use cookies", 7},
}

// kelvin is the only character besides ASCII letters whose lower case is an ASCII letter, k.
const kelvin = '\u212a'

// find returns the phrases of a set that occur in text, in any case.
func find(of phrase, text string) (found phrase) {
	if of == 0 {
		return 0
	}
	return findASCII(of, strings.ReplaceAll(text, string(kelvin), "k"))
}

// findASCII is find for a text without the Kelvin sign. It searches for the three bytes of all phrases
// at once.
func findASCII(of phrase, text string) (found phrase) {
	i := 0
	for ; i+10 <= len(text) && found != of; i += 8 {
		x, y, z := swar.Load(text[i:])|0x20*swar.Ones, swar.Load(text[i+1:])|0x20*swar.Ones, swar.Load(text[i+2:])|0x20*swar.Ones
		hits := three(x^'m'*swar.Ones, y^' '*swar.Ones, z^'i'*swar.Ones) | three(x^'j'*swar.Ones, y^'a'*swar.Ones, z^'v'*swar.Ones) | three(x^'f'*swar.Ones, y^' '*swar.Ones, z^'u'*swar.Ones)
		hits |= three(x^'y'*swar.Ones, y^' '*swar.Ones, z^'p'*swar.Ones) | three(x^'k'*swar.Ones, y^'i'*swar.Ones, z^'e'*swar.Ones)
		for ; hits != 0; hits &= hits - 1 {
			found |= phraseAt(of&^found, text, i+bits.TrailingZeros64(hits)/8)
		}
	}
	for ; i < len(text) && found != of; i++ {
		found |= phraseAt(of&^found, text, i)
	}
	return found
}

// three sets the top bit of the first byte that is 0 in x, y and z, and possibly of later bytes.
func three(x, y, z uint64) uint64 { return swar.Find(x|y|z, 0) }

// phraseAt returns the phrases of a set whose three bytes are at i in text.
func phraseAt(of phrase, text string, i int) (found phrase) {
	for k := range phrases {
		p := &phrases[k]
		if from := i - p.at; p.phrase&of != 0 && text[i]|0x20 == p.text[p.at] && from >= 0 && from+len(p.text) <= len(text) && equalFold(text[from:], p.text) {
			found |= p.phrase
		}
	}
	return found
}

// equalFold reports whether text begins with lower in any case.
func equalFold(text, lower string) bool {
	for i := range len(lower) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// c4 computes the scores of the group c4, marks lines, and passes the kept lines on to the
// following groups.
func c4(s *Scorer, d *doc, out []float64) {
	clear(out)
	if s.set.afterEdits { // kept lines keep their tokens
		s.tokens(d)
	}
	if s.phrases = allPhrases; !d.measure().kelvin {
		s.phrases = findASCII(allPhrases, d.text)
	}
	s.edit(d, "c4", d.cutLine, func(text string, was *line) (string, string) { return s.c4Line(d, text, was, out) })
}

// c4Line returns the kept part of a line, and the rule that drops it. was holds the tokens of
// the line, which become invalid if a part is removed.
func (s *Scorer) c4Line(d *doc, text string, was *line, out []float64) (left, why string) {
	cfg := &s.set.c4
	left = trim(text)
	if cfg.MaxWordLength > 0 && longerWord(left, cfg.MaxWordLength) {
		return left, lineLongWord
	}
	enough := words(left, cfg.MinWordsPerLine)
	phrases := s.phrases
	if cfg.Citations {
		n := len(left)
		if left = s.withoutCitations(left); len(left) < n {
			phrases = allPhrases // removing a citation may form new phrases
		}
	}
	if cfg.TerminalPunctuation && (left == "" || strings.IndexByte(".?!\"'", left[len(left)-1]) < 0 || strings.HasSuffix(left, "...")) {
		return left, lineNoEnd
	}
	if !enough {
		return left, lineFewWords
	}
	phrases = find(phrases, left)
	if phrases&loremIpsum != 0 {
		out[0]++
	}
	if cfg.JavaScript && phrases&javaScript != 0 {
		return left, lineJavaScript
	}
	if strings.IndexByte(left, '{') >= 0 {
		out[1]++
	}
	if cfg.Policies && phrases&(policy|cookies) != 0 {
		return left, linePolicy
	}
	if len(left) < len(text) {
		was.from, was.sentences = -1, -1
	}
	if s.reached(2, out[2]) {
		return left, ""
	}
	if was.sentences < 0 {
		d.spans = d.tok.Sentences(left, d.spans[:0])
		was.sentences = len(d.spans)
	}
	out[2] += float64(max(1, was.sentences))
	return left, ""
}

// words reports whether a line has at least n words as split by Python's str.split.
func words(line string, n int) bool {
	in := false
	for i := 0; i < len(line) && n > 0; {
		space, size := false, 1
		if c := line[i]; c < utf8.RuneSelf {
			space = pytext.IsSpace(rune(c))
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(line[i:])
			space = pytext.IsSpace(r)
		}
		if !space && !in {
			n--
		}
		in = !space
		i += size
	}
	return n <= 0
}

// longerWord reports whether a line has a word of more than n characters.
func longerWord(line string, n int) bool {
	for rest := line; len(rest) > n; {
		k := strings.LastIndexByte(rest[:n+1], ' ')
		if k < 0 { // rare
			return longest(line) > n
		}
		rest = rest[k+1:]
	}
	return false
}

// longest returns the length in characters of the longest word of a line.
func longest(line string) (longest int) {
	chars := 0
	for _, r := range line {
		if chars++; pytext.IsSpace(r) {
			chars = 0
		}
		longest = max(longest, chars)
	}
	return longest
}

// withoutCitations removes [digits], [edit] and [citation needed] from a line.
func (s *Scorer) withoutCitations(line string) string {
	i := strings.IndexByte(line, '[')
	if i < 0 {
		return line
	}
	s.lower = append(s.lower[:0], line[:i]...)
	for i < len(line) {
		n := citation(line[i:])
		if n == 0 {
			n = strings.IndexByte(line[i+1:], '[') + 1
			if n == 0 {
				n = len(line) - i
			}
			s.lower = append(s.lower, line[i:i+n]...)
		} else if k := strings.IndexByte(line[i+n:], '['); k != 0 {
			if k < 0 {
				k = len(line) - i - n
			}
			s.lower = append(s.lower, line[i+n:i+n+k]...)
			n += k
		}
		i += n
	}
	if len(s.lower) == len(line) {
		return line
	}
	return string(s.lower)
}

// citation returns the length of the citation mark at the start of text, 0 if there is none.
// text starts with [.
func citation(text string) int {
	for _, c := range []string{"[edit]", "[citation needed]"} {
		if strings.HasPrefix(text, c) {
			return len(c)
		}
	}
	for i, r := range text[1:] {
		if r == ']' {
			return i + 2
		}
		if !pytext.IsDigit(r) {
			return 0
		}
	}
	return 0
}

// lowered returns eight ASCII bytes with letters in lower case.
func lowered(x uint64) uint64 {
	return x | swar.Within(x, 'A', 'Z')>>2
}

// appendLower appends s with ASCII letters in lower case. It also maps the Kelvin sign to k,
// the only other character with a single ASCII character as its lower case.
func appendLower(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		for len(s)-i >= 8 {
			x := swar.Load(s[i:])
			if x&swar.Tops != 0 {
				break
			}
			dst = binary.LittleEndian.AppendUint64(dst, lowered(x))
			i += 8
		}
		if i == len(s) {
			break
		}
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c == 0xe2 && strings.HasPrefix(s[i:], "\u212a"):
			c = 'k'
			i += len("\u212a") - 1
		}
		dst = append(dst, c)
	}
	return dst
}
