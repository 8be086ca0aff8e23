package markdown

import (
	"cmp"
	"slices"
	"strings"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// inline renders the text of blocks. Its slices are reused between calls.
type inline struct {
	notes *layout.Notes
	dst   []byte
	spans []page.Inline
	open  []int // indexes in spans
	marks []delimiter
	text  string
	at    int // number of bytes of text that are written
	c     place
	start bool // the output is at the start of a line
}

// render returns text with its markup as Markdown, valid until the next call. Lines are
// separated by "\n". Emphasis is omitted if a parser would not match it as intended.
func (w *inline) render(text string, marks []page.Inline, without page.Features, c place) []byte {
	marks = w.references(text, marks)
	drop := [...][]page.Markup{nil, {page.Emphasis}, {page.Emphasis, page.Strong, page.Deleted}}
	for _, kinds := range drop {
		w.spans = choose(w.spans[:0], text, marks, without)
		w.spans = slices.DeleteFunc(w.spans, func(m page.Inline) bool { return slices.Contains(kinds, m.Kind) })
		slices.SortStableFunc(w.spans, inOrder)
		w.try(text, c)
		if len(w.marks) == 0 || readsRight(w.dst, w.marks) {
			break
		}
	}
	return w.dst
}

// inOrder compares spans by start. Of spans with the same start, empty spans come first,
// then outer before inner spans. Strong emphasis is inside emphasis of the same span, as
// parsers interpret "***".
func inOrder(a, b page.Inline) int {
	if a.Start != b.Start {
		return a.Start - b.Start
	}
	if za, zb := a.Kind.Empty(), b.Kind.Empty(); za != zb {
		if za {
			return -1
		}
		return 1
	}
	if a.End == b.End && a.Kind == page.Strong && b.Kind == page.Emphasis {
		return 1
	}
	if a.End == b.End && a.Kind == page.Emphasis && b.Kind == page.Strong {
		return -1
	}
	return b.End - a.End
}

// try renders text with w.spans.
func (w *inline) try(text string, c place) {
	c.strike = slices.ContainsFunc(w.spans, func(m page.Inline) bool { return m.Kind == page.Deleted })
	w.dst, w.open, w.marks, w.text, w.at, w.c, w.start = w.dst[:0], w.open[:0], w.marks[:0], text, 0, c, true
	for i := 0; i < len(w.spans); i++ {
		m := w.spans[i]
		w.upTo(m.Start, true)
		switch m.Kind {
		case page.Picture:
			w.picture(m)
		case page.Checkbox:
			if len(w.dst) == 0 {
				w.put("[" + cmp.Or(m.Alt, " ") + "] ")
			}
		case page.NoteRef: // directly after the word: remove the spaces before it
			for k := len(w.dst); k > 1 && w.dst[k-1] == ' ' && w.dst[k-2] != ' ' && !w.start; k-- {
				w.dst = w.dst[:k-1]
			}
			w.put("[^" + w.notes.Label(m.URL) + "]")
			w.at = m.End
		case page.LineBreak:
			w.lineEnd()
			w.at = m.End
		case page.Formula:
			w.dst = appendFormula(w.dst, text[m.Start:m.End], c.cell)
			w.start = false
			w.at = m.End
		case page.Verbatim:
			w.dst = appendCode(w.dst, text[m.Start:m.End], c.cell)
			w.start = false
			w.at = m.End
		case page.Link:
			if s := text[m.Start:m.End]; s == m.URL && isAddress(s) && !c.cell {
				w.put("<" + s + ">")
				w.at = m.End
				for i+1 < len(w.spans) && w.spans[i+1].Start < m.End && w.spans[i+1].End <= m.End {
					i++ // skip markup inside the link
				}
				continue
			}
			w.put("[")
			w.open = append(w.open, i)
		default:
			w.delimiter(i, opening[m.Kind], false)
			w.open = append(w.open, i)
		}
	}
	w.upTo(len(text), false)
}

var opening = map[page.Markup]string{
	page.Emphasis: "*", page.Strong: "**", page.Deleted: "~~", page.Sub: "<sub>", page.Sup: "<sup>",
}

var closing = map[page.Markup]string{
	page.Emphasis: "*", page.Strong: "**", page.Deleted: "~~", page.Sub: "</sub>", page.Sup: "</sup>",
}

// picture writes an image. If the text has a space on only one side of the image, a space
// is added on the other side. The ends of the text count as spaces.
func (w *inline) picture(m page.Inline) {
	before := m.Start == 0 || w.text[m.Start-1] == ' '
	after := m.Start == len(w.text) || w.text[m.Start] == ' '
	if m.Start > 0 && after && !before {
		w.put(" ")
	}
	w.dst = appendImage(w.dst, m.URL, m.Alt, w.c.cell)
	if w.start = false; m.Start < len(w.text) && before && !after {
		w.dst = append(w.dst, ' ')
	}
}

func (w *inline) put(s string) {
	w.dst = append(w.dst, s...)
	w.start = false
}

// upTo writes the text up to pos and closes all spans that end at or before pos.
func (w *inline) upTo(pos int, more bool) {
	for len(w.open) > 0 && w.spans[w.open[len(w.open)-1]].End <= pos {
		i := w.open[len(w.open)-1]
		m := w.spans[i]
		w.write(m.End, true)
		w.open = w.open[:len(w.open)-1]
		if m.Kind == page.Link {
			w.put("](")
			w.dst = appendTarget(w.dst, m.URL, w.c.cell)
			w.dst = append(w.dst, ')')
			continue
		}
		w.delimiter(i, closing[m.Kind], true)
	}
	w.write(pos, more)
}

// write writes the text up to pos.
func (w *inline) write(pos int, more bool) {
	for w.at < pos {
		end := pos
		if i := strings.IndexByte(w.text[w.at:pos], '\n'); i >= 0 {
			end = w.at + i
		}
		if end > w.at {
			w.dst = appendText(w.dst, w.text, w.at, end, w.c, w.link() >= 0, w.start, more || end < pos)
			w.start = false
		}
		if w.at = end; end < pos { // a line break in the text
			if w.lineEnd(); !w.start && !w.c.cell {
				w.dst = append(w.dst, ' ')
			}
			for w.at < pos && (w.text[w.at] == '\n' || w.text[w.at] == ' ' || w.text[w.at] == '\t') {
				w.at++
			}
		}
	}
}

// lineEnd writes a line break.
func (w *inline) lineEnd() {
	switch {
	case w.c.oneLine:
		w.dst = append(w.dst, ' ')
	case w.c.cell:
		w.dst = append(w.dst, "<br>"...)
	default:
		w.dst = append(w.dst, "  \n"...)
		w.start = true
	}
}

// delimiter writes s, the opening or closing markup of a span.
func (w *inline) delimiter(span int, s string, close bool) {
	if delimits(w.spans[span].Kind) {
		w.marks = append(w.marks, delimiter{at: len(w.dst), n: len(s), char: s[0], close: close, span: span, link: w.link()})
	}
	w.put(s)
}

// link returns the index of the open link, or -1.
func (w *inline) link() int {
	for _, i := range w.open {
		if w.spans[i].Kind == page.Link {
			return i
		}
	}
	return -1
}

// appendCode appends a code span.
func appendCode(dst []byte, text string, cell bool) []byte {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, text)
	ticks := "`"
	if strings.Contains(text, "`") {
		ticks = strings.Repeat("`", longestRun(text)+1)
	}
	pad := text == "" || text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' && text[len(text)-1] == ' '
	dst = append(dst, ticks...)
	if pad {
		dst = append(dst, ' ')
	}
	if cell {
		text = strings.ReplaceAll(text, "|", `\|`)
	}
	dst = append(dst, text...)
	if pad {
		dst = append(dst, ' ')
	}
	return append(dst, ticks...)
}

