package token

import "unicode/utf8"

// splitter finds sentences in a sequence of tokens.
type splitter struct {
	scan    scanner // no pointer, so that it stays on the stack
	wrapped bool    // treat a single line break as a blank
	out     []Span

	start, end int // of the current sentence
	tokens     int // number of tokens in it
	pending    kind
	waiting    bool // a sentence may have ended with a token of kind pending
	lower      bool // the sentence begins with a small letter
	listItem   bool // its first token may be the number of a list item
	quotes     int  // number of straight quotation marks in it
	reference  bool // inside a reference such as [12] after the end
}

// plainWords appends and processes plain words and commas inside a sentence.
func (t *splitter) plainWords(dst []Span) []Span {
	if !t.inside() {
		return dst
	}
	n := len(dst)
	if dst = t.scan.plainWords(dst); len(dst) > n {
		t.tokens += len(dst) - n
		t.end = t.scan.pos
	}
	return dst
}

// inside reports whether a word certainly continues the sentence.
func (t *splitter) inside() bool { return t.tokens > 0 && !t.waiting && t.scan.cut == t.scan.cutn }

// next finds and processes the next token, after plainWords. It reports whether there is one.
func (t *splitter) next(p *piece) bool {
	found := false
	if t.inside() {
		found = t.scan.other(p)
	} else {
		found = t.scan.next(p)
	}
	if found {
		t.push(p)
	}
	return found
}

// push processes the next token.
func (t *splitter) push(p *piece) {
	if t.tokens > 0 && t.cuts(p) {
		t.flush()
	}
	if t.tokens == 0 {
		t.start, t.waiting, t.reference, t.quotes = p.start, false, false, 0
		t.lower = p.class == lowerLetter
		t.listItem = p.kind == numberToken && p.end-p.start <= 3 || p.kind == wordToken && oneLetter(t.scan.text[p.start:p.end])
	}
	t.tokens++
	t.end = p.end
	if p.kind == quoteToken && t.scan.text[p.start] == '"' {
		t.quotes++
	}
	switch p.kind {
	case abbrEnd, stopToken, strongToken, dotsToken, wideToken:
		t.waiting, t.pending = true, p.kind
		if t.listItem && t.tokens == 2 && p.kind == stopToken { // 1.
			t.waiting = false
		}
	}
}

// flush ends the sentence.
func (t *splitter) flush() {
	if t.tokens > 0 {
		t.out = append(t.out, Span{t.start, t.end})
	}
	t.tokens = 0
}

// cuts reports whether a sentence ends before p.
func (t *splitter) cuts(p *piece) bool {
	if p.gap == paragraph || p.gap == lineEnd && !t.wrapped {
		return true
	}
	if !t.waiting {
		return false
	}
	if t.absorbs(p) {
		return false
	}
	t.waiting = false
	if p.gap == glue {
		return t.cutsGlued(p)
	}
	switch p.kind {
	case pauseToken, closeToken, stopToken, strongToken, dotsToken, wideToken:
		return false
	case wordToken, numberToken, abbrEnd:
		return t.begins(p.class, p.start)
	}
	v := ahead(t.scan.text, p.start)
	switch v.class {
	case pause:
		return p.kind == openToken || p.kind == dashToken
	case 0:
		return true
	}
	return t.begins(v.class, v.at)
}

// begins reports whether a word that begins at i with a character of class c may begin a
// sentence.
func (t *splitter) begins(c class, i int) bool {
	if c != lowerLetter {
		return true
	}
	if t.lower && t.pending != dotsToken { // the text is written in lower case
		return true
	}
	_, n := utf8.DecodeRuneInString(t.scan.text[i:])
	if i+n < len(t.scan.text) {
		if c, _ := classAt(t.scan.text, i+n); c == upperLetter { // iPhone
			return true
		}
	}
	return t.pending == wideToken
}

// cutsGlued reports whether a sentence ends before p, a token without preceding white space.
func (t *splitter) cutsGlued(p *piece) bool {
	switch t.pending {
	case wideToken:
		return p.kind != pauseToken
	case strongToken:
		return p.class == upperLetter || p.class == han || p.class == hiragana || p.class == katakana || p.kind == openToken && p.class == opening && p.end-p.start > 1
	case stopToken:
		return p.class == han || p.class == hiragana || p.class == katakana
	}
	return false
}

// absorbs reports whether p, after the end of a sentence, still belongs to the sentence: a
// closing bracket, a quotation mark, or the number of a note.
func (t *splitter) absorbs(p *piece) bool {
	text := t.scan.text
	if t.reference {
		t.reference = p.kind != closeToken
		return true
	}
	switch p.kind {
	case symbolToken:
		return p.class == mark // a directional mark
	case closeToken:
		return true
	case stopToken, strongToken, dotsToken, wideToken:
		return p.gap == glue
	case openToken:
		if text[p.start] == '[' && reference(text[p.start:]) {
			t.reference = true
			return true
		}
	case quoteToken:
		return t.closes(p)
	}
	return false
}

// reference reports whether text begins with the number of a note: [12].
func reference(text string) bool {
	for i := 1; i < len(text) && i < 6; i++ {
		if text[i] == ']' {
			return i > 1
		}
		if !asciiAlnum[text[i]&0x7f] || text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return false
}

// closes reports whether the quotation mark p, after the end of a sentence, is a closing one.
func (t *splitter) closes(p *piece) bool {
	text := t.scan.text
	r, _ := utf8.DecodeRuneInString(text[p.start:])
	inner := false // a word follows directly
	if p.end < len(text) {
		c, _ := classAt(text, p.end)
		inner = inWord[c] || c == han || c == hiragana || c == katakana || c == opening
	}
	if p.gap == glue {
		return !inner || r != '\u201c' && r != '\u2018' && r != '\u00ab'
	}
	if inner {
		return false
	}
	return r == '\u00bb' || r == '\u201d' || text[p.start:p.end] == "''" || r == '"' && t.quotes%2 == 1
}
