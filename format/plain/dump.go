package plain

import (
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// Dump writes all visible text of a page, like programs without boilerplate removal, which
// produce plain-text crawls. The zero value writes one block per line.
type Dump struct {
	// Breaks also ends lines at line breaks (br), like WET files. It requires blocks that
	// were extracted with Inline.
	Breaks bool
	// Width wraps lines at this number of characters. An empty line follows each block
	// except between list items, which begin with "* ", like the output of "lynx -dump".
	// Default: 0, no wrapping.
	Width int
}

// Append appends the text of p to dst, regardless of its labels.
func (d Dump) Append(dst []byte, p *page.Page) []byte {
	item := false
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden {
			continue
		}
		text := b.Text
		if d.Breaks {
			text = atBreaks(b)
		}
		if d.Width <= 0 {
			dst = appendLines(dst, text)
			continue
		}
		if len(dst) > 0 && !(item && b.Kind == page.Item) {
			dst = append(dst, '\n')
		}
		item = b.Kind == page.Item
		for line := range strings.Lines(text) {
			dst = d.wrap(dst, line, item)
		}
	}
	return dst
}

// atBreaks returns the text of b with a line feed for each line break.
func atBreaks(b *page.Block) string {
	var out []byte
	for _, in := range b.Inline {
		if in.Kind != page.LineBreak || in.Start >= len(b.Text) || b.Text[in.Start] != ' ' {
			continue
		}
		if out == nil {
			out = []byte(b.Text)
		}
		out[in.Start] = '\n'
	}
	if out == nil {
		return b.Text
	}
	return string(out)
}

// wrap appends a paragraph in lines of at most d.Width characters, unless a word is longer.
func (d Dump) wrap(dst []byte, text string, item bool) []byte {
	const bullet = "  * "
	at := 0 // characters of the line
	if item {
		dst = append(dst, bullet...)
		at = len(bullet)
	}
	begun := false
	for _, w := range strings.Fields(text) {
		n := utf8.RuneCountInString(w)
		switch {
		case !begun:
		case at+1+n > d.Width:
			dst = append(dst, '\n')
			if at = 0; item {
				dst = append(dst, "    "...)
				at = len(bullet)
			}
		default:
			dst = append(dst, ' ')
			at++
		}
		dst = append(dst, w...)
		at += n
		begun = true
	}
	return append(dst, '\n')
}
