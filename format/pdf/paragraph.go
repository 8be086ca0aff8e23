package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/truth"
)

// paragraph is a sequence of lines that are one block of text.
type paragraph struct {
	lines   []*line
	name    string // element: p, h1 to h6, li, figcaption, table, aside, pre
	role    string
	section string // role of the section that it is in
	list    string // element of the list that it is in
	bullet  string // mark of a list item, which is not written
	class   string // attribute class
	title   bool   // predicted to be the title
	text    string
	table   *table
}

// metrics are measurements of a document.
type metrics struct {
	body    float32             // size of most characters
	leading map[float32]float32 // usual distance of baselines by size
	words   map[string]int      // words inside lines
	bold    bool                // most text is bold
}

// measureText returns the metrics of a document.
func measureText(pages [][]*block) *metrics {
	m := &metrics{leading: map[float32]float32{}, words: map[string]int{}}
	sizes := map[float32]int{}
	steps := map[float32][]float32{}
	bold, all := 0, 0
	for _, blocks := range pages {
		for _, b := range blocks {
			for i, l := range b.lines {
				sizes[l.size] += len(l.chars)
				all += len(l.chars)
				bold += truth.Int(l.bold) * len(l.chars)
				if i > 0 && l.size == b.lines[i-1].size {
					steps[l.size] = append(steps[l.size], l.base-b.lines[i-1].base)
				}
				m.count(l.text)
			}
		}
	}
	m.body, m.bold = most(sizes), bold*2 > all
	for size, s := range steps {
		slices.Sort(s)
		m.leading[size] = s[len(s)*2/5]
	}
	return m
}

// count counts the words inside a line: the last one may be cut off by a hyphen, and the first.
func (m *metrics) count(text string) {
	words := strings.FieldsFunc(strings.ToLower(text), notInWord)
	for i, w := range words {
		if i > 0 && i < len(words)-1 {
			m.words[strings.Trim(w, "-")]++
		}
	}
}

// notInWord reports whether r separates words; a hyphen does not.
func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' }

func (m *metrics) lead(size float32) float32 {
	if l := m.leading[size]; l > 0 {
		return l
	}
	return 1.2 * size
}

// paragraphs splits a block into paragraphs.
func (m *metrics) paragraphs(b *block, column wire.Box) []*paragraph {
	var out []*paragraph
	left, right := edge(b.lines)
	for i, l := range b.lines {
		var next *line
		if i+1 < len(b.lines) {
			next = b.lines[i+1]
		}
		if i > 0 && !m.begins(b.lines[i-1], l, next, column, left, right) {
			p := out[len(out)-1]
			p.lines = append(p.lines, l)
			continue
		}
		out = append(out, &paragraph{lines: []*line{l}})
	}
	return out
}

// edge returns the positions at which most lines begin and end.
func edge(lines []*line) (left, right float32) {
	lefts, rights := map[float32]int{}, map[float32]int{}
	for _, l := range lines {
		lefts[float32(math.Round(float64(l.X0)))]++
		rights[float32(math.Round(float64(l.X1)))]++
	}
	return most(lefts), most(rights)
}

// begins reports whether l begins a paragraph after prev in the same block.
func (m *metrics) begins(prev, l, next *line, column wire.Box, left, right float32) bool {
	if prev.block >= 0 && l.block >= 0 {
		return prev.block != l.block
	}
	if !near1(prev.size, l.size, .08*max(prev.size, l.size)) || prev.bold != l.bold && len(prev.chars) > 2 && len(l.chars) > 2 && prev.boldAt(len(prev.chars)-1) != l.boldAt(0) {
		return true
	}
	if l.base-prev.base > float32(1.25*m.lead(l.size))+.5 {
		return true
	}
	if marker(l.text) != "" || leaderEnd().MatchString(prev.text) {
		return true
	}
	if centered(prev, l, column) {
		return false
	}
	em := l.size
	indent := func(l *line) float32 {
		if l.rtl {
			return right - l.X1
		}
		return l.X0 - left
	}
	start, before := indent(l), indent(prev)
	ended := endsSentence(strings.TrimRight(prev.text, closers))
	switch {
	case start > .6*em && start < 6*em && start-before > .6*em: // indented
		return true
	case start > .6*em && start < 6*em && near1(start, before, .2*em) && ended && (next == nil || indent(next) < .3*em): // after a paragraph of one line
		return true
	case start < -.6*em && before-start > .6*em: // the first line of a hanging indent
		return true
	}
	slack := column.X1 - prev.X1
	if l.rtl {
		slack = prev.X0 - column.X0
	}
	fits := slack-l.first > .55*em // the first word fits on the line before: the line was ended
	first, _ := utf8.DecodeRuneInString(l.text)
	switch share := slack / max(column.X1-column.X0, 1); {
	case !fits || unicode.IsLower(first) && share < .5:
		return false
	case ended:
		return true
	}
	return slack > .3*(column.X1-column.X0)
}

