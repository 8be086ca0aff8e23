package asciidoc

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/lazyregexp"
)

// maxNested is the greatest depth of notes and links.
const maxNested = 6

var (
	macro     = lazyregexp.New(`^(?:(footnote|footnoteref|xref|link|mailto|image|icon|kbd|btn|menu|stem|latexmath|asciimath|pass|anchor|indexterm2?|https?|ftp|irc):)([^\s\[\]]*)\[`)
	address   = lazyregexp.New(`^(?:https?|ftp)://[^\s\[\]<>]+`)
	crossRef  = lazyregexp.New(`^<<([^<>,\n]+)(?:,\s*([^<>]+))?>>`)
	anchor    = lazyregexp.New(`^\[\[[\w:.-][^\[\]\n]*\]\]|^\[\[\[[^\[\]\n]+\]\]\]`)
	role      = lazyregexp.New("^\\[[\\w.#%][^\\[\\]\\n]*\\](?:[#*_`])")
	character = strings.NewReplacer(" -- ", "\u2009—\u2009", "...", "…", "(C)", "©", "(R)", "®", "(TM)", "™", "->", "→", "=>", "⇒", "<-", "←", "<=", "⇐", "\"`", "“", "`\"", "”", "'`", "‘", "`'", "’")
)

// marks contains the marks of styles and their elements.
var marks = map[byte]string{'*': "b", '_': "i", '`': "code", '#': "", '^': "sup", '~': "sub", '+': ""}

