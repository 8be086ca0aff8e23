package latex

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// input is LaTeX with a position.
type input struct {
	s      string
	i      int
	failed int // arguments without an end
}

// run writes LaTeX.
func (w *writer) run(text string) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	floor := len(w.stack)
	in := &input{s: text}
	for n := 0; in.i < len(in.s); n++ {
		if n&255 == 0 && w.done() {
			break
		}
		if t := w.table(); t != nil && w.flat == nil && strings.IndexByte(" \t\n\\%", in.s[in.i]) < 0 {
			w.open(t)
		}
		switch c := in.s[in.i]; c {
		case '\\':
			w.command(in)
		case '{':
			if in.i++; len(w.stack) < maxOpen {
				w.push(scope{})
			} else {
				w.over++
			}
		case '}':
			if in.i++; w.over > 0 {
				w.over--
			} else if n := len(w.stack); n > floor && w.stack[n-1].name == "" {
				w.pop()
			}
		case '%':
			n := strings.IndexByte(in.s[in.i:], '\n')
			if n < 0 {
				n = len(in.s) - in.i - 1
			}
			in.i += n + 1
			for in.i < len(in.s) && (in.s[in.i] == ' ' || in.s[in.i] == '\t') {
				in.i++
			}
		case '$':
			w.dollars(in)
		case '&':
			in.i++
			if t := w.table(); t != nil && w.flat == nil && strings.HasPrefix(strings.TrimLeft(in.s[in.i:], " \t\n"), `\multicolumn`) {
				w.endPara() // \multicolumn begins the cell
				w.b.Close(t.depth + 2)
			} else if t != nil && w.flat == nil {
				w.cell(t, false)
			}
		case ' ', '\t', '\n':
			lines := 0
			for in.i < len(in.s) && (in.s[in.i] == ' ' || in.s[in.i] == '\t' || in.s[in.i] == '\n') {
				if in.s[in.i] == '\n' {
					lines++
				}
				in.i++
			}
			if w.space = true; lines > 1 && w.table() == nil {
				w.paragraph()
			}
		case '~':
			in.i++
			w.space = true
		default:
			size := strings.IndexAny(in.s[in.i:], "\\{}%$& \t\n~")
			if size < 0 {
				size = len(in.s) - in.i
			}
			w.text(dashes.Replace(in.s[in.i : in.i+size]))
			in.i += size
		}
	}
	if w.depth > 2 || w.flat != nil { // an argument or macro ends its groups
		for len(w.stack) > floor && w.stack[len(w.stack)-1].name == "" {
			w.pop()
		}
	}
}

// paragraph ends a paragraph at an empty line.
func (w *writer) paragraph() {
	if w.flat != nil {
		return
	}
	if n := len(w.stack); w.flow && n > 0 && lists[w.stack[n-1].name] && w.b.Depth() > w.stack[n-1].depth+1 { // in an item
		w.flow = false
		return
	}
	w.endPara()
}

var dashes = strings.NewReplacer("---", "—", "--", "–", "``", "“", "''", "”", "`", "‘", "'", "’", "?`", "¿", "!`", "¡", ",,", "„", "<<", "«", ">>", "»")

// dollars writes a formula between dollar signs.
func (w *writer) dollars(in *input) {
	mark := "$"
	if strings.HasPrefix(in.s[in.i:], "$$") {
		mark = "$$"
	}
	if !w.formula(in, in.i+len(mark), mark) {
		w.text(mark)
		in.i += len(mark)
	}
}

// maxFormula is the most bytes of a formula.
const maxFormula = 8000

// formula writes the formula between an offset and an end mark. It reports whether the mark was
// found.
func (w *writer) formula(in *input, from int, end string) bool {
	within := in.s[from:min(len(in.s), from+maxFormula)]
	n := strings.Index(within, end)
	for end == "$" && n > 0 && within[n-1] == '\\' {
		next := strings.Index(within[n+1:], end)
		if next < 0 {
			n = -1
			break
		}
		n += 1 + next
	}
	if n < 0 {
		return false
	}
	w.text("$" + strings.Join(strings.Fields(labels().ReplaceAllString(uncommented(within[:n]), "")), " ") + "$")
	in.i = from + n + len(end)
	return true
}

