package extract

import (
	"net/url"
	"strings"

	"chaffinch/page"
)

// Formulas are written as TeX between dollar signs. Sources are MathML (preferably an annotation
// with TeX), scripts of MathJax, and images with TeX as alternative text. What scripts have
// rendered from these sources is left out.

// maxFormula is the most bytes of one formula.
const maxFormula = 10_000

// formula adds the formula in src[from:to] to the open block, or begins a block with it. A
// repetition of the formula right before it is left out.
func (s *scan) formula(tex string, display bool, from, to int) {
	tex, shown := bareTeX(tex)
	if tex == "" || len(tex) > maxFormula || s.muted > 0 || s.hidden > 0 {
		return
	}
	dollars := "$"
	if display || shown {
		dollars = "$$"
	}
	w := s.w
	if s.afterFormula() && strings.Trim(string(w.buf[w.formula:]), "$") == tex {
		return
	}
	s.show(dollars+tex+dollars, from, to)
	end := len(w.buf)
	w.formula, w.formulaEnd = end-len(tex)-2*len(dollars), end
	if s.cfg.Inline && w == &s.shown {
		n := &s.inlines
		n.seq++
		n.done = append(n.done, mark{start: w.formula, end: end, seq: n.seq, kind: page.Formula})
	}
}

// afterFormula reports whether the open block ends in a formula.
func (s *scan) afterFormula() bool {
	w := s.w
	return w.open && w.pend == pendNone && w.formulaEnd == len(w.buf) && w.formulaEnd > w.from
}

// lineBreaks removes the tags that blogs leave in the TeX of alternative texts.
var lineBreaks = strings.NewReplacer("<br />", " ", "<br/>", " ", "<br>", " ")

// bareTeX returns TeX without the delimiters around it, and whether they make the formula a
// displayed one. It returns "" for the start or end of a group, which only limits definitions.
func bareTeX(tex string) (bare string, display bool) {
	tex = lineBreaks.Replace(tex)
	if tex = strings.TrimSpace(tex); tex == `\begingroup` || tex == `\endgroup` {
		return "", false
	}
	around := [...]struct {
		open, close string
		display     bool
	}{{"$$", "$$", true}, {"$", "$", false}, {`\[`, `\]`, true}, {`\(`, `\)`, false}, {`{\displaystyle `, "}", false}, {`{\textstyle `, "}", false}, {`\displaystyle `, "", false}}
	for i := 0; i < len(around); {
		tex = strings.TrimSpace(tex)
		a := &around[i]
		in, ok := strings.CutPrefix(tex, a.open)
		if ok {
			in, ok = strings.CutSuffix(in, a.close)
		}
		if !ok || strings.Contains(in, "$") {
			i++
			continue
		}
		tex, display, i = in, display || a.display, 0
	}
	return tex, display
}

// math reads the math element whose start tag is the current token.
func (s *scan) math() {
	l := &s.lex
	from, begin := l.start, l.pos
	alt, _ := l.attrs.named("alttext")
	display, _ := l.attrs.named("display")
	mode, _ := l.attrs.named("mode")
	s.skipElement(tagMath)
	if l.pos <= begin || s.muted > 0 || s.hidden > 0 {
		return
	}
	in := l.src[begin:l.pos]
	tex := annotation(in)
	if alt = collapse(alt, true); tex == "" && (looksTeX(alt) || alt != "" && strings.IndexByte(alt, ' ') < 0) {
		tex = alt
	}
	if tex == "" {
		tex = mathTeX(in)
	}
	s.formula(tex, strings.EqualFold(display, "block") || strings.EqualFold(mode, "display"), from, l.pos)
}

// annotation returns the TeX annotation of a MathML formula; "" if none.
func annotation(math string) string {
	l := lexer{src: math, cdata: true}
	for {
		switch l.next() {
		case tokEOF:
			return ""
		case tokStart:
			if !strings.EqualFold(l.name, "annotation") {
				continue
			}
			if enc, _ := l.attrs.named("encoding"); !strings.Contains(strings.ToLower(enc), "tex") {
				continue
			}
			tex, _, _ := strings.Cut(math[l.pos:], "</")
			return collapse(tex, false)
		}
	}
}

// texScript adds the formula of the script that is the current token, if it is one of MathJax.
func (s *scan) texScript(typ, content string) {
	typ, mode, _ := strings.Cut(strings.ToLower(typ), ";")
	if typ != "math/tex" {
		return
	}
	content = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(content), "% <![CDATA["), "%]]>")
	s.formula(strings.Join(strings.Fields(content), " "), strings.Contains(mode, "display"), s.lex.start, s.lex.pos)
}

