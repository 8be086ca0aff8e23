// Package plain reads and writes pages as plain text. [Encoder.Append] writes a page, and
// [Sniff] detects HTML, text and other types from the first bytes.
package plain

import (
	"strconv"
	"strings"

	"chaffinch/page"
)

// Encoder writes pages as text in UTF-8. Each block is a line, and each row of a data table
// is a line with tabs between cells ([page.Page.Line]). An empty line follows each page.
// Code and plain text keep their line breaks, without empty lines, so that an empty line
// always ends a page.
type Encoder struct {
	// Annotate writes every page and every block. A page is a line "# page", then one line
	// per block with label, kind, score, reason and text, separated by tabs. Line breaks
	// inside a block become spaces.
	Annotate bool
}

// Append appends p to dst. It appends nothing for a page without kept text unless annotated.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	if e.Annotate {
		return annotated(dst, p)
	}
	if p.Drop != page.None {
		return dst
	}
	n := len(dst)
	for i := 0; i < len(p.Blocks); {
		text, next := p.Line(i)
		dst = appendLines(dst, text)
		i = next
	}
	if len(dst) > n {
		dst = append(dst, '\n')
	}
	return dst
}

// HoldsField reports whether plain text holds a field: always false.
func (Encoder) HoldsField(*page.Field) bool { return false }

// IgnoresLang reports whether the output is independent of the language, which only
// annotated text contains.
func (e Encoder) IgnoresLang() bool { return !e.Annotate }

// appendLines appends the non-empty lines of t.
func appendLines(dst []byte, t string) []byte {
	for len(t) > 0 {
		line, rest, _ := strings.Cut(t, "\n")
		t = rest
		end := len(line)
		for end > 0 && (line[end-1] == ' ' || line[end-1] == '\t' || line[end-1] == '\r') {
			end--
		}
		if end > 0 {
			dst = append(dst, line[:end]...)
			dst = append(dst, '\n')
		}
	}
	return dst
}

func annotated(dst []byte, p *page.Page) []byte {
	dst = append(dst, "# "...)
	dst = appendFlat(dst, p.ID)
	for _, f := range [][2]string{{"url", p.URL}, {"title", p.Meta.Title}, {"charset", p.Charset}, {"lang", p.Lang}, {"drop", p.Drop.String()}, {"cut", p.Cut.String()}} {
		if f[1] != "" && f[1] != p.ID {
			dst = append(dst, '\t')
			dst = append(dst, f[0]...)
			dst = append(dst, '=')
			dst = appendFlat(dst, f[1])
		}
	}
	dst = append(dst, '\n')
	for i := range p.Blocks {
		b := &p.Blocks[i]
		dst = append(dst, b.Label.String()...)
		dst = append(dst, '\t')
		dst = append(dst, b.Kind.String()...)
		dst = append(dst, '\t')
		dst = strconv.AppendFloat(dst, b.Score, 'g', 6, 64)
		dst = append(dst, '\t')
		dst = appendFlat(dst, b.Reason)
		dst = append(dst, '\t')
		dst = appendFlat(dst, b.Text)
		dst = append(dst, '\n')
	}
	return append(dst, '\n')
}

// appendFlat appends s with line breaks and tabs replaced by blanks.
func appendFlat(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\n' || c == '\r' || c == '\t' {
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}
