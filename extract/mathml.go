package extract

import (
	"strings"
	"unicode/utf8"
)

// mathNode is a MathML element.
type mathNode struct {
	name        string
	text        string
	open, close string // delimiters of mfenced
	variant     string // command of mathvariant
	stacked     bool   // a fraction without a line
	lined       bool   // menclose with a line above
	nodes       []*mathNode
}

// Limits of one formula.
const (
	maxMathNodes = 5000
	maxMathDepth = 64
)

// mathTeX converts presentation MathML to TeX. Symbols without a command in [texSymbols] stay in
// Unicode. It returns "" if the formula exceeds the limits.
func mathTeX(src string) string {
	l := lexer{src: src, cdata: true}
	root := &mathNode{name: "mrow"}
	open := []*mathNode{root}
	for n := 0; ; {
		top := open[len(open)-1]
		switch l.next() {
		case tokEOF:
			var w texWriter
			w.node(root)
			return strings.TrimSpace(w.b.String())
		case tokText:
			top.text += collapse(src[l.start:l.end], false)
		case tokStart:
			if n++; n > maxMathNodes || len(open) > maxMathDepth {
				return ""
			}
			k := &mathNode{name: strings.ToLower(l.name[strings.IndexByte(l.name, ':')+1:]), open: "(", close: ")"}
			if v, ok := l.attrs.get(attrOpen); ok {
				k.open = collapse(v, true)
			}
			if v, ok := l.attrs.named("close"); ok {
				k.close = collapse(v, true)
			}
			if v, ok := l.attrs.named("mathvariant"); ok {
				k.variant = variants[v]
			}
			if v, ok := l.attrs.named("notation"); ok {
				k.lined = strings.TrimSpace(v) == "top"
			}
			if v, ok := l.attrs.named("linethickness"); ok {
				k.stacked = strings.HasPrefix(v, "0")
			}
			top.nodes = append(top.nodes, k)
			if !l.selfClose {
				open = append(open, k)
			}
		case tokEnd:
			name := strings.ToLower(l.name[strings.IndexByte(l.name, ':')+1:])
			for i := len(open) - 1; i > 0; i-- {
				if open[i].name == name {
					open = open[:i]
					break
				}
			}
		}
	}
}

// texWriter writes TeX, with a space between a command and a letter.
type texWriter struct {
	b       strings.Builder
	command bool // the text ends in a command of letters
}

func (w *texWriter) put(s string) {
	if s == "" {
		return
	}
	if w.command && isLetter(s[0]) {
		w.b.WriteByte(' ')
	}
	w.b.WriteString(s)
	i := len(s)
	for i > 0 && isLetter(s[i-1]) {
		i--
	}
	w.command = i > 0 && i < len(s) && s[i-1] == '\\' || i == 0 && w.command
}

// group writes n as the argument of a command.
func (w *texWriter) group(n *mathNode) {
	w.put("{")
	w.node(n)
	w.put("}")
}

// base writes n as the base of an index.
func (w *texWriter) base(n *mathNode) {
	if len(n.nodes) > 0 || utf8.RuneCountInString(n.text) > 1 && n.name == "mn" {
		w.group(n)
		return
	}
	w.node(n)
}

// child returns element i of n, or an empty element if there is none.
func (n *mathNode) child(i int) *mathNode {
	if i < len(n.nodes) {
		return n.nodes[i]
	}
	return &mathNode{name: "none"}
}

// node writes n.
func (w *texWriter) node(n *mathNode) {
	switch n.name {
	case "mi":
		if n.variant != "" {
			w.put(n.variant + "{")
			w.signs(n.text)
			w.put("}")
			return
		}
		w.identifier(n.text)
	case "mo", "mn":
		w.signs(n.text)
	case "mtext", "ms":
		if n.text != "" {
			w.put(`\text{`)
			w.put(n.text)
			w.put("}")
		}
	case "mspace":
		w.put(" ")
	case "mfrac":
		if n.stacked {
			w.put(`\genfrac{}{}{0pt}{}`)
		} else {
			w.put(`\frac`)
		}
		w.group(n.child(0))
		w.group(n.child(1))
	case "msqrt", "mroot":
		w.put(`\sqrt`)
		if n.name == "msqrt" {
			w.put("{")
			w.all(n.nodes)
			w.put("}")
			return
		}
		w.put("[")
		w.node(n.child(1))
		w.put("]")
		w.group(n.child(0))
	case "msup", "msub", "msubsup", "munderover":
		w.base(n.child(0))
		w.index(n.name != "msup", n.child(1))
		if len(n.nodes) > 2 {
			w.index(false, n.child(2))
		}
	case "munder", "mover":
		w.over(n, n.name == "munder")
	case "mfenced":
		w.put(n.open)
		for i, k := range n.nodes {
			if i > 0 {
				w.put(", ")
			}
			w.node(k)
		}
		w.put(n.close)
	case "menclose":
		if n.lined {
			w.put(`\overline`)
		}
		w.put("{")
		w.all(n.nodes)
		w.put("}")
	case "mtable":
		w.table(n)
	case "mmultiscripts":
		w.scripts(n)
	case "semantics", "maction":
		w.node(n.child(0))
	case "annotation", "annotation-xml", "mphantom", "none", "mprescripts":
	default:
		w.all(n.nodes)
		if len(n.nodes) == 0 {
			w.signs(n.text)
		}
	}
}