// inline writes text with its markup.
func (w *writer) inline(text string) {
	if w.depth > maxNested {
		w.b.Text(text)
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	missing := map[string]bool{} // marks that the rest of the text does not contain
	var plain strings.Builder
	flush := func() {
		s := plain.String()
		plain.Reset()
		for {
			line, rest, more := strings.Cut(s, " +\n")
			w.b.Text(character.Replace(html.UnescapeString(strings.ReplaceAll(line, "\n", " "))))
			if !more {
				return
			}
			w.b.Void("br")
			s = rest
		}
	}
	for i := 0; i < len(text) && !w.done(); {
		size := 0
		if c := text[i]; c < 128 && (strings.IndexByte("*_`#^~+<[(\\\"'", c) >= 0 || starts(text, i)) {
			size = w.markup(text, i, missing, &plain, flush)
		}
		if size == 0 {
			_, size = utf8.DecodeRuneInString(text[i:])
			plain.WriteString(text[i : i+size])
		}
		i += size
	}
	flush()
}

// starts reports whether a word, or a note after a word, begins at an offset.
func starts(text string, i int) bool {
	c := text[i]
	return c >= 'a' && c <= 'z' && (i == 0 || !isWord(text[i-1]) || c == 'f' && strings.HasPrefix(text[i:], "footnote:"))
}

// near returns the begin of text, in which the marks of macros end.
func near(text string) string { return text[:min(len(text), 500)] }

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 128
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

// markup writes the markup at an offset and returns its size, 0 if there is none.
func (w *writer) markup(text string, i int, missing map[string]bool, plain *strings.Builder, flush func()) int {
	rest := text[i:]
	switch c := rest[0]; c {
	case '\\':
		if len(rest) > 1 && strings.IndexByte("*_`#^~+<[({\\hlxf", rest[1]) >= 0 {
			n := 2
			if len(rest) > 2 && rest[2] == rest[1] {
				n = 3
			}
			plain.WriteString(rest[1:n])
			return n
		}
		return 0
	case '<':
		if m := crossRef().FindStringSubmatch(near(rest)); m != nil {
			flush()
			w.reference(m[1], m[2])
			return len(m[0])
		}
		return 0
	case '[':
		if m := anchor().FindString(near(rest)); m != "" {
			return len(m)
		}
		if m := role().FindString(near(rest)); m != "" {
			return len(m) - 1
		}
		return 0
	case '(':
		if strings.HasPrefix(rest, "(((") && !missing[")))"] {
			if end := strings.Index(rest, ")))"); end > 0 {
				return end + 3
			}
			missing[")))"] = true
		}
		if strings.HasPrefix(rest, "((") && !missing["))"] {
			if end := strings.Index(rest, "))"); end > 0 {
				plain.WriteString(rest[2:end])
				return end + 2
			}
			missing["))"] = true
		}
		return 0
	case '"', '\'':
		if strings.HasPrefix(rest[1:], "`") { // a quotation mark
			plain.WriteString(rest[:2])
			return 2
		}
		return 0
	}
	if isLetter := rest[0] >= 'a' && rest[0] <= 'z'; isLetter {
		return w.macro(rest, flush)
	}
	return w.style(text, i, missing, plain, flush)
}

// style writes text in a style.
func (w *writer) style(text string, i int, missing map[string]bool, plain *strings.Builder, flush func()) int {
	rest := text[i:]
	c := rest[0]
	if c == '`' && strings.HasPrefix(rest, "`\"") || c == '`' && strings.HasPrefix(rest, "`'") {
		plain.WriteString(rest[:2])
		return 2
	}
	mark := rest[:1]
	if double := mark + mark; strings.HasPrefix(rest, double) {
		mark = double
		if strings.HasPrefix(rest, "+++") {
			mark = "+++"
		}
	} else if c != '^' && c != '~' && i > 0 && (isWord(text[i-1]) || text[i-1] == ':' && c != '*' && c != '_' || text[i-1] == '}') {
		return 0
	}
	if missing[mark] || len(rest) <= len(mark) || len(mark) == 1 && isSpace(rest[1]) {
		return 0
	}
	within := rest // text that may contain the end
	if c == '^' || c == '~' {
		if n := strings.IndexAny(rest, " \n"); n >= 0 {
			within = rest[:n]
		}
	}
	end := -1
	for from := len(mark); ; {
		n := strings.Index(within[from:], mark)
		if n < 0 {
			missing[mark] = len(within) == len(rest)
			return 0
		}
		n += from
		after := n + len(mark)
		if n > len(mark) && (len(mark) > 1 || !isSpace(rest[n-1]) && (c == '^' || c == '~' || after == len(rest) || !isWord(rest[after]) && rest[after] != c)) {
			end = n
			break
		}
		from = after
	}
	inner := rest[len(mark):end]
	flush()
	switch {
	case mark == "+++":
		w.b.HTML(inner)
	case c == '+':
		w.b.Text(strings.ReplaceAll(inner, "\n", " "))
	case c == '`' && strings.HasPrefix(inner, "+") && strings.HasSuffix(inner, "+") && len(inner) > 1:
		w.b.Block("code", strings.Trim(inner, "+"))
	case marks[c] == "":
		w.inline(inner)
	default:
		w.b.Start(marks[c])
		w.inline(inner)
		w.b.End()
	}
	return end + len(mark)
}

// macro writes an inline macro or an address.
func (w *writer) macro(rest string, flush func()) int {
	m := macro().FindStringSubmatch(near(rest))
	if m == nil {
		if a := address().FindString(near(rest)); a != "" {
			a = strings.TrimRight(a, ".,;:!?)'\"")
			flush()
			w.b.Block("a", a, "href", flow.WebLink(a))
			return len(a)
		}
		return 0
	}
	if w.unclosed > maxUnclosed {
		return 0
	}
	end := closing(rest, len(m[0]))
	if end < 0 {
		w.unclosed++
		return 0
	}
	content := strings.ReplaceAll(rest[len(m[0]):end], `\]`, "]")
	flush()
	switch m[1] {
	case "footnote", "footnoteref":
		if content == "" {
			break
		}
		if m[1] == "footnoteref" {
			_, text, ok := strings.Cut(content, ",")
			if !ok {
				break
			}
			content = text
		}
		w.notes = append(w.notes, content)
		n := strconv.Itoa(len(w.notes))
		w.b.Start("a", "href", "#note-"+n, "role", document.NoteRef)
		w.b.Block("sup", n)
		w.b.End()
	case "xref":
		w.reference(m[2], content)
	case "image", "icon", "anchor", "indexterm":
	case "stem", "latexmath", "asciimath":
		w.b.Text("$" + content + "$")
	case "pass":
		w.b.HTML(content)
	case "kbd", "btn":
		w.b.Block("kbd", strings.TrimSpace(content))
	case "menu":
		w.b.Text(strings.TrimSpace(m[2] + " › " + strings.ReplaceAll(content, ">", "›")))
	default:
		link := m[2]
		if m[1] != "link" {
			link = m[1] + ":" + m[2]
		}
		first := ""
		if text := strings.TrimSuffix(content, "^"); text == "" {
			first = strings.TrimPrefix(link, "mailto:")
		} else if first, _, _ = strings.Cut(text, ",window="); strings.HasPrefix(text, `"`) {
			if quoted, _, ok := strings.Cut(text[1:], `"`); ok {
				first = quoted
			}
		} else if first, _, _ = strings.Cut(first, ",role="); m[1] == "mailto" {
			first, _, _ = strings.Cut(first, ",")
		}
		w.b.Start("a", "href", flow.WebLink(link))
		w.inline(strings.TrimSuffix(first, "^"))
		w.b.End()
	}
	return end + 1
}

// reference writes the text of a reference, or the title that it refers to.
func (w *writer) reference(name, text string) {
	if text == "" {
		text = w.titles[strings.TrimPrefix(name, "#")]
	}
	if text == "" || len(text) > w.left {
		return
	}
	w.left -= len(text)
	w.b.Start("a")
	w.inline(strings.Trim(text, `"`))
	w.b.End()
}

// maxMacro is the most bytes within the brackets of a macro.
const maxMacro = 4000

// closing returns the offset of the bracket that closes a macro, -1 if there is none.
func closing(text string, from int) int {
	depth := 1
	for i := from; i < min(len(text), from+maxMacro); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// text returns text without markup.
func (w *writer) text(s string) string {
	return strings.TrimSpace(strings.NewReplacer("`", "", "*", "", "__", "").Replace(w.replace(s)))
}
