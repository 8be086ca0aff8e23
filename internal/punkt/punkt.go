// Package punkt finds the ends of sentences with Punkt (Kiss and Strunk, Unsupervised multilingual
// sentence boundary detection, Computational Linguistics 32, 2006). It uses the tokens and the
// later additions of NLTK 3.10, which published ROUGE-LSum scores are based on. [English] returns
// the parameters and [Parameters.Split] splits text.
package punkt

import (
	"strings"
	"unicode/utf8"

	"chaffinch/internal/pytext"
)

// Parameters are the parameters that Punkt learns from running text. Words are in lower case and
// without their final period.
type Parameters struct {
	// Abbreviations holds words after which a period does not end a sentence.
	Abbreviations map[string]bool
	// Collocations holds pairs of a word with a period and the next word between which no sentence
	// ends.
	Collocations map[[2]string]bool
	// Starters holds words that often start a sentence.
	Starters map[string]bool
	// Cases holds the contexts in which a word occurs with each case.
	Cases map[string]Case
}

// Case is a set of contexts in which a word occurs, by the case of its first letter.
type Case uint8

// The contexts: at the start of a sentence, inside a sentence, unknown.
const (
	upperBegin Case = 1 << (iota + 1)
	upperMiddle
	upperUnknown
	lowerBegin
	lowerMiddle
	lowerUnknown

	upper = upperBegin | upperMiddle | upperUnknown
	lower = lowerBegin | lowerMiddle | lowerUnknown
)

// number is the type of all numeric tokens.
const number = "##number##"

// Span is a range of text in bytes.
type Span struct{ Start, End int }

// Split returns the sentences of text in order. White space between sentences belongs to neither.
func (p *Parameters) Split(text string) []Span {
	var raw []Span
	start := 0
	p.contexts(text, func(end, next int, context string) {
		if p.breaks(context) {
			raw = append(raw, Span{start, end})
			start = next
		}
	})
	raw = append(raw, Span{start, len(pytext.StripRight(text))})
	return realign(text, raw)
}

// contexts calls fn for each position where a sentence may end: after a . ? or ! that is followed
// by punctuation or by white space and a word. end is the offset after the mark, next the offset at
// which the next sentence would start. context is the word before the mark, the mark, and the word
// after it. Of several marks at the end of one word only the last counts.
func (p *Parameters) contexts(text string, fn func(end, next int, context string)) {
	word := Span{}           // the word before the pending mark
	var end, next, after int // of the pending mark
	waiting := false
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '.' && c != '?' && c != '!' {
			continue
		}
		next2, after2, ok := following(text, i+1)
		if !ok {
			continue
		}
		from := word.Start
		if k := strings.LastIndexAny(text[word.End:i], " \t\n\r\v\f"); k > 0 {
			from = word.End + k + 1
		}
		if waiting && word.End <= from {
			fn(end, next, text[word.Start:after])
		}
		waiting, word = true, Span{from, i}
		end, next, after = i+1, next2, after2
	}
	if waiting {
		fn(end, next, text[word.Start:after])
	}
}

// following examines the text after a mark that ends at i. after is the end of the context, next
// the start of a new sentence.
func following(text string, i int) (next, after int, ok bool) {
	r, n := utf8.DecodeRuneInString(text[i:])
	if n == 0 {
		return 0, 0, false
	}
	if endsWord(r) {
		return i, i + n, true
	}
	if !pytext.IsSpace(r) {
		return 0, 0, false
	}
	next = i + strings.IndexFunc(text[i:], func(r rune) bool { return !pytext.IsSpace(r) })
	if next < i {
		return 0, 0, false
	}
	if k := strings.IndexFunc(text[next:], pytext.IsSpace); k >= 0 {
		return next, next + k, true
	}
	return next, len(text), true
}

// endsWord reports whether r cannot occur within a word.
func endsWord(r rune) bool {
	switch r {
	case ')', '"', ';', '}', ']', '*', ':', '@', '\'', '(', '{', '[', '‘', '’', '“', '”', '«', '»', '?', '!':
		return true
	}
	return false
}

// realign moves closing quotes and brackets from the start of a sentence to the end of the previous
// one.
func realign(text string, raw []Span) []Span {
	var out []Span
	moved := 0
	for i, s := range raw {
		s.Start += moved
		moved = 0
		if i+1 < len(raw) {
			if closed, n := closing(text[raw[i+1].Start:raw[i+1].End]); n > 0 {
				s.End = raw[i+1].Start + closed
				moved = n
				out = append(out, s)
				continue
			}
		}
		if s.Start < s.End {
			out = append(out, s)
		}
	}
	return out
}

// closing returns the length of the closing marks at the start of s, and the length including the
// white space after them. Both are 0 if other text follows.
func closing(s string) (closed, n int) {
	for closed < len(s) {
		r, k := utf8.DecodeRuneInString(s[closed:])
		switch r {
		case '"', '\'', ')', ']', '}', '‘', '’', '“', '”', '«', '»':
			closed += k
		default:
			return 0, 0
		}
		rest := s[closed:]
		blank := len(rest) - len(strings.TrimLeftFunc(rest, pytext.IsSpace))
		if rest == "" || blank > 0 || strings.HasPrefix(rest, "--") {
			return closed, closed + blank
		}
	}
	return 0, 0
}

// breaks reports whether a sentence ends within context before its last token.
func (p *Parameters) breaks(context string) bool {
	tokens := p.tokens(context)
	for i := range tokens {
		t := &tokens[i]
		if i+1 == len(tokens) {
			return false
		}
		p.second(t, &tokens[i+1])
		if t.ends {
			return true
		}
	}
	return false
}