// closers are the characters that may follow the end of a sentence.
const closers = " \"'”’»)]」』）"

// centered reports whether two lines are centered in their column.
func centered(a, b *line, column wire.Box) bool {
	mid := (column.X0 + column.X1) / 2
	center := func(l *line) bool { return near1((l.X0+l.X1)/2, mid, l.size) && l.X0 > column.X0+l.size }
	return center(b) && near1((a.X0+a.X1)/2, mid, a.size) && (center(a) || a.width() > b.width())
}

// continues reports whether a paragraph at the end of a column or page continues with another.
func (m *metrics) continues(p, next *paragraph, column wire.Box) bool {
	last, first := p.lines[len(p.lines)-1], next.lines[0]
	if last.page == first.page && last.block >= 0 && first.block >= 0 {
		return last.block == first.block
	}
	if !near1(last.size, first.size, .05*last.size) || last.bold != first.bold || marker(first.text) != "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(first.text)
	end := strings.TrimRight(last.text, closers)
	if end == "" || endsSentence(end) {
		return false
	}
	if hyphen, _ := utf8.DecodeLastRuneInString(end); unicode.IsLower(r) || strings.ContainsRune("-\u2010\u00ad\u0002", hyphen) {
		return true
	}
	if last.rtl {
		return last.X0 < column.X0+4*last.size
	}
	return last.X1 > column.X1-4*last.size
}

func endsSentence(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?:;…。！？：；।॥۔؟።…‥․", r)
}

// text returns the text of lines of a paragraph.
func (m *metrics) text(lines []*line) string {
	var b strings.Builder
	for i, l := range lines {
		text := l.text
		if i+1 < len(lines) {
			text = m.joined(text, lines[i+1].text)
		}
		b.WriteString(text)
	}
	return clean(b.String())
}

// joined returns the text of a line as it precedes another: with a space, or without the hyphen
// that divides a word.
func (m *metrics) joined(text, next string) string {
	last, n := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(next)
	switch last {
	case '\u00AD':
		return text[:len(text)-n]
	case '-', '\u2010', '\u0002': // which PDFium returns for a hyphen at the end of a line
		cut := text[:len(text)-n]
		head := cut[strings.LastIndexFunc(cut, notInWord)+1:]
		end := strings.IndexFunc(next, notInWord)
		if end < 0 {
			end = len(next)
		}
		tail := next[:end]
		whole, hyphened := strings.ToLower(head+tail), strings.ToLower(head+"-"+tail)
		switch {
		case head == "" && (last == '\u0002' || strings.TrimRight(cut, "0123456789") != cut): // a range or "19-related"
			return text
		case head == "": // a dash
			return text + " "
		case tail == "" || m.words[hyphened] > m.words[whole]:
			return text
		case last != '\u0002' && m.words[whole] == 0 && m.words[strings.ToLower(head)] > 0 && m.words[strings.ToLower(tail)] > 0: // a compound
			return text
		case m.words[whole] > 0 || unicode.IsLower(first) || !unicode.IsUpper(first) && unicode.IsLetter(first):
			return cut
		}
		return text
	}
	if unspaced(last) && unspaced(first) {
		return text
	}
	return text + " "
}

// ligatures maps ligatures and forms of letters to letters.
var ligatures = strings.NewReplacer("\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04", "ffl", "\ufb05", "st", "\ufb06", "st",
	"\u0002", "-", "\u00ad", "", "\ufeff", "", "\u200b", "")
