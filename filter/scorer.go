package filter

import (
	"math"
	"strings"
	"unicode/utf8"

	"chaffinch/filter/nontext"
	"chaffinch/filter/pii"
	"chaffinch/text/label"
	"chaffinch/text/token"
)

// Scorer computes the scores of documents, one after the other. It is not safe for concurrent
// use. A [Set] returns any number of scorers.
type Scorer struct {
	set    *Set
	in     Text
	doc    doc
	seen   table
	sums   sums
	again  []int32  // tokens at which a repeated sequence may begin
	longer []int32  // tokens of again whose opening is compared further
	slots  []uint32 // slots of seen, in the order of the lookups
	sieve  sieve
	hashes []uint64      // hashes of the tokens, for sieve
	shared []uint8       // number of bytes from each token on that occur elsewhere
	limits []Limit       // limits of the current group, if only exceeded limits matter
	ends   []int         // ends of the words in lower
	hits   []int         // different phrases of a list in the document, by number
	alnum  []token.Token // tokens that begin with a letter or digit
	found  []bool        // stop words that occur
	out    Result
	// personal data of the document
	personal []pii.Match
	listing  string          // entry that lists the address
	shares   []langShare     // of the languages of lines
	nonText  *nontext.Scorer // nil before the first use
	labels   *label.Scorer   // nil before the first use
	buf      []byte          // text that an edit leaves
	left     []byte          // text of the document, if an edit has left it
	lower    []byte
	phrases  phrase // phrases of c4 that occur in the document
	spare    parts  // buffers for the parts of the next text
}

// Scorer returns a new scorer.
func (s *Set) Scorer() *Scorer {
	return &Scorer{set: s, out: Result{Scores: make([]float64, len(s.names))}}
}

// doc is a document as the groups see it: the text left by the previous groups, and its
// properties.
type doc struct {
	rules    *rulesOf
	tok      *token.Tokenizer
	text     string
	measured // of text; see [doc.measure]
	parts
	tokenized bool // whether lines and words are set
	stale     bool // whether lines and words are set, but words is of the text before an edit

	spans, ends []token.Span // buffers
}

// measured holds properties of a text.
type measured struct {
	known  bool // whether the others are set
	chars  int
	plain  bool // whether all lines end with \n
	gaps   bool // whether the text contains an empty line
	kelvin bool // whether the text contains the Kelvin sign
}

// parts holds the paragraphs, lines and words of a text.
type parts struct {
	paras []para
	lines []line
	words []token.Token
}

func (p *parts) reset() { p.paras, p.lines, p.words = p.paras[:0], p.lines[:0], p.words[:0] }

// para is a line with text, and the index of the input paragraph that it comes from.
type para struct{ start, end, of int }

// line is a non-empty line between two \n.
type line struct {
	start, end int
	from, to   int // its tokens
	sentences  int // number of sentences, -1 if unknown
	moved      int // distance that it moved since it was tokenized
}

// isWord marks a token that does not consist of only punctuation.
const isWord = 1 << 7

// Score computes all scores of t.
func (s *Scorer) Score(t Text) *Result {
	s.begin(t)
	s.limits = nil
	at := 0
	for _, g := range s.set.groups {
		at = s.group(g, at)
	}
	return &s.out
}

// Judge computes the scores of t, group by group, and reports whether t exceeds a limit. It stops
// after the group with the first exceeded limit. Scores of later groups are NaN, as are some
// scores that are certainly within their limits.
func (s *Scorer) Judge(t Text) (r *Result, d Decision, drop bool) {
	s.begin(t)
	at, limits := 0, s.doc.rules.limits
	for _, g := range s.set.groups {
		from := at
		s.limits = limits[from : from+len(g.Scores)]
		at = s.group(g, from)
		if d, drop = s.set.decide(t.Lang, limits, s.out.Scores, from, at); drop {
			break
		}
	}
	return &s.out, d, drop
}

