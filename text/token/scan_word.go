package token

import (
	"strings"
	"unicode/utf8"
)

// maxChain is the maximum number of bytes of words joined by stops that are scanned.
const maxChain = 256

// word scans a word whose first run of letters and digits is from start to end.
func (s *scanner) word(start, end int) (int, kind) {
	text := s.text
	if end < len(text) && s.rules.literalNext[text[end]] {
		if e := s.literal(start, end); e > 0 {
			return e, wordToken
		}
	}
	for end < len(text) {
		c := text[end]
		if c <= ' ' {
			break
		}
		n := 1
		switch {
		case c == '\'' || c == '-':
		case c == '.':
			return s.stops(start, end)
		case c == '@' || c == '+':
			if e := email(text, start, end); e > 0 {
				return e, symbolToken
			}
			return end, wordToken
		case c == ':':
			if e := url(text, start, end); e > 0 {
				return e, symbolToken
			}
			if !s.rules.colon || end+1 == len(text) {
				return end, wordToken
			}
			if c, _ := classAt(text, end+1); c != lowerLetter {
				return end, wordToken
			}
		case c == '&': // R&D
			if c, _ := classAt(text, end-1); c != upperLetter || end-start > 3 || end+1 == len(text) {
				return end, wordToken
			}
			if c, _ := classAt(text, end+1); c != upperLetter {
				return end, wordToken
			}
		case c == '"':
			if r, _ := utf8.DecodeLastRuneInString(text[:end]); !hebrew(r) {
				return end, wordToken
			}
			if r, _ := utf8.DecodeRuneInString(text[end+1:]); !hebrew(r) {
				return end, wordToken
			}
		case c >= utf8.RuneSelf:
			var r rune
			r, n = utf8.DecodeRuneInString(text[end:])
			switch r {
			case '\u2019', '\u2010', '\u2011', '\u00b7', '\u058a', '\u05f4', '\u05f3', '\u05be':
			default:
				return end, wordToken
			}
		default:
			return end, wordToken
		}
		if !s.wordAt(end + n) {
			break
		}
		end = s.run(end + n)
	}
	return end, wordToken
}

func hebrew(r rune) bool { return r >= 0x5d0 && r <= 0x5ea }

// literal returns the end of a listed word that contains other characters, such as C++. Its
// first run of letters is from start to end. It returns 0 if there is none.
func (s *scanner) literal(start, end int) int {
	if word := s.text[start:end]; len(word) > MaxEntry || word[0] < utf8.RuneSelf && !hasLength(&s.rules.literalBits, word) {
		return 0
	}
	var buf [MaxEntry + 2*utf8.UTFMax]byte
	for _, l := range s.rules.literals[string(folded(buf[:0], s.text[start:end]))] {
		i := end
		for len(l) > 0 && i < len(s.text) {
			r, n := utf8.DecodeRuneInString(s.text[i:])
			key := folded(buf[:0], s.text[i:i+n])
			if r == utf8.RuneError || len(key) > len(l) || string(key) != l[:len(key)] {
				break
			}
			l = l[len(key):]
			i += n
		}
		if l == "" && !s.wordAt(i) {
			return i
		}
	}
	return 0
}

