package records

import (
	"bytes"

	"chaffinch/internal/jsonscan"
)

// Span is a part of a text: text[Start:End].
type Span struct{ Start, End int }

// Whole appends the text of d to dst, including empty lines between and around paragraphs if
// the format has them. It appends the span of each of Doc.Paras to paras. Tokens are separated
// by a blank unless they are glued (<g/>).
func (d *Doc) Whole(dst []byte, paras []Span) ([]byte, []Span) {
	gaps := d.Replaceable()
	json := gaps && d.format == JSONL
	at := d.place.text
	for i := range d.Paras {
		p := &d.Paras[i]
		switch {
		case json:
			dst, _, _ = jsonscan.Unquote(dst, d.Raw[at:p.from], len(d.Raw))
		case gaps && i > 0:
			dst = append(dst, bytes.ReplaceAll(d.Raw[at:p.from], []byte{'\r'}, nil)...)
		case i > 0:
			dst = append(dst, '\n')
		}
		begin := len(dst)
		if d.Tokenized {
			dst = p.Running(dst)
		} else {
			dst = append(dst, p.Text...)
		}
		paras = append(paras, Span{begin, len(dst)})
		at = p.stop
	}
	if json {
		dst, _, _ = jsonscan.Unquote(dst, d.Raw[at:d.place.end], len(d.Raw))
	}
	return dst, paras
}

// Running appends the tokens of p, a paragraph of a tokenized document, to dst as running text.
// Tokens are separated by a blank unless they are glued.
func (p *Para) Running(dst []byte) []byte {
	glue, n := p.glue, int32(0)
	for _, c := range p.Text {
		if c != '\n' {
			dst = append(dst, c)
			continue
		}
		for len(glue) > 0 && glue[0] < n {
			glue = glue[1:]
		}
		if len(glue) == 0 || glue[0] != n {
			dst = append(dst, ' ')
		}
		n++
	}
	return dst
}

// Replaceable reports whether the text of paragraphs of d can be replaced. It can if it is
// plain text or is in one field; otherwise paragraphs can only be dropped.
func (d *Doc) Replaceable() bool {
	return d.format == Text || d.format == JSONL && !d.place.elements
}

// replaces reports whether e replaces a paragraph.
func (e *Edit) replaces() bool {
	for i := 0; e != nil && i < len(e.Paras); i++ {
		if e.replaced(i) {
			return true
		}
	}
	return false
}

func (e *Edit) replaced(i int) bool {
	return i < len(e.Paras) && e.Paras[i].Replace && !e.Paras[i].Drop
}

// changed appends d, running text, with the paragraph edits of e.
func (c *WriterConfig) changed(dst []byte, d *Doc, e *Edit) []byte {
	if d.format == JSONL && e.Joined {
		return joinJSON(dst, d, e)
	}
	dropped := Edit{Paras: e.Paras}
	if !e.replaces() {
		return c.strip(dst, d, &dropped)
	}
	return c.strip(dst, d.replaced(e), &dropped)
}

// joinJSON appends d with each kept paragraph on a line.
func joinJSON(dst []byte, d *Doc, e *Edit) []byte {
	if len(d.Paras) == 0 {
		return append(dst, d.Raw...)
	}
	dst = append(dst, d.Raw[:d.place.text]...)
	more := false
	for i := range d.Paras {
		if i < len(e.Paras) && e.Paras[i].Drop {
			continue
		}
		if more {
			dst = append(dst, `\n`...)
		}
		if more = true; e.replaced(i) {
			dst = appendEscaped(dst, e.Paras[i].Text)
		} else {
			dst = append(dst, d.Raw[d.Paras[i].from:d.Paras[i].stop]...)
		}
	}
	return append(dst, d.Raw[d.place.end:]...)
}

// replaced returns a copy of d with the replaced texts in its record.
func (d *Doc) replaced(e *Edit) *Doc {
	n := &Doc{ID: d.ID, format: d.format, place: d.place, Tokenized: d.Tokenized}
	at := 0
	move := func(to int) { n.Raw, at = append(n.Raw, d.Raw[at:to]...), to }
	for i := range d.Paras {
		p := d.Paras[i]
		move(p.Start)
		start := len(n.Raw)
		move(p.from)
		from := len(n.Raw)
		if e.replaced(i) {
			if at = p.stop; d.format == JSONL {
				n.Raw = appendEscaped(n.Raw, e.Paras[i].Text)
			} else {
				n.Raw = append(n.Raw, e.Paras[i].Text...)
			}
		} else {
			move(p.stop)
		}
		stop := len(n.Raw)
		move(p.End)
		n.Paras = append(n.Paras, Para{Text: p.Text, Start: start, End: len(n.Raw), from: from, stop: stop})
	}
	move(len(d.Raw))
	return n
}

// appendEscaped appends s as the content of a JSON string, without quotation marks.
func appendEscaped(dst []byte, s string) []byte {
	n := len(dst)
	dst = appendJSON(dst, s)
	return append(dst[:n], dst[n+1:len(dst)-1]...)
}
