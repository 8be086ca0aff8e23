package token

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/swar"
	"chaffinch/text/token/segment"
)

// kind is the role of a token at the end of a sentence.
type kind uint8

const (
	wordToken   kind = iota
	numberToken      // with or without letters
	symbolToken      // none of the following
	abbrEnd          // a word with its stop that may also end a sentence
	stopToken        // a full stop that may end a sentence
	strongToken      // ? and !, possibly several
	dotsToken        // an ellipsis
	wideToken        // ends a sentence without a blank after it
	pauseToken
	openToken
	closeToken
	quoteToken
	dashToken
)

// gap is the white space before a token.
type gap uint8

const (
	glue gap = iota // none
	blanks
	lineEnd   // one line ends
	paragraph // an empty line
)

// piece is a token with the data that the sentence splitter needs.
type piece struct {
	start, end int
	kind       kind
	class      class // of its first character
	gap        gap   // before it
}

// maxCuts is the maximum number of positions at which clitics split a word.
const maxCuts = 4

// scanner splits text into tokens from left to right. At each position the first applicable
// rule of docs/explanation/token.md determines the token.
type scanner struct {
	rules *ruleSet
	words *segment.Model // nil for none
	ends  segment.Ends   // ends of words in the current section
	text  string
	pos   int // end of the last token

	cuts      [maxCuts]int // where clitics split the word that ends at pos
	cut, cutn int
	last      kind // kind of the last part of that word
	dead      int  // position of a stop that does not end a sentence
	far       int  // tokens may depend on the text up to here, in addition to white space after them
}

// next finds the next token and reports whether there is one.
func (s *scanner) next(p *piece) bool {
	if s.cut < s.cutn { // the next part of a word with clitics
		p.start, p.end, p.gap, p.kind = p.end, s.cuts[s.cut], glue, wordToken
		p.class, _ = classAt(s.text, p.start)
		if s.cut++; s.cut == s.cutn {
			p.kind = s.last
		}
		return true
	}
	return s.plain(p) || s.other(p)
}

// other finds the next token, after a word with all its parts. It reports whether there is one.
func (s *scanner) other(p *piece) bool {
	p.gap = s.blanks()
	i := s.pos
	if i == len(s.text) {
		return false
	}
	c, n := classAt(s.text, i)
	p.start, p.class = i, c
	s.cut, s.cutn = 0, 0
	if i+1 < len(s.text) && s.text[i+1] == ' ' && s.dead != i+1 {
		if k := s.rules.lone[s.text[i]]; k != wordToken {
			p.end, p.kind, s.pos = i+1, k, i+1
			return true
		}
	}
	switch c {
	case lowerLetter, upperLetter, plainLetter:
		run := s.run(i + n)
		p.end, p.kind = s.word(i, run)
		s.clitics(p, run)
	case digit:
		p.end, p.kind = s.number(i)
	default:
		p.end, p.kind = s.mark(i, n, c, p.gap)
	}
	s.pos = p.end
	if s.cutn > 0 {
		p.end, s.cut = s.cuts[0], 1
		s.last, p.kind = p.kind, wordToken
	}
	return true
}

// plain finds a word of ASCII letters after at most one blank, before bytes that certainly end it,
// as most tokens are. It reports whether there is one, and changes nothing otherwise.
func (s *scanner) plain(p *piece) bool {
	i, g := s.pos, glue
	if i < len(s.text) && s.text[i] == ' ' {
		i, g = i+1, blanks
	}
	end := s.rules.plainWord(s.text, i, len(s.text))
	if end == 0 {
		return false
	}
	c := lowerLetter
	if s.text[i] < 'a' {
		c = upperLetter
	}
	*p = piece{start: i, end: end, kind: wordToken, class: c, gap: g}
	s.pos, s.cut, s.cutn = end, 0, 0
	return true
}

// plainWords appends the tokens that plain finds, and commas after them.
func (s *scanner) plainWords(dst []Span) []Span {
	text, pos, r := s.text, s.pos, s.rules
	for {
		i := pos
		if i < len(text) && text[i] == ' ' {
			i++
		}
		end := r.plainWord(text, i, len(text))
		if end == 0 {
			break
		}
		dst = append(dst, Span{i, end})
		if pos = end; pos+1 < len(text) && text[pos] == ',' && text[pos+1] == ' ' && r.lone[','] == pauseToken {
			dst = append(dst, Span{pos, pos + 1})
			pos++
		}
	}
	if pos > s.pos {
		s.pos, s.cut, s.cutn = pos, 0, 0
	}
	return dst
}

