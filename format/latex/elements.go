package latex

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/lazyregexp"
)

var labels = lazyregexp.New(`\\label\{[^{}]*\}`)

// heading writes a heading.
func (w *writer) heading(in *input, level int) {
	in.option()
	text := in.arg()
	if w.flat != nil {
		return
	}
	w.endPara()
	for len(w.stack) > 0 && w.stack[len(w.stack)-1].name == "" {
		w.pop()
	}
	flow := w.flow
	depth := w.b.Depth()
	w.block("h"+strconv.Itoa(level), true)
	w.run(text)
	w.b.Close(depth)
	w.flow, w.space = flow, false
}

// note writes the reference to a note.
func (w *writer) note(text string) {
	if w.flat != nil || strings.TrimSpace(text) == "" || len(w.notes) > 100000 {
		return
	}
	w.space = false
	w.notes = append(w.notes, text)
	n := strconv.Itoa(len(w.notes))
	w.start("a", "href", "#note-"+n, "role", document.NoteRef)
	w.b.Block("sup", n)
	w.b.End()
}

// link writes a link.
func (w *writer) link(address, text string) {
	if w.flat != nil {
		w.run(text)
		return
	}
	w.start("a", "href", flow.WebLink(strings.ReplaceAll(address, "\\", "")))
	depth := w.b.Depth()
	w.run(text)
	w.b.Close(depth - 1)
}

// verb writes code between two equal marks.
func (w *writer) verb(in *input, name string) {
	in.option()
	if name == "mintinline" {
		in.arg()
	}
	if in.i >= len(in.s) {
		return
	}
	_, size := utf8.DecodeRuneInString(in.s[in.i:])
	end := in.s[in.i : in.i+size]
	if end == "{" {
		end = "}"
	}
	within := in.s[in.i+size : min(len(in.s), in.i+1000)]
	n := strings.Index(within, end)
	if n < 0 {
		return
	}
	text := within[:n]
	in.i += size + n + size
	if w.flat != nil {
		w.text(text)
		return
	}
	w.start("code")
	w.b.Text(text)
	w.b.End()
}

// caption writes the caption of a figure or table.
func (w *writer) caption(in *input, name string) {
	if name == "captionof" {
		in.arg()
	}
	in.option()
	text := in.arg()
	if w.flat != nil {
		return
	}
	w.endPara()
	flow, depth := w.flow, w.b.Depth()
	w.block("figcaption", true)
	w.run(text)
	w.b.Close(depth)
	w.flow, w.space = flow, false
}

// line ends a line or a row.
func (w *writer) line() {
	switch t := w.table(); {
	case w.flat != nil:
		w.space = true
	case t != nil:
		w.cell(t, true)
	case w.para > 0 || w.flow:
		w.space = false
		w.b.Void("br")
	}
}

// multicolumn begins a cell that covers columns.
func (w *writer) multicolumn(t *scope, columns string) {
	if w.b.Depth() == t.depth+1 {
		w.b.Start("tr")
	}
	if columns == "1" {
		columns = ""
	}
	if columns != "" || w.b.Depth() == t.depth+2 {
		w.cell(t, false, "colspan", columns)
	}
}

// last writes the last argument of a macro with several.
func (w *writer) last(in *input, name string) {
	n := map[string]int{"textcolor": 2, "colorbox": 2, "fcolorbox": 3, "foreignlanguage": 2, "raisebox": 2, "scalebox": 2, "resizebox": 3, "rotatebox": 2, "parbox": 2, "hyperlink": 2, "hypertarget": 2, "hyperref": 1, "texorpdfstring": 2, "fontsize": 2, "selectlanguage": 1}[name]
	in.option()
	text := ""
	for i := range n {
		a := in.arg()
		in.option()
		if i == n-1 && name != "fontsize" && name != "selectlanguage" {
			text = a
		}
	}
	w.run(text)
}

// headed skips the head and foot of further pages after the head of a long table.
func (w *writer) headed(in *input) {
	t := w.table()
	if t == nil || t.headed {
		return
	}
	t.headed = true
	part, _, _ := strings.Cut(in.s[in.i:min(len(in.s), in.i+maxArg)], `\end{`)
	for _, end := range [...]string{`\endhead`, `\endfoot`} {
		if n := strings.LastIndex(part, end); n >= 0 {
			in.i += n + len(end)
			part = part[n+len(end):]
		}
	}
}

// skipFalse skips the text up to the end of a false condition.
func (w *writer) skipFalse(in *input) {
	for _, end := range [...]string{`\fi`} {
		if w.missing[end] {
			return
		}
		n := strings.Index(in.s[in.i:], end)
		if n < 0 {
			w.missing[end] = true
			return
		}
		in.i += n + len(end)
	}
}

