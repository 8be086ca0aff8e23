package pdf

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/truth"
)

// style is the inline markup of a character: the number of a link on the page, from 1, and bits
// for bold and italic.
type style uint32

const (
	bold style = 1 << iota
	italic
	linkUnit
)

// Styled text contains marks before characters whose style differs from the style before: markStyle
// and a character of a private plane.
const (
	markStyle  = '\uFDD2'
	firstStyle = 0x100000
	maxStyle   = 0xFFF0
)

// styleOf returns the style of a character.
func (l *line) styleOf(c *wire.Char) style {
	f := &l.sheet.Fonts[c.Font]
	s := bold*style(truth.Int(f.Bold)) | italic*style(truth.Int(f.Italic))
	if i := l.links.find((c.X0+c.X1)/2, (c.Y0+c.Y1)/2); i >= 0 {
		return min(s|linkUnit*style(i+1), maxStyle)
	}
	return s
}

// styles returns the styles of the characters of a line; nil if all are plain. A run of bold or
// italic characters without a word, inside a line, is plain.
func (l *line) styles() []style {
	const word = 3 // letters
	var out []style
	for i := range l.chars {
		c := &l.chars[i]
		s := style(0)
		if c.Rune != ' ' {
			s = l.styleOf(c)
		} else if i > 0 && out != nil {
			s = out[i-1]
		}
		if s != 0 && out == nil {
			out = make([]style, len(l.chars))
		}
		if out != nil {
			out[i] = s
		}
	}
	for i := 0; i < len(out); {
		j, letters := i, 0
		for j < len(out) && out[j] == out[i] {
			letters += truth.Int(unicode.IsLetter(l.chars[j].Rune))
			j++
		}
		if letters < word && i > 0 && j < len(out) {
			for k := i; k < j; k++ {
				out[k] &^= bold | italic
			}
		}
		i = j
	}
	return out
}

// mark returns the mark of a style.
func (s style) mark() string { return string([]rune{markStyle, firstStyle + rune(s)}) }

// usual returns the bold and italic bits that nearly all letters of lines have. They are no emphasis.
func usual(lines []*line) style {
	var n, heavy, slanted int
	for _, l := range lines {
		for i := range l.chars {
			f := &l.sheet.Fonts[l.chars[i].Font]
			n, heavy, slanted = n+1, heavy+truth.Int(f.Bold), slanted+truth.Int(f.Italic)
		}
	}
	return bold*style(truth.Int(heavy*10 > n*9)) | italic*style(truth.Int(slanted*10 > n*9))
}

// styled returns the text of the first n lines with marks of styles.
func (m *metrics) styled(lines []*line, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(m.styledLine(lines, i))
	}
	return clean(b.String())
}

// styledLine returns the styled text of line i, joined with the next one like its text.
func (m *metrics) styledLine(lines []*line, i int) string {
	text, styled := lines[i].text, cmp.Or(lines[i].styled, lines[i].text)
	if i+1 == len(lines) {
		return styled
	}
	switch joined := m.joined(text, lines[i+1].text); {
	case len(joined) > len(text): // a space
		return styled + joined[len(text):]
	case len(joined) < len(text): // without a hyphen
		last, n := utf8.DecodeLastRuneInString(text)
		if at := strings.LastIndex(styled, string(last)); at >= 0 {
			return styled[:at] + styled[at+n:]
		}
	}
	return styled
}

// inline writes styled text of a line and those after it on its page with links, bold and italic, apart
// from the styles in without.
func (w *writer) inline(text string, first *line, without style) {
	links := first.sheet.Links
	var current style
	depth := w.Depth()
	set := func(s style) {
		if s == current {
			return
		}
		link := s / linkUnit
		if link == 0 || link != current/linkUnit {
			w.Close(depth)
			if link > 0 && int(link) <= len(links) {
				w.Start("a", "href", links[link-1].URL)
			}
		} else {
			w.Close(depth + 1)
		}
		if s&bold != 0 {
			w.Start("strong")
		}
		if s&italic != 0 {
			w.Start("em")
		}
		current = s
	}
	var next style
	space := "" // after text in the current style
	write := func(part string) {
		if strings.TrimSpace(part) == "" {
			space += part
			return
		}
		if next == current {
			w.text(space)
		} else {
			around := style(0)
			if next/linkUnit == current/linkUnit {
				around = current &^ (bold | italic)
			}
			set(around)
			w.text(space)
			set(next)
		}
		body := strings.TrimRight(part, " ")
		w.text(body)
		space = part[len(body):]
	}
	for {
		before, rest, ok := strings.Cut(text, string(markStyle))
		write(before)
		if !ok {
			break
		}
		r, n := utf8.DecodeRuneInString(rest)
		if next, text = 0, rest[n:]; r >= firstStyle {
			next = first.links.sameLink(style(r-firstStyle)) &^ without
		}
	}
	w.Close(depth)
	w.text(space)
}

// sameLink returns s with the first link that has the URL of its link: each word of a link may be a
// separate link.
func (t *linkTree) sameLink(s style) style {
	n := int(s / linkUnit)
	if t == nil || n == 0 || n > len(t.same) {
		return s
	}
	return s%linkUnit | linkUnit*style(t.same[n-1]+1)
}

// trimBullet returns styled text without the mark of a list item.
func trimBullet(text, bullet string) string {
	if bullet == "" {
		return text
	}
	mark := ""
	if strings.HasPrefix(text, string(markStyle)) {
		_, n := utf8.DecodeRuneInString(text[len(string(markStyle)):])
		mark, text = text[:len(string(markStyle))+n], text[len(string(markStyle))+n:]
	}
	return mark + strings.TrimLeft(strings.TrimPrefix(text, bullet), " ")
}