// begin sets t as the current document.
func (s *Scorer) begin(t Text) {
	d := &s.doc
	s.in, d.text = t, t.Whole
	d.rules, d.tok = s.set.rulesOf(t.Lang), token.For(t.Lang)
	d.paras = d.paras[:0]
	for i, p := range t.Paras {
		d.paras = append(d.paras, para{p.Start, p.End, i})
	}
	d.measured = measured{}
	d.tokenized, d.stale = false, false
	s.out.Lines, s.out.Joined = s.out.Lines[:0], s.set.joins
	if s.set.edits {
		for range t.Paras {
			s.out.Lines = append(s.out.Lines, Line{})
		}
	}
	for i := range s.out.Scores {
		s.out.Scores[i] = math.NaN()
	}
}

// group computes the scores of a group, which begin at index from, and returns the index of the
// next group's scores.
func (s *Scorer) group(g *Group, from int) (to int) {
	to = from + len(g.Scores)
	g.score(s, &s.doc, s.out.Scores[from:to])
	return to
}

// tokens returns the tokens of the text. Each line is tokenized as a paragraph, so its tokens
// do not depend on the following text.
func (s *Scorer) tokens(d *doc) []token.Token {
	switch {
	case d.stale:
		s.moveTokens(d)
		fallthrough
	case d.tokenized:
		return d.words
	}
	d.tokenized = true
	d.lines, d.words = d.lines[:0], d.words[:0]
	for start := 0; start < len(d.text); {
		end := len(d.text)
		if k := strings.IndexByte(d.text[start:], '\n'); k >= 0 {
			end = start + k
		}
		if start < end {
			s.tokenize(d, start, end)
		}
		start = end + 1
	}
	return d.words
}

// countTokens returns the number of tokens of the text.
func (s *Scorer) countTokens(d *doc) (n int) {
	if !d.stale {
		return len(s.tokens(d))
	}
	for _, l := range d.lines {
		if l.from < 0 {
			d.words = d.tok.Tokens(d.text, l.start, l.end, d.words[:0])
			n += len(d.words)
		} else {
			n += l.to - l.from
		}
	}
	d.words = d.words[:0] // set by moveTokens
	return n
}

// tokenize adds the line from start to end, and its tokens. Its sentences are counted if rules change
// lines and all scores are needed.
func (s *Scorer) tokenize(d *doc, start, end int) {
	l := line{start: start, end: end, from: len(d.words), sentences: -1}
	if s.set.edits && s.limits == nil {
		d.spans, d.ends = d.tok.Split(d.text[start:end], d.spans[:0], d.ends[:0])
		l.sentences = len(d.ends)
		for _, span := range d.spans {
			chars := utf8.RuneCountInString(d.text[start+span.Start : start+span.End])
			d.words = append(d.words, token.Token{Start: int32(start + span.Start), End: int32(start + span.End), Chars: int32(chars)})
		}
	} else {
		d.words = d.tok.Tokens(d.text, start, end, d.words)
	}
	l.to = len(d.words)
	d.lines = append(d.lines, l)
}

// classOfToken returns the class of a token of text.
func classOfToken(text string, w *token.Token) uint8 {
	if w.Kind == token.OtherToken {
		return classify(text[w.Start:w.End])
	}
	return simpleClasses[text[w.Start]%utf8.RuneSelf]
}

// simpleClasses holds the classes of tokens of known kinds, by their first byte.
var simpleClasses = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		t[c] = classify(string(rune(c)))
	}
	return t
}()

// classify returns the class of a token: the classes of the characters up to the first letter, and
// isWord unless all of them are punctuation.
func classify(token string) (class uint8) {
	for i := 0; i < len(token); {
		var c uint8
		n := 1
		if token[i] < utf8.RuneSelf {
			c = classes.ASCII[token[i]]
		} else {
			var r rune
			r, n = utf8.DecodeRuneInString(token[i:])
			c = classes.At(r)
		}
		if class |= c; c&isAlpha != 0 {
			return class | isWord
		}
		if c&isPunct == 0 {
			class |= isWord
		}
		i += n
	}
	return class
}

// Words calls fn for each token that is not punctuation, in the text that the rules left of the
// last scored document.
func (s *Scorer) Words(fn func(word string)) {
	d := &s.doc
	tokens := s.tokens(d)
	for i := range tokens {
		if w := &tokens[i]; classOfToken(d.text, w)&isWord != 0 {
			fn(d.text[w.Start:w.End])
		}
	}
}