// beginEnv begins an environment.
func (w *writer) beginEnv(in *input, name string) {
	base := strings.TrimSuffix(name, "*")
	switch {
	case verbatim[base], skipped[base], formulas[base]:
		end := `\end{` + name + "}"
		n := -1
		if !w.missing[end] {
			n = strings.Index(in.s[in.i:], end)
		}
		if n < 0 {
			w.missing[end] = true
			return
		}
		text := in.s[in.i : in.i+n]
		switch {
		case verbatim[base]:
			w.code(text, base)
		case formulas[base] && len(text) <= maxFormula:
			w.text("$" + strings.Join(strings.Fields(labels().ReplaceAllString(uncommented(text), "")), " ") + "$")
		}
		in.i += n + len(end)
		return
	case w.flat != nil || len(w.stack) >= maxOpen:
		return
	}
	w.endPara()
	w.push(scope{name: name, cells: tables[base]})
	s := &w.stack[len(w.stack)-1]
	switch {
	case lists[base]:
		s.name = base
		in.option()
		element := map[string]string{"enumerate": "ol", "description": "dl"}[base]
		if element == "" {
			element = "ul"
		}
		w.block(element, false)
	case tables[base]:
		if base != "tabular" && base != "longtable" && base != "array" && base != "supertabular" && base != "tabulary" || name == "tabular*" {
			in.arg()
		}
		if base == "tabulary" {
			in.arg()
		}
		in.option()
		in.arg()
		w.block("table", false)
	case base == "quote" || base == "quotation" || base == "verse" || base == "displayquote" || base == "epigraphs":
		w.block("blockquote", false)
	case base == "figure" || base == "table" || base == "wrapfigure" || base == "sidewaysfigure" || base == "sidewaystable" || base == "wraptable" || base == "listing" || base == "algorithm":
		in.option()
		for strings.HasPrefix(base, "wrap") && in.i < len(in.s) && in.s[in.i] == '{' {
			in.arg()
		}
		w.block("figure", false)
	case base == "thebibliography":
		in.arg()
		w.block("section", false, "role", document.Bibliography)
	case base == "abstract":
		w.block("section", false, "role", "doc-abstract")
	case base == "minipage" || base == "multicols" || base == "adjustwidth" || base == "spacing" || base == "otherlanguage" || base == "tcolorbox" || base == "mdframed" || base == "frame":
		in.option()
		in.option()
		if in.i < len(in.s) && in.s[in.i] == '{' {
			text := in.arg()
			if base == "frame" {
				w.b.Start("h3")
				w.flow = true
				w.run(text)
				w.endPara()
				w.b.Close(s.depth)
				w.flow = false
			}
		}
	default: // such as theorems: the title is text
		if title, ok := in.option(); ok && title != "" && !strings.Contains(title, "=") && theorem(base) {
			w.run(title)
			w.endPara()
		}
		for in.i < len(in.s) && in.s[in.i] == '{' && !theorem(base) {
			in.arg()
		}
		if w.flow && len(w.stack) > 1 && !lists[w.stack[len(w.stack)-2].name] {
			w.flow = true
		} else {
			w.flow = false
		}
	}
}

// theorem reports whether an environment has a title as its option.
func theorem(name string) bool {
	for _, s := range [...]string{"theorem", "thm", "lemma", "lem", "def", "prop", "cor", "exa", "rem", "proof", "axiom", "conj", "exercise", "claim", "fact", "note"} {
		if strings.HasPrefix(strings.ToLower(name), s) {
			return true
		}
	}
	return false
}

// endEnv ends an environment and the groups within it.
func (w *writer) endEnv(name string) {
	if lists[strings.TrimSuffix(name, "*")] {
		name = strings.TrimSuffix(name, "*")
	}
	i := len(w.stack) - 1
	for i >= 0 && w.stack[i].name != name {
		i--
	}
	for i >= 0 && len(w.stack) > i {
		w.pop()
	}
	w.space = true
}

// code writes code.
func (w *writer) code(text, name string) {
	if w.flat != nil {
		return
	}
	in := &input{s: text}
	if name != "verbatim" {
		in.option()
		if name == "minted" {
			in.arg()
		}
	}
	text = text[in.i:]
	if name == "Highlighting" { // of pandoc, whose tokens are arguments
		text = unescaped.Replace(tokens().ReplaceAllString(text, "$1"))
	}
	flow, depth := w.flow, w.b.Depth()
	w.endPara()
	w.b.Close(min(depth, w.b.Depth()))
	w.b.Block("pre", strings.Trim(text, "\n"))
	w.flow = flow
}

var (
	tokens    = lazyregexp.New(`\\[A-Za-z]+Tok\{((?:[^{}\\]|\\[a-z]+\{\}|\\.)*)\}`)
	unescaped = strings.NewReplacer(`\textbackslash{}`, `\`, `\{`, "{", `\}`, "}")
)