// stops scans a word followed by a full stop at dot.
func (s *scanner) stops(start, dot int) (int, kind) {
	if dot+1 < len(s.text) && s.text[dot+1] == '.' {
		return dot, wordToken // an ellipsis
	}
	if !s.wordAt(dot + 1) {
		return s.stop(start, dot, false)
	}
	// A chain: words joined by stops.
	text := s.text
	chain := scanner{text: text[:min(len(text), start+maxChain)]}
	end, letters, lettersEnd := dot, 0, 0 // number of single letters and their end
	single := oneLetter(text[start+lastJoint(text[start:dot]) : dot])
	if single {
		letters, lettersEnd = 1, dot
	}
	joined := true // whether all words except the first begin in lower case
	for end < len(chain.text) && text[end] == '.' && chain.wordAt(end+1) {
		e := chain.run(end + 1)
		for e < len(chain.text) && text[e] == '-' && chain.wordAt(e+1) {
			e = chain.run(e + 1)
		}
		c, _ := classAt(text, end+1)
		joined = joined && c != upperLetter
		if single = single && oneLetter(text[end+1:e]); single {
			letters, lettersEnd = letters+1, e
		}
		end = e
	}
	if end == start+maxChain {
		s.far = len(text)
	}
	if end > dot && end >= len(chain.text) && end < len(text) {
		return dot, wordToken // too long
	}
	if end < len(text) && (text[end] == '@' || text[end] == '+') {
		if e := email(text, start, end); e > 0 {
			return e, symbolToken
		}
	}
	if e := host(text, start, end); e > 0 {
		return e, symbolToken
	}
	stop := end < len(text) && text[end] == '.' && (end+1 == len(text) || text[end+1] != '.')
	switch {
	case letters > 1 && lettersEnd == end: // U.S.A.
		if stop {
			return s.stop(start, end, true)
		}
		return s.word(start, end)
	case stop && s.rules.meaning(text[start:end])&anyAbbr != 0:
		return s.stop(start, end, false)
	case !stop && s.rules.meaning(text[start:end])&anyAbbr != 0: // prof.ssa
		return end, wordToken
	case letters > 1: // J.R.Smith
		return lettersEnd + 1, wordToken
	case s.rules.meaning(text[start:dot])&anyAbbr != 0 || letters == 1 && !joined: // Dr.Smith
		return dot + 1, wordToken
	case joined && stop:
		return s.stop(start, end, false)
	case joined:
		return end, wordToken
	}
	return dot, wordToken
}

// oneLetter reports whether w is a single letter, possibly with marks.
func oneLetter(w string) bool {
	c, n := classAt(w, 0)
	if c != lowerLetter && c != upperLetter && c != plainLetter {
		return false
	}
	for n < len(w) {
		c, k := classAt(w, n)
		if c != mark || n > 8 {
			return false
		}
		n += k
	}
	return true
}

// stop handles the full stop at dot after the word from start on. It decides whether the stop
// belongs to the token and whether it may end a sentence.
func (s *scanner) stop(start, dot int, acronym bool) (int, kind) {
	word := s.text[start:dot]
	m := s.rules.meaning(word)
	if m == 0 {
		if i := lastJoint(word); i > 0 {
			m = s.rules.meaning(word[i:])
			word = word[i:]
		}
	}
	if m&(anyAbbr|abbrPart) == 0 && !acronym && !oneLetter(word) { // nearly always
		return dot, wordToken
	}
	if m&abbrPart != 0 {
		s.far = len(s.text) // and parts before the word
		whole, more := s.spaced(start, dot)
		if more {
			return dot + 1, wordToken
		}
		if whole != 0 {
			m, acronym = whole, true
		}
	}
	next := ahead(s.text, dot+1)
	s.reads(next)
	initial := !acronym && m&titleAbbr == 0 && oneLetter(word)
	if initial {
		c, _ := classAt(word, 0)
		if initial = c == upperLetter; initial {
			m = 0
		}
	}
	keep := m&(titleAbbr|commonAbbr) != 0 || acronym
	switch {
	case next.class == 0 || next.gap >= lineEnd: // the end
		if keep {
			return dot + 1, abbrEnd
		}
		return dot, wordToken
	case next.continues() && (keep || initial || m&numberAbbr != 0):
		return dot + 1, wordToken
	case m&titleAbbr != 0:
		return dot + 1, wordToken
	case m&numberAbbr != 0 && (next.class == digit || s.roman(next.at)):
		return dot + 1, wordToken
	case keep:
		if s.begins(next.at) {
			return dot + 1, abbrEnd
		}
		return dot + 1, wordToken
	case initial && next.gap != glue && !s.begins(next.at):
		return dot + 1, wordToken
	}
	return dot, wordToken
}

// maxParts is the maximum number of parts of an abbreviation that is written with spaces.
const maxParts = 4

// spaced finds the longest abbreviation that is listed with inner stops and written with spaces
// ("z. B.", "EE. UU."), and that contains the word from start to dot. It returns its meaning
// and reports whether more parts follow.
func (s *scanner) spaced(start, dot int) (m mean, more bool) {
	var starts, ends [2*maxParts - 1]int // of the parts before the word, the word, and the parts after it
	first, last := maxParts-1, maxParts-1
	starts[first], ends[first] = start, dot
	for first > 0 {
		b, e, ok := s.partBefore(starts[first])
		if !ok {
			break
		}
		first--
		starts[first], ends[first] = b, e
	}
	for last < len(starts)-1 {
		b, e, ok := s.partAfter(ends[last])
		if !ok {
			break
		}
		last++
		starts[last], ends[last] = b, e
	}
	const at = maxParts - 1
	size := 0
	for i := first; i <= at; i++ {
		for k := last; k >= at && k > i; k-- {
			if k-i < size || k-i >= maxParts {
				continue
			}
			if found := s.rules.meaningOf(s.text, starts[i:k+1], ends[i:k+1]) & anyAbbr; found != 0 {
				m, more, size = found, k > at, k-i+1
			}
		}
	}
	return m, more
}

