package tei

import (
	"strings"

	"chaffinch/page"
)

// tags holds the tags of inline markup. The attribute rend of "hi" is the kind of markup.
var tags = [...]struct{ open, close string }{
	page.Emphasis: {`<hi rend="italic">`, "</hi>"},
	page.Strong:   {`<hi rend="bold">`, "</hi>"},
	page.Sub:      {`<hi rend="sub">`, "</hi>"},
	page.Sup:      {`<hi rend="sup">`, "</hi>"},
	page.Deleted:  {`<del rend="strikethrough">`, "</del>"},
	page.Verbatim: {"<code>", "</code>"},
	page.Link:     {"", "</ref>"},
	page.Formula:  {`<formula notation="TeX">`, "</formula>"},
}

// inline writes the kept text of b with its markup.
func (w *writer) inline(b *page.Block) {
	text, marks := b.KeptInline()
	w.spans = choose(w.spans[:0], marks, w.without)
	at := 0
	var open []page.Inline
	upTo := func(pos int) {
		for len(open) > 0 && open[len(open)-1].End <= pos {
			m := open[len(open)-1]
			w.lines(text[at:m.End])
			at = m.End
			w.raw(tags[m.Kind].close)
			open = open[:len(open)-1]
		}
		w.lines(text[at:pos])
		at = pos
	}
	for _, m := range w.spans {
		upTo(m.Start)
		switch m.Kind {
		case page.Picture:
			w.graphic(m.URL, m.Alt)
			continue
		case page.LineBreak:
			w.raw("<lb/>")
			continue
		case page.Link:
			w.raw("<ref")
			w.target("target", m.URL)
			w.raw(">")
		default:
			w.raw(tags[m.Kind].open)
		}
		open = append(open, m)
	}
	upTo(len(text))
}

// choose appends the spans to write to dst. Code and formulas contain only text, so spans
// inside them are dropped. A link of the same extent is written around them instead.
func choose(dst, marks []page.Inline, without page.Features) []page.Inline {
	code := -1 // index in dst of the last code or formula
	for _, m := range marks {
		if without.Holds(m.Kind) || m.Kind == page.NoteRef || m.Kind == page.Checkbox || m.Kind == page.Anchor {
			continue
		}
		if code >= 0 && m.Start < dst[code].End && m.End <= dst[code].End {
			if m.Kind == page.Link && m.Start == dst[code].Start && m.End == dst[code].End {
				dst[code].Kind, dst[code].URL, m.Kind, m.URL = page.Link, m.URL, dst[code].Kind, ""
				dst = append(dst, m)
				code = len(dst) - 1
			}
			continue
		}
		if dst = append(dst, m); m.Kind == page.Verbatim || m.Kind == page.Formula {
			code = len(dst) - 1
		}
	}
	return dst
}

// lines writes text. Line breaks become lb elements.
func (w *writer) lines(s string) {
	for {
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			w.text(s)
			return
		}
		w.text(s[:i])
		w.raw("<lb/>")
		s = s[i+1:]
	}
}

// graphic writes an image.
func (w *writer) graphic(url, alt string) {
	w.raw("<graphic")
	if !w.target("url", url) {
		w.attr("url", "#")
	}
	if alt == "" {
		w.raw("/>")
		return
	}
	w.raw("><desc>")
	w.text(alt)
	w.raw("</desc></graphic>")
}