// name reads the name of a macro after a backslash.
func (in *input) name() string {
	in.i++
	from := in.i
	for in.i < len(in.s) && (in.s[in.i]|0x20 >= 'a' && in.s[in.i]|0x20 <= 'z' || in.s[in.i] == '@') {
		in.i++
	}
	if in.i == from && in.i < len(in.s) {
		_, n := utf8.DecodeRuneInString(in.s[in.i:])
		in.i += n
		return in.s[from:in.i]
	}
	return in.s[from:in.i]
}

// blanks skips spaces and one line end.
func (in *input) blanks() {
	lines := 0
	for in.i < len(in.s) && (in.s[in.i] == ' ' || in.s[in.i] == '\t' || in.s[in.i] == '\n' && lines == 0) {
		if in.s[in.i] == '\n' {
			lines++
		}
		in.i++
	}
}

// option reads an optional argument.
func (in *input) option() (string, bool) {
	at := in.i
	in.blanks()
	if in.i < len(in.s) && in.s[in.i] == '[' {
		depth := 0
		for i := in.i + 1; i < min(len(in.s), in.i+2000); i++ {
			switch in.s[i] {
			case '\\':
				i++
			case '{':
				depth++
			case '}':
				depth--
			case ']':
				if depth == 0 {
					text := in.s[in.i+1 : i]
					in.i = i + 1
					return text, true
				}
			}
		}
	}
	in.i = at
	return "", false
}

// arg reads an argument: a group, a macro or a character.
func (in *input) arg() string {
	in.blanks()
	if in.i >= len(in.s) {
		return ""
	}
	switch in.s[in.i] {
	case '{':
		end := -1
		if in.failed < maxFailed {
			end = brace(in.s, in.i)
		}
		if end < 0 {
			in.failed++
			in.i++
			return ""
		}
		text := in.s[in.i+1 : end]
		in.i = end + 1
		return text
	case '}':
		return ""
	case '\\':
		from := in.i
		in.name()
		return in.s[from:in.i]
	}
	_, n := utf8.DecodeRuneInString(in.s[in.i:])
	in.i += n
	return in.s[in.i-n : in.i]
}

// command writes a macro.
func (w *writer) command(in *input) {
	start := in.i
	name := in.name()
	if in.i < len(in.s) && in.s[in.i] == '*' && len(name) > 1 {
		in.i++
	}
	if symbol, ok := symbols[name]; ok {
		in.after(name)
		w.text(symbol)
		return
	}
	if mark := accents[name]; mark != 0 && w.accent(in, mark) {
		return
	}
	if u, ok := w.macros[name]; ok {
		w.expand(in, u)
		return
	}
	if element, ok := styles[name]; ok { // the argument becomes a group
		in.blanks()
		if in.i < len(in.s) && in.s[in.i] == '{' {
			if len(w.stack) >= maxOpen {
				return
			}
			in.i++
			if w.push(scope{}); element != "" {
				if w.begin(); w.flat == nil { // the paragraph is outside the group
					w.stack[len(w.stack)-1].depth = w.b.Depth()
				}
				w.start(element)
			}
		}
		return
	}
	if element, ok := switches[name]; ok {
		in.after(name)
		if element != "" && len(w.stack) > 0 && w.stack[len(w.stack)-1].name == "" {
			if w.begin(); w.flat == nil && w.stack[len(w.stack)-1].depth < w.para {
				w.stack[len(w.stack)-1].depth = w.b.Depth()
			}
			w.start(element)
		}
		return
	}
	if n, ok := dropped[name]; ok {
		in.after(name)
		in.drop(n)
		w.hole = true
		return
	}
	if level, ok := headings[name]; ok {
		w.heading(in, min(max(level+w.top, 1), 6))
		return
	}
	switch name {
	case "begin":
		w.beginEnv(in, in.arg())
	case "end":
		w.endEnv(in.arg())
	case "par", "newpage", "clearpage", "cleardoublepage", "bigskip", "medskip", "smallskip", "pagebreak", "indent", "noindent", "vfill":
		in.after(name)
		if w.table() == nil {
			w.paragraph()
		}
	case "\\", "newline", "linebreak", "tabularnewline", "cr":
		in.option()
		w.line()
	case "(", "[":
		if end := map[string]string{"(": `\)`, "[": `\]`}[name]; !w.formula(in, in.i, end) {
			w.text(name)
		}
	case "item":
		label, _ := in.option()
		w.item(label)
	case "footnote", "footnotetext", "thanks", "sidenote", "marginpar", "endnote":
		in.option()
		w.note(in.arg())
	case "href":
		in.option()
		address := in.arg()
		w.link(address, in.arg())
	case "url", "nolinkurl", "path":
		address := in.arg()
		w.link(address, strings.ReplaceAll(address, "\\", ""))
	case "verb", "lstinline", "mintinline", "Verb":
		w.verb(in, name)
	case "caption", "captionof":
		w.caption(in, name)
	case "multicolumn":
		columns := in.arg()
		in.arg()
		if t := w.table(); t != nil && w.flat == nil {
			if _, err := strconv.Atoi(columns); err != nil || len(columns) > 3 {
				columns = ""
			}
			w.multicolumn(t, columns)
		}
		w.run(in.arg())
	case "lettrine":
		in.option()
		w.run(in.arg())
		w.run(in.arg())
	case "multirow":
		in.arg()
		in.option()
		in.arg()
		w.run(in.arg())
	case "newcommand", "renewcommand", "providecommand", "def", "DeclareRobustCommand", "gdef", "edef", "newrobustcmd":
		if m := define().FindStringSubmatchIndex(in.s[start:min(len(in.s), start+500)]); m != nil && m[0] == 0 {
			if end := brace(in.s, start+m[1]-1); end > 0 {
				w.define(in.s[start+m[2]:start+m[3]], in.s[start+m[4]:start+m[5]], in.s[start+m[1]:end])
				in.i = end + 1
				break
			}
		}
		in.drop(2)
	case "endfirsthead", "endhead":
		w.headed(in)
	case "iffalse":
		w.skipFalse(in)
	case "textcolor", "colorbox", "fcolorbox", "href*", "foreignlanguage", "raisebox", "scalebox", "resizebox", "rotatebox", "parbox", "hyperlink", "hypertarget", "hyperref", "texorpdfstring", "fontsize", "selectlanguage":
		w.last(in, name)
	case "char", "symbol":
		in.arg()
	case "verbatiminput", "input", "include", "subfile", "import", "subimport", "bibliography", "InputIfFileExists":
		in.drop(1)
	default:
		w.unknown(in, name)
	}
}

