package extract

import (
	"bytes"
	"strings"

	"chaffinch/page"
)

// MathJax and KaTeX render TeX in the text of a page in the browser. The TeX stays in the text
// unchanged. Delimiters that both programs accept mark formulas, so that writers do not escape the
// text between them.

// texEnvironments holds the environments that MathJax renders without delimiters.
var texEnvironments = map[string]bool{"equation": true, "align": true, "gather": true, "multline": true, "eqnarray": true, "alignat": true, "flalign": true, "math": true, "displaymath": true}

// literalTeX marks the formulas in the text of the shown block b, which ends. Formulas with markup
// inside, or inside code, are left out.
func (s *scan) literalTeX(b *block) {
	text := s.shown.buf[b.textStart:b.textEnd]
	if page.Kind(b.kind) == page.Code || bytes.IndexByte(text, '$') < 0 && bytes.IndexByte(text, '\\') < 0 {
		return
	}
	n := &s.inlines
	marks := n.done[n.first:]
	f := texFinder{scan: s, text: text}
	for at, found := 0, 0; found < maxFormulas; found++ {
		var size int
		if at, size = f.next(at); size == 0 {
			return
		}
		from, to := b.textStart+at, b.textStart+at+size
		at += size
		if !overlapsMarkup(marks, from, to) {
			n.seq++
			n.done = append(n.done, mark{start: from, end: to, seq: n.seq, kind: page.Formula})
		}
	}
}

// maxFormulas is the most formulas of a block.
const maxFormulas = 1000

// texFinder finds the formulas in a text.
type texFinder struct {
	*scan
	text       []byte
	noneBefore [len(texDelimiters)]int // per delimiter, the offset up to which no formula begins
}

var texDelimiters = [...]struct{ open, close string }{{`\(`, `\)`}, {`\[`, `\]`}, {"$$", "$$"}}

// next returns the start of the next formula at or after at, and its length including the
// delimiters; 0 if there is none.
func (f *texFinder) next(at int) (begin, size int) {
	for {
		i := bytes.IndexAny(f.text[at:], `$\`)
		if i < 0 {
			return at, 0
		}
		at += i
		if n := f.sizeAt(at); n > 0 {
			return at, n
		}
		at++
	}
}

// overlapsMarkup reports whether markup begins or ends in [from, to), or code or a formula encloses it.
func overlapsMarkup(marks []mark, from, to int) bool {
	for _, m := range marks {
		inside := m.start < to && from < m.end && (m.start > from || m.end < to) && !(m.start <= from && to <= m.end)
		around := m.start <= from && to <= m.end && (m.kind == page.Verbatim || m.kind == page.Formula)
		if inside || around {
			return true
		}
	}
	return false
}

// sizeAt returns the length of the formula, delimiters included, that begins at text[at]; 0 if none
// does.
func (f *texFinder) sizeAt(at int) int {
	rest := f.text[at:]
	rest = rest[:min(len(rest), maxFormula)]
	for i, d := range &texDelimiters {
		if !bytes.HasPrefix(rest, []byte(d.open)) {
			continue
		}
		if at < f.noneBefore[i] {
			return 0
		}
		n := bytes.Index(rest[2:], []byte(d.close))
		if n < 0 { // bounds the work on a page of opening delimiters
			f.noneBefore[i] = at + maxFormula/2
			return 0
		}
		if in := string(rest[2 : 2+n]); strings.TrimSpace(in) == "" || !looksTeX(in) && !f.rendersTeX() {
			return 0
		}
		return n + 4
	}
	if rest[0] == '$' {
		return f.inlineTeX(rest)
	}
	name, ok := bytes.CutPrefix(rest, []byte(`\begin{`))
	if !ok {
		return 0
	}
	end := bytes.IndexByte(name[:min(len(name), 20)], '}')
	if end < 0 || !texEnvironments[strings.TrimRight(string(name[:end]), "*")] {
		return 0
	}
	closing := `\end{` + string(name[:end]) + "}"
	if n := bytes.Index(rest, []byte(closing)); n > 0 {
		return n + len(closing)
	}
	return 0
}

// inlineTeX returns the length of the formula between single dollar signs at the start of text; 0
// if there is none. As in pandoc, no space follows the first sign or precedes the second, and no
// digit follows the second, so that prices stay text.
func (s *scan) inlineTeX(text []byte) int {
	n := bytes.IndexByte(text[1:], '$')
	if n <= 0 {
		return 0
	}
	in, end := text[1:1+n], n+2
	if class[in[0]] == space || class[in[n-1]] == space || end < len(text) && '0' <= text[end] && text[end] <= '9' {
		return 0
	}
	bare := bytes.IndexByte(in, ' ') < 0 && (in[0] < '0' || in[0] > '9') && s.rendersTeX()
	if !bare && !looksTeX(string(in)) {
		return 0
	}
	return end
}

// rendersTeX reports whether the page names a program that renders formulas.
func (s *scan) rendersTeX() bool {
	if s.texRenderer == 0 {
		s.texRenderer = 1
		for _, name := range [...]string{"mathjax", "MathJax", "katex", "KaTeX"} {
			if strings.Contains(s.lex.src, name) {
				s.texRenderer = 2
				break
			}
		}
	}
	return s.texRenderer == 2
}
