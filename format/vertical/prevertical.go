package vertical

import (
	"math"
	"strconv"
	"strings"

	"chaffinch/format/tree"
	"chaffinch/internal/runes"
	"chaffinch/page"
	"chaffinch/text/token"
)

// Prevertical writes pages as a prevertical: a <doc> with attributes for each page, with a
// <p> for each block or row of a data table.
type Prevertical struct {
	// Annotate also writes dropped pages and bad blocks. It writes <s> with label and score
	// around sentences that a method labelled individually.
	Annotate bool
}

// Append appends the <doc> of p to dst. It appends nothing for a dropped page unless
// annotated.
func (e Prevertical) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None && !e.Annotate {
		return dst
	}
	chars := 0
	for i := range p.Blocks {
		chars += runes.Count(p.Blocks[i].Kept())
	}
	dst = append(dst, "<doc"...)
	dst = attr(dst, "id", p.ID)
	dst = attr(dst, "url", p.URL)
	dst = attr(dst, "title", p.Meta.Title)
	dst = attr(dst, "length", sizeClass(chars))
	dst = attr(dst, "words", strconv.Itoa(token.CountPage(p).WordsKept))
	dst = attr(dst, "crawl_date", p.Meta.Fetched)
	dst = attr(dst, "date", p.Meta.Date)
	dst = attr(dst, "lang", p.Lang)
	dst = attr(dst, "lang_confidence", share(p.LangConfidence))
	dst = attr(dst, "declared_lang", p.Meta.Lang)
	dst = attr(dst, "license", p.Meta.License)
	dst = attr(dst, "optout", p.Meta.Optout)
	dst = attr(dst, "translated", p.Meta.Translated)
	dst = attr(dst, "file_type", p.MIME)
	dst = attr(dst, "enc", p.Charset)
	dst = attr(dst, "file", p.Source.File)
	dst = attr(dst, "offset", strconv.FormatInt(p.Source.Offset, 10))
	dst = attr(dst, "record", p.Source.Record)
	dst = attr(dst, "confidence", share(p.Confidence))
	dst = attr(dst, "confidence_policy", p.ConfidencePolicy)
	dst = attr(dst, "page_type", p.Type)
	dst = attr(dst, "page_type_confidence", share(p.TypeConfidence))
	dst = attr(dst, "register", strings.Join(p.Registers, tree.RegisterSeparator))
	dst = attr(dst, "drop", p.Drop.String())
	dst = attr(dst, "cut", p.Cut.String())
	dst = fields(dst, p, attr)
	dst = append(dst, ">\n"...)
	for i := 0; i < len(p.Blocks); {
		l := paragraphAt(p, i, e.Annotate)
		dst = e.paragraph(dst, l)
		i = l.next
	}
	return append(dst, "</doc>\n"...)
}

// para is the content of a <p>: a block, or a row of a data table.
type para struct {
	*page.Block        // for a row, the first kept block
	text, kind  string // text is "" if nothing is kept
	next        int    // index of the following block
}

// paragraphAt returns the paragraph that begins with block i of p. If annotated, it is a
// single block, because each block has a verdict.
func paragraphAt(p *page.Page, i int, annotated bool) para {
	b := &p.Blocks[i]
	if annotated {
		return para{b, b.Text, b.Kind.String(), i + 1}
	}
	text, next := p.Line(i)
	if b.Row == 0 {
		return para{b, text, b.Kind.String(), next}
	}
	for k := i; b.Kept() == "" && k < next; k++ {
		b = &p.Blocks[k]
	}
	return para{b, text, "row", next}
}

// sizeClass returns the order of magnitude of a length, for filtering.
func sizeClass(chars int) string {
	switch {
	case chars < 1000:
		return "0-1k"
	case chars < 10_000:
		return "1-10k"
	case chars < 100_000:
		return "10-100k"
	}
	return "100k+"
}

func (e Prevertical) paragraph(dst []byte, b para) []byte {
	if b.text == "" {
		return dst
	}
	heading := "0"
	if b.Kind == page.Heading {
		heading = "1"
	}
	dst = append(dst, "<p"...)
	dst = attr(dst, "heading", heading)
	dst = attr(dst, "class", b.Label.String())
	if b.ContextFree != page.Unknown {
		dst = attr(dst, "cfclass", b.ContextFree.String())
	}
	dst = attr(dst, "role", b.Role.String())
	dst = attr(dst, "kind", b.kind)
	dst = attr(dst, "lang", b.Lang)
	if e.Annotate {
		dst = attr(dst, "score", strconv.FormatFloat(b.Score, 'g', 6, 64))
		dst = attr(dst, "why", b.Reason)
		if b.Hidden {
			dst = attr(dst, "hidden", "1")
		}
	}
	dst = append(dst, ">\n"...)
	if e.Annotate && len(b.Sentences) > 0 {
		for _, s := range b.Sentences {
			dst = append(dst, "<s"...)
			dst = attr(dst, "class", s.Label.String())
			dst = attr(dst, "score", strconv.FormatFloat(s.Score, 'g', 6, 64))
			dst = append(dst, ">\n"...)
			dst = appendText(dst, b.Text[s.Start:s.End])
			dst = append(dst, "</s>\n"...)
		}
	} else {
		dst = appendText(dst, b.text)
	}
	return append(dst, "</p>\n"...)
}

// share formats x, 0 to 1, with at most three digits; "" for 0.
func share(x float64) string {
	if x = math.Round(1000*x) / 1000; x > 0 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return ""
}

// attr appends an attribute. It omits empty values.
func attr(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(dst, ' ')
	dst = append(dst, name...)
	dst = append(dst, '=', '"')
	dst = escape(dst, value, true)
	return append(dst, '"')
}

// appendText appends the non-empty lines of t.
func appendText(dst []byte, t string) []byte {
	for len(t) > 0 {
		line, rest, _ := strings.Cut(t, "\n")
		t = rest
		if line = strings.TrimSpace(line); line != "" {
			dst = escape(dst, line, false)
			dst = append(dst, '\n')
		}
	}
	return dst
}

// escape appends s with markup characters as entities. In attributes it also escapes quotes
// and replaces control characters by blanks.
func escape(dst []byte, s string, inAttr bool) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<':
			dst = append(dst, "&lt;"...)
		case c == '>':
			dst = append(dst, "&gt;"...)
		case c == '&':
			dst = append(dst, "&amp;"...)
		case c == '"' && inAttr:
			dst = append(dst, "&quot;"...)
		case c < 0x20:
			dst = append(dst, ' ')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