// after skips the spaces after a macro of letters.
func (in *input) after(name string) {
	if c := name; c != "" && (c[0]|0x20 >= 'a' && c[0]|0x20 <= 'z') {
		in.blanks()
		if strings.HasPrefix(in.s[in.i:], "{}") {
			in.i += 2
		}
	}
}

// drop skips optional arguments and up to n others.
func (in *input) drop(n int) {
	for {
		if _, ok := in.option(); !ok {
			break
		}
	}
	for ; n > 0; n-- {
		at := in.i
		in.blanks()
		if in.i >= len(in.s) || in.s[in.i] != '{' {
			in.i = at
			return
		}
		in.arg()
		in.option()
	}
}

// unknown skips an unknown macro. A single argument is text, several are not.
func (w *writer) unknown(in *input, name string) {
	if name == "" || !(name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z') {
		return
	}
	in.option()
	at := in.i
	if at >= len(in.s) || in.s[at] != '{' {
		in.after(name)
		w.space = w.space || at < in.i
		return
	}
	text := in.arg()
	if in.i < len(in.s) && in.s[in.i] == '{' {
		in.drop(8)
		return
	}
	if !strings.HasPrefix(name, "index") {
		w.run(text)
	}
}

// accent writes a letter with an accent and reports whether one follows.
func (w *writer) accent(in *input, mark rune) bool {
	at := in.i
	letter := in.arg()
	if letter == `\i` || letter == `\j` {
		letter = letter[1:]
		in.after("i")
	}
	r, n := utf8.DecodeRuneInString(letter)
	if n == 0 || len(letter) > 8 || r == '\\' {
		in.i = at
		return letter == ""
	}
	w.text(norm.NFC.String(string(r) + string(mark) + letter[n:]))
	return true
}

// expand writes a macro of the document.
func (w *writer) expand(in *input, u user) {
	args := make([]string, 0, 2*u.args)
	for i := range u.args {
		text := u.first
		if i > 0 || !u.optional {
			text = in.arg()
		} else if o, ok := in.option(); ok {
			text = o
		}
		args = append(args, "#"+strconv.Itoa(i+1), text)
	}
	if u.args == 0 {
		in.after("x")
	}
	body := strings.NewReplacer(args...).Replace(u.body)
	if len(body)+16 > w.left {
		return
	}
	w.left -= len(body) + 16
	w.run(body)
}