// partBefore returns the word before i that is followed by a full stop and spaces. It reports
// whether there is one.
func (s *scanner) partBefore(i int) (start, end int, ok bool) {
	end = i
	for end > 0 && spaceBefore(s.text, end) > 0 {
		end -= spaceBefore(s.text, end)
	}
	if end == i || end == 0 || s.text[end-1] != '.' {
		return 0, 0, false
	}
	end--
	start = end
	for start > 0 && end-start <= MaxEntry {
		r, n := utf8.DecodeLastRuneInString(s.text[:start])
		if c := runeClass(r); !inWord[c] {
			break
		}
		start -= n
	}
	return start, end, start < end && end-start <= MaxEntry
}

// partAfter returns the word after the full stop at dot and spaces. It reports whether there is
// one that ends with a full stop.
func (s *scanner) partAfter(dot int) (start, end int, ok bool) {
	start = dot + 1
	for start < len(s.text) && (s.text[start] == ' ' || strings.HasPrefix(s.text[start:], "\u00a0")) {
		_, n := utf8.DecodeRuneInString(s.text[start:])
		start += n
	}
	if start == dot+1 || !s.wordAt(start) {
		return 0, 0, false
	}
	end = s.run(start)
	return start, end, end-start <= MaxEntry && end < len(s.text) && s.text[end] == '.'
}

// spaceBefore returns the length of the space before text[i], 0 if there is none.
func spaceBefore(text string, i int) int {
	switch {
	case text[i-1] == ' ':
		return 1
	case strings.HasSuffix(text[:i], "\u00a0"):
		return len("\u00a0")
	}
	return 0
}

// lastJoint returns the position after the last apostrophe or hyphen of a word.
func lastJoint(word string) int {
	for i := len(word); i > 0 && len(word)-i <= MaxEntry; {
		r, n := utf8.DecodeLastRuneInString(word[:i])
		if r == '\'' || r == '-' || r == '\u2019' || r == '/' {
			return i
		}
		i -= n
	}
	return 0
}

// begins reports whether the word at i nearly always begins a sentence after an abbreviation.
func (s *scanner) begins(i int) bool {
	end := s.run(i)
	if end > i && end < len(s.text) && s.text[end] == '.' && oneLetter(s.text[i:end]) {
		return false // another initial
	}
	n := joint(s.text[end:])
	return (s.rules.meaning(s.text[i:end])|s.rules.meaning(s.text[i:end+n]))&starter != 0
}

// roman reports whether a Roman numeral is at i.
func (s *scanner) roman(i int) bool {
	end := i
	for end < len(s.text) && end-i < 8 {
		switch s.text[end] {
		case 'I', 'V', 'X', 'L', 'C':
			end++
			continue
		}
		break
	}
	return end > i && !s.wordAt(end)
}

// view is the context after a position.
type view struct {
	at    int
	class class // of the first significant character, such as a letter or digit; 0 at the end
	gap   gap   // the largest white space before it
}

// reads records that the decision about a token depends on the word at v.
func (s *scanner) reads(v view) { s.far = max(s.far, s.run(v.at)+lookBeyond) }

// lookBeyond is the maximum number of bytes after a word that decisions depend on: a full stop, a
// joint or the rest of a Roman numeral.
const lookBeyond = 12

// continues reports whether the sentence certainly continues.
func (v view) continues() bool { return v.class == lowerLetter || v.class == pause }

// ahead finds the first letter or digit of text from i on, skipping quotation marks, brackets and
// dashes.
func ahead(text string, i int) (v view) {
	for range 12 {
		var g gap
		g, v.at = blanksAt(text, i)
		v.gap = max(v.gap, g)
		if v.at == len(text) {
			return v
		}
		c, n := classAt(text, v.at)
		switch c {
		case opening, closing, quote, dash, mark:
			i = v.at + n
			continue
		}
		v.class = c
		return v
	}
	v.class = mixed
	return v
}
