package punkt

import (
	"strings"
	"unicode/utf8"

	"chaffinch/internal/pytext"
)

// token is a word or a mark with its annotations.
type token struct {
	text     string
	kind     string // in lower case, the same for all numbers
	ends     bool   // a sentence ends here
	abbr     bool
	ellipsis bool
}

// tokens splits context into tokens and annotates them by their form (section 3 of the paper).
func (p *Parameters) tokens(context string) []token {
	var out []token
	for _, line := range strings.Split(context, "\n") {
		for i := 0; i < len(line); {
			r, n := utf8.DecodeRuneInString(line[i:])
			if pytext.IsSpace(r) {
				i += n
				continue
			}
			n = tokenLen(line[i:])
			out = append(out, p.first(line[i:i+n]))
			i += n
		}
	}
	return out
}

// tokenLen returns the length of the token at the start of s. s does not begin with white space.
func tokenLen(s string) int {
	if n := manyMarks(s); n > 0 {
		return n
	}
	r, n := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("(\"`{[:;&#*@)}]-,", r) {
		return n // starts no word
	}
	for i := n; i < len(s); {
		if endOfWord(s[i:]) {
			return i
		}
		if s[i] == ',' && (i+1 == len(s) || endOfWord(s[i+1:])) {
			return i
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	return len(s)
}

func endOfWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return pytext.IsSpace(r) || endsWord(r) || manyMarks(s) > 0
}

// manyMarks returns the length of a dash or an ellipsis at the start of s:
// two or more "-", two or more ".", or three or more "." with one space
// between them.
func manyMarks(s string) int {
	if s == "" || s[0] != '-' && s[0] != '.' {
		return 0
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n > 1 {
		return n
	}
	if s[0] == '-' {
		return 0
	}
	end, dots := 1, 1
	for {
		r, k := utf8.DecodeRuneInString(s[end:])
		if k == 0 || !pytext.IsSpace(r) || end+k >= len(s) || s[end+k] != '.' {
			break
		}
		end += k + 1
		dots++
	}
	if dots < 3 {
		return 0
	}
	return end
}

// first returns a token annotated by its form.
func (p *Parameters) first(text string) token {
	low := pytext.Lower(text)
	t := token{text: text, kind: low}
	if isNumber(low) {
		t.kind = number
	}
	switch {
	case text == "." || text == "?" || text == "!":
		t.ends = true
	case len(text) > 1 && strings.Trim(text, ".") == "":
		t.ellipsis = true
	case t.period() && !strings.HasSuffix(text, ".."):
		word := pytext.Lower(text[:len(text)-1])
		if p.Abbreviations[word] || p.Abbreviations[word[strings.LastIndexByte(word, '-')+1:]] {
			t.abbr = true
		} else {
			t.ends = true
		}
	}
	return t
}

// second annotates t using the next token (section 4 of the paper).
func (p *Parameters) second(t, next *token) {
	if !t.period() {
		return
	}
	kind, nextKind, initial := bare(t.kind), next.word(), isInitial(t.text)
	if p.Collocations[[2]string{kind, nextKind}] { // 4.1.2
		t.ends, t.abbr = false, true
		return
	}
	if (t.abbr || t.ellipsis) && !initial { // 4.2
		if p.starts(next) == yes || next.upper() && p.Starters[nextKind] { // 4.1.1, 4.1.3
			t.ends = true
			return
		}
	}
	if initial || kind == number { // 4.3
		switch p.starts(next) {
		case no:
			t.ends, t.abbr = false, true
		case unknown:
			if initial && next.upper() && p.Cases[nextKind]&lower == 0 {
				t.ends, t.abbr = false, true
			}
		}
	}
}

type answer int

const (
	unknown answer = iota
	yes
	no
)

// starts reports by the case of t whether it starts a sentence (4.1.1).
func (p *Parameters) starts(t *token) answer {
	switch t.text {
	case ";", ":", ",", ".", "!", "?":
		return no
	}
	seen := p.Cases[t.word()]
	r, _ := utf8.DecodeRuneInString(t.text)
	switch {
	case pytext.IsUpper(r) && seen&lower != 0 && seen&upperMiddle == 0:
		return yes
	case pytext.IsLower(r) && (seen&upper != 0 || seen&lowerBegin == 0):
		return no
	}
	return unknown
}

func (t *token) period() bool { return strings.HasSuffix(t.text, ".") }

func (t *token) upper() bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return pytext.IsUpper(r)
}

// word returns the kind of t without the period that ends a sentence.
func (t *token) word() string {
	if t.ends {
		return bare(t.kind)
	}
	return t.kind
}

// bare removes a final period.
func bare(kind string) string {
	if len(kind) > 1 {
		return strings.TrimSuffix(kind, ".")
	}
	return kind
}

// isInitial reports whether s is one letter and a period.
func isInitial(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return s[n:] == "." && pytext.IsWord(r) && !pytext.IsDigit(r)
}

// isNumber reports whether s is a number: digits, possibly with periods, commas and hyphens between
// them, and optionally a sign and a point before them.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if s != "" && (s[0] == '.' || s[0] == ',') {
		s = s[1:]
	}
	for i, r := range s {
		if !pytext.IsDigit(r) && (i == 0 || r != ',' && r != '.' && r != '-') {
			return false
		}
	}
	return s != ""
}