// plainWord returns the end of the word of ASCII letters at i, if it is not listed and the bytes after
// it certainly end it; otherwise 0. The text to divide ends at limit.
func (r *ruleSet) plainWord(text string, i, limit int) int {
	end := i
	for {
		x := uint64(0)
		if end+8 <= len(text) {
			x = swar.Load(text[end:])
		} else {
			x = eightBytes(text, end)
		}
		others := swar.NoLetter(x)
		if others == 0 {
			end += 8
			continue
		}
		end += bits.TrailingZeros64(others) / 8
		break
	}
	end = min(end, limit)
	n := end - i
	if n <= 0 || n <= MaxEntry && r.splitBits[text[i]]>>n&1 != 0 && r.splitSpots.hasLetters(text[i:end]) {
		return 0
	}
	if end == limit {
		return end
	}
	last := text[end]
	switch {
	case r.plainEnd[last]:
	case end+1 < limit && text[end+1] != ' ' || !r.spacedEnd[last]:
		return 0
	case last == '.' && (n == 1 || n <= MaxEntry && r.abbrBits[text[i]]>>n&1 != 0 && r.spots.hasLetters(text[i:end])):
		return 0
	}
	return end
}

// blanks skips white space and returns its kind.
func (s *scanner) blanks() (g gap) {
	g, s.pos = blanksAt(s.text, s.pos)
	return g
}

// blanksAt returns the kind and the end of the white space from i on.
func blanksAt(text string, i int) (g gap, end int) {
	if i+1 < len(text) && text[i] == ' ' && text[i+1] > ' ' && text[i+1] < 0x7f { // nearly always
		return blanks, i + 1
	}
	for i < len(text) {
		c, n := classAt(text, i)
		switch {
		case c == blank:
			g = max(g, blanks)
		case c != newline:
			return g, i
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			// the line feed after it counts
		case g >= lineEnd:
			g = paragraph
		default:
			g = lineEnd
		}
		i += n
	}
	return g, i
}

// wordByte marks the ASCII letters, digits and the underscore.
var wordByte = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = inWord[bmp[c]]
	}
	return t
}()

// run returns the end of the word characters from i on.
func (s *scanner) run(i int) int {
	for text := s.text; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if !wordByte[c] {
				return i
			}
			i++
			continue
		}
		c, n := classAt(text, i)
		if !inWord[c] {
			return i
		}
		i += n
	}
	return i
}

// wordAt reports whether the character at i is a word character other than a mark.
func (s *scanner) wordAt(i int) bool {
	if i >= len(s.text) {
		return false
	}
	if c := s.text[i]; c < utf8.RuneSelf {
		return wordByte[c]
	}
	c, _ := classAt(s.text, i)
	return inWord[c] && c != mark
}

// marks returns the end of the combining characters from i on, including characters joined by a
// zero width joiner.
func (s *scanner) marks(i int) int {
	for i < len(s.text) && s.text[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s.text[i:])
		if runeClass(r) != mark || n == 1 {
			break
		}
		i += n
		if r == zeroWidthJoiner && i < len(s.text) {
			if c, n := classAt(s.text, i); c == picture || c == mixed {
				i += n
			}
		}
	}
	return i
}

const (
	zeroWidthJoiner = '\u200d'
	wordspaces      = "\u1361\u1361" // two Ethiopic wordspaces are equivalent to a full stop
)