// appendFormula appends TeX. It replaces the delimiters \( \) and \[ \] by dollar signs and
// adds dollar signs around an environment.
func appendFormula(dst []byte, tex string, cell bool) []byte {
	for _, d := range [...]struct{ open, close, dollars string }{{`\(`, `\)`, "$"}, {`\[`, `\]`, "$$"}} {
		if in, ok := strings.CutPrefix(tex, d.open); ok {
			tex = d.dollars + strings.TrimSpace(strings.TrimSuffix(in, d.close)) + d.dollars
		}
	}
	if strings.HasPrefix(tex, `\begin{`) {
		tex = "$$" + tex + "$$"
	}
	if cell {
		tex = strings.NewReplacer(`\|`, `\Vert `, "|", `\vert `).Replace(tex)
	}
	return append(dst, tex...)
}

// appendImage appends an image.
func appendImage(dst []byte, url, alt string, cell bool) []byte {
	dst = append(dst, "!["...)
	dst = appendText(dst, alt, 0, len(alt), place{oneLine: true, cell: cell}, true, false, true)
	dst = append(dst, "]("...)
	dst = appendTarget(dst, url, cell)
	return append(dst, ')')
}

// appendTarget appends a URL. Characters that would end it or be parsed as markup are
// percent-encoded.
func appendTarget(dst []byte, url string, cell bool) []byte {
	for i := 0; i < len(url); i++ {
		c := url[i]
		switch {
		case c <= ' ' || c == 0x7F || strings.IndexByte("()<>\\`\"[]*_~", c) >= 0 && c != '_' && c != '~' && c != '*' || c == '|' && cell:
			const hex = "0123456789ABCDEF"
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		case c == '&' && isReference(url[i:]):
			dst = append(dst, "&amp;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