func (w *texWriter) all(nodes []*mathNode) {
	for _, k := range nodes {
		w.node(k)
	}
}

// functions holds the identifiers that are commands in TeX.
var functions = map[string]bool{"sin": true, "cos": true, "tan": true, "cot": true, "sinh": true, "cosh": true, "tanh": true, "arcsin": true, "arccos": true,
	"arctan": true, "log": true, "ln": true, "exp": true, "lim": true, "max": true, "min": true, "sup": true, "inf": true, "det": true, "dim": true, "ker": true, "gcd": true, "arg": true}

func (w *texWriter) identifier(name string) {
	switch {
	case functions[name]:
		w.put(`\` + name)
	case utf8.RuneCountInString(name) > 1:
		w.put(`\mathrm{`)
		w.signs(name)
		w.put("}")
	default:
		w.signs(name)
	}
}

// signs writes operators and numbers. Special characters of TeX are escaped, invisible operators
// left out.
func (w *texWriter) signs(s string) {
	for _, r := range s {
		if c := texSymbols[plainLetter(r)]; c != "" {
			w.put(c)
			continue
		}
		switch r = plainLetter(r); r {
		case '{', '}', '%', '#', '$', '&', '_':
			w.put(`\` + string(r))
		case '\\':
			w.put(`\backslash`)
		case 0x2061, 0x2062, 0x2063, 0x2064:
		default:
			w.put(string(r))
		}
	}
}

// index writes n as the subscript or superscript of the text before.
func (w *texWriter) index(below bool, n *mathNode) {
	if len(n.nodes) == 0 && n.text == "" {
		return
	}
	if below {
		w.put("_")
	} else {
		w.put("^")
	}
	w.group(n)
}

// accents maps symbols above a letter to commands.
var accents = map[string]string{"―": `\overline`, "_": `\overline`, "⏞": `\overbrace`, "⌢": `\widehat`, "¯": `\overline`, "‾": `\overline`, "^": `\hat`, "ˆ": `\hat`, "~": `\tilde`, "˜": `\tilde`, "→": `\vec`, "⃗": `\vec`, "˙": `\dot`, "¨": `\ddot`}

// over writes an element with something above or below: an accent, the limits of a sum, or anything
// else.
func (w *texWriter) over(n *mathNode, below bool) {
	base, mark := n.child(0), n.child(1)
	if a := accents[mark.text]; a != "" && !below {
		w.put(a)
		w.group(base)
		return
	}
	if base.name == "mo" || base.name == "mi" {
		w.node(base)
		w.index(below, mark)
		return
	}
	if below {
		w.put(`\underset`)
	} else {
		w.put(`\overset`)
	}
	w.group(mark)
	w.group(base)
}

func (w *texWriter) table(n *mathNode) {
	w.put(`\begin{matrix}`)
	for i, row := range n.nodes {
		if i > 0 {
			w.put(` \\`)
		}
		for k, cell := range row.nodes {
			if k > 0 {
				w.put(" &")
			}
			w.put(" ")
			w.node(cell)
		}
	}
	w.put(` \end{matrix}`)
}

// scripts writes a base with indexes on both sides.
func (w *texWriter) scripts(n *mathNode) {
	pre := len(n.nodes)
	for i, k := range n.nodes {
		if k.name == "mprescripts" {
			pre = i
		}
	}
	pairs := func(nodes []*mathNode) {
		for i, k := range nodes {
			w.index(i%2 == 0, k)
		}
	}
	if pre < len(n.nodes) {
		w.put("{}")
		pairs(n.nodes[pre+1:])
	}
	w.base(n.child(0))
	pairs(n.nodes[min(1, pre):pre])
}