// mark scans a token that begins with neither a letter nor a digit.
func (s *scanner) mark(i, n int, c class, g gap) (end int, k kind) {
	text := s.text
	switch c {
	case numeral:
		return s.run(i + n), numberToken
	case mark: // has no base character
		end = s.marks(i)
		if s.wordAt(end) {
			return s.word(i, s.run(end))
		}
		return end, symbolToken
	case han, hiragana, katakana, thai, khmer, myanmar, tibetan:
		if s.words != nil {
			if end = s.segmented(i, n); end > i {
				return end, wordToken
			}
		}
		return s.cluster(i, n, c), wordToken
	case fullStop, strong, dots:
		return s.terminator(i, n, c, g)
	case wideStop:
		end = i + n
		for end < len(text) {
			c, n := classAt(text, end)
			if c != wideStop && c != mark {
				break
			}
			end += n
		}
		return end, wideToken
	case opening:
		if end = s.repeated(i, n); end > i+2 && text[i] == '(' { // (((
			return end, symbolToken
		}
		return s.marks(i + n), openToken
	case closing:
		if end = s.repeated(i, n); end > i+2 && text[i] == ')' { // a smile: )))
			return end, closeToken
		}
		return s.marks(i + n), closeToken
	case quote:
		return s.quote(i, n, g)
	case picture:
		return s.marks(i + n), symbolToken
	case regional:
		if end = i + n; end < len(text) {
			if c, n := classAt(text, end); c == regional {
				end += n
			}
		}
		return end, symbolToken
	case wrong:
		for end = i + 1; end < len(text); end++ {
			if c, _ := classAt(text, end); c != wrong {
				break
			}
		}
		return end, symbolToken
	}
	if end = s.web(i, g); end > 0 {
		return end, symbolToken
	}
	if (c == dash || text[i] == '+') && g != glue && i+n < len(text) && bmp[text[i+n]] == digit {
		return s.number(i + n) // a sign
	}
	k = symbolToken
	switch {
	case text[i] == s.rules.ends && (i+n == len(text) || text[i+n] != text[i] && !s.wordAt(i+n)):
		k = strongToken
	case c == dash:
		k = dashToken
	case c == pause:
		k = pauseToken
	case strings.HasPrefix(text[i:], wordspaces):
		return i + len(wordspaces), wideToken
	}
	end = s.repeated(i, n)
	if k == pauseToken && end == i+2 && text[i:end] == ",," { // ,,low quotes''
		k = openToken
	}
	return s.marks(end), k
}

// repeated returns the end of the run of the character of n bytes at i.
func (s *scanner) repeated(i, n int) int {
	end := i + n
	for end+n <= len(s.text) && s.text[end:end+n] == s.text[i:i+n] {
		end += n
	}
	return end
}

// quote scans a quotation mark, two of the same kind, a short form such as 's, or a year such
// as '90.
func (s *scanner) quote(i, n int, g gap) (end int, k kind) {
	end = i + n
	if end < len(s.text) && (s.text[i] == '\'' || s.text[i] == '`') && s.text[end] == s.text[i] {
		return end + 1, quoteToken
	}
	if c := s.text[i]; (c == '\'' || c >= utf8.RuneSelf) && s.wordAt(end) {
		if r, _ := utf8.DecodeRuneInString(s.text[i:]); r == '\'' || r == '\u2019' || r == '\u2018' {
			if e := s.run(end); e+1 < len(s.text) && s.text[e] == '-' { // 's-Gravenhage
				s.far = max(s.far, e+2)
				if e = s.run(e + 1); e-i <= MaxEntry && s.rules.meaning(s.text[i:e])&wholeWord != 0 {
					return e, wordToken
				}
			}
			if e := s.run(end); e-i <= MaxEntry && s.rules.meaning(s.text[i:e])&wholeWord != 0 && !s.wordAt(e) {
				return e, wordToken
			}
			if d := s.digits(end); d == end+2 && r != '\u2018' && (g != glue || i == 0) && (!s.wordAt(d) || s.text[d] == 's' && !s.wordAt(d+1)) {
				return s.run(d), numberToken
			}
		}
	}
	return s.marks(end), quoteToken
}

// terminator scans full stops, question marks, exclamation marks and ellipses.
func (s *scanner) terminator(i, n int, c class, g gap) (end int, k kind) {
	end = i + n
	if c == fullStop && g != glue && end < len(s.text) && s.text[i] == '.' {
		if e := s.run(end); e > end && e-end <= 8 { // .net
			return e, wordToken
		}
	}
	any := c == strong
	for end < len(s.text) {
		c, n := classAt(s.text, end)
		if c != fullStop && c != strong && c != dots && c != mark {
			break
		}
		any = any || c == strong
		end += n
	}
	switch {
	case any:
		return end, strongToken
	case c == dots || end > i+n:
		return end, dotsToken
	case s.dead == i+1:
		return end, symbolToken
	}
	return end, stopToken
}