// imageTeX returns the TeX of the formula in the image that is the current token; "" for other
// images.
func (s *scan) imageTeX() (tex string, display bool) {
	alt := s.lex.attrs.value(attrAlt)
	if len(alt) > maxFormula {
		return "", false
	}
	if alt == "" {
		src := s.lex.attrs.value(attrSrc)
		return addressTeX(src), false
	}
	class := s.lex.attrs.value(attrClass)
	for c := range strings.FieldsSeq(class) {
		switch c = strings.ToLower(c); c {
		case "tex", "latex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display":
			return collapse(alt, true), strings.HasSuffix(c, "display")
		}
	}
	src := s.lex.attrs.value(attrSrc)
	for _, maker := range texRenderers {
		if strings.Contains(src, maker) {
			return collapse(alt, true), false
		}
	}
	if strings.IndexByte(alt, '\\') >= 0 && looksTeX(alt) {
		return collapse(alt, true), false
	}
	return "", false
}

// texRenderers holds parts of addresses of programs that render TeX.
var texRenderers = []string{"latex.php?", "latex.codecogs.com/", "/media/math/render/", "mathtex.cgi", "mimetex.cgi", "cht=tx"}

// addressTeX returns the TeX that ends the address of an image, as for services that draw formulas;
// "" for other images.
func addressTeX(src string) string {
	if len(src) > maxFormula || !strings.Contains(src, "%5C") && !strings.Contains(src, "%5c") && strings.IndexByte(src, '\\') < 0 {
		return ""
	}
	if i := strings.LastIndexAny(src, "?/"); i >= 0 {
		src = src[i+1:]
	}
	if i := strings.Index(src, "chl="); i >= 0 {
		src, _, _ = strings.Cut(src[i+len("chl="):], "&")
	}
	tex, err := url.PathUnescape(src)
	if tex = collapse(tex, true); err != nil || !looksTeX(tex) && !strings.HasPrefix(tex, `\`) {
		return ""
	}
	return tex
}

// attributeTeX returns the TeX in the attribute data-math of the current start tag, whose content
// is the rendered formula, and reports whether the formula is displayed.
func (s *scan) attributeTeX(class string) (tex string, display bool) {
	if !strings.HasPrefix(class, "math-") {
		return "", false
	}
	tex, _ = s.lex.attrs.named("data-math")
	return collapse(tex, true), strings.HasPrefix(class, "math-block")
}

// looksTeX reports whether s is TeX rather than a description of a formula: it has a command with
// an argument, or a superscript or subscript.
func looksTeX(s string) bool {
	if strings.Contains(s, `:\`) { // a Windows path
		return false
	}
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\\' && isLetter(s[i+1]) {
			return strings.ContainsAny(s, "{^_")
		}
	}
	return strings.ContainsAny(s, "^_{") && strings.IndexByte(s, '/') < 0
}

// isRenderedFormula reports whether the current start tag, of element t and this class, begins a formula that a
// script has rendered, and whose TeX is elsewhere in the page.
func (s *scan) isRenderedFormula(t tagID, class string) bool {
	if t == tagNobr {
		return s.lex.hides() && s.mathFollows()
	}
	if class == "" {
		return false
	}
	switch class[0] {
	case 'k':
		return strings.HasPrefix(class, "katex-html") && s.afterFormula()
	case 'm':
		if strings.HasPrefix(class, "mjx-math") {
			return s.lex.hides() && s.mathFollows()
		}
		return strings.HasPrefix(class, "mjx-") && s.hasTeXScripts()
	case 'M':
		return (strings.HasPrefix(class, "MathJax") || strings.HasPrefix(class, "MJX")) && s.hasTeXScripts()
	}
	return false
}

// hides reports whether the current tag hides its element from screen readers (aria-hidden).
func (l *lexer) hides() bool {
	v := l.attrs.value(attrAriaHidden)
	return strings.EqualFold(v, "true")
}

// mathFollows reports whether a math element begins within 64 KiB.
func (s *scan) mathFollows() bool {
	const far = 64 << 10
	src, at := s.lex.src, s.lex.pos
	if s.nextMath < at {
		s.nextMath = len(src)
		if i := strings.Index(src[at:], "<math"); i >= 0 {
			s.nextMath = at + i
		}
	}
	return s.nextMath < len(src) && s.nextMath-at < far
}

// hasTeXScripts reports whether the page has formulas in scripts of MathJax.
func (s *scan) hasTeXScripts() bool {
	if s.texScripts == 0 {
		s.texScripts = 1
		if strings.Contains(s.lex.src, `"math/tex`) {
			s.texScripts = 2
		}
	}
	return s.texScripts == 2
}
