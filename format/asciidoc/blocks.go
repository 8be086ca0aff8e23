package asciidoc

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/lazyregexp"
)

var (
	section    = lazyregexp.New(`^(={1,6}|#{1,6})[ \t]+(\S.*)$`)
	attributes = lazyregexp.New(`^\[(?:[\w.#%",][^\]\n]*|\[[\w:.-][^\]\n]*\]|)\]$`)
	blockTitle = lazyregexp.New(`^\.([^\s.].*)$`)
	delimiter  = lazyregexp.New("^(?:-{4,}|\\.{4,}|={4,}|\\*{4,}|_{4,}|\\+{4,}|--|```+[\\w-]*|[|,:!]={3,})$")
	macroBlock = lazyregexp.New(`^(?:image|video|audio|toc|stem|latexmath|asciimath)::[^\[]*\[.*\]$`)
	unordered  = lazyregexp.New(`^[ \t]*(\*{1,6}|-|•)[ \t]+(\S.*)$`)
	ordered    = lazyregexp.New(`^[ \t]*(\.{1,6}|\d{1,4}\.|[a-zA-Z]\.|[ivxIVX]{1,5}\))[ \t]+(\S.*)$`)
	callout    = lazyregexp.New(`^<(?:\d{1,3}|\.)>[ \t]+(\S.*)$`)
	described  = lazyregexp.New(`^[ \t]*([^\s/].*?)(:{2,4}|;;)(?:[ \t]+(.*))?$`)
	admonition = lazyregexp.New(`^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION): +(\S.*)$`)
	checkbox   = lazyregexp.New(`^\[[ xX*]\] +`)
)

// underlines reports whether the second line underlines the first as a title.
func underlines(text, line string) bool {
	if len(line) < 3 || !strings.ContainsRune("=-~^+", rune(line[0])) || strings.Trim(line, line[:1]) != "" || text == "" || text[0] == ' ' || text[0] == '.' || text[0] == '[' {
		return false
	}
	n := utf8.RuneCountInString(text) - len(line)
	return n >= -2 && n <= 2 && strings.ContainsFunc(text, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 })
}

// style holds the attributes before a block.
type style struct {
	names   string // positional and named attributes
	caption string
}

// is reports whether the first attribute is a name.
func (s style) is(name string) bool {
	first, _, _ := strings.Cut(s.names, ",")
	first, _, _ = strings.Cut(first, "%")
	first, _, _ = strings.Cut(first, "#")
	first, _, _ = strings.Cut(first, ".")
	return strings.EqualFold(strings.TrimSpace(first), name)
}

// blocks writes the blocks of lines.
func (w *writer) blocks(lines []string, depth int) {
	if depth > maxDepth {
		w.paragraph("p", strings.Join(lines, "\n"))
		return
	}
	var s style
	for len(lines) > 0 && !w.done() {
		line := lines[0]
		if line == "" || line == "+" {
			lines = lines[1:]
			continue
		}
		if m := attribute().FindStringSubmatch(line); m != nil {
			w.set(m)
			lines = lines[1:]
			continue
		}
		if attributes().MatchString(line) {
			if !strings.HasPrefix(line, "[[") {
				s.names = strings.Trim(line, "[]")
			}
			lines = lines[1:]
			continue
		}
		if m := blockTitle().FindStringSubmatch(line); m != nil && !delimiter().MatchString(line) && !ordered().MatchString(line) {
			s.caption = m[1]
			lines = lines[1:]
			continue
		}
		n := w.block(lines, s, depth)
		s = style{}
		lines = lines[max(n, 1):]
	}
}

// title writes the title of a block.
func (w *writer) title(s style) {
	if s.caption != "" {
		w.paragraph("p", s.caption)
	}
}

// block writes the block that lines begin with and returns its number of lines.
func (w *writer) block(lines []string, s style, depth int) int {
	line := lines[0]
	if m := section().FindStringSubmatch(line); m != nil && (depth == 0 || s.is("discrete") || s.is("float")) {
		w.paragraph("h"+strconv.Itoa(len(m[1])), strings.TrimRight(m[2], "= "))
		return 1
	}
	if m := delimiter().FindString(line); m != "" {
		return w.delimited(lines, s, depth)
	}
	if depth == 0 && len(lines) > 1 && underlines(line, lines[1]) {
		w.paragraph("h"+strconv.Itoa(1+strings.IndexByte("=-~^+", lines[1][0])), line)
		return 2
	}
	switch {
	case macroBlock().MatchString(line):
		if strings.HasPrefix(line, "image") && s.caption != "" {
			w.b.Start("figure")
			w.paragraph("figcaption", s.caption)
			w.b.End()
		}
		return 1
	case len(line) > 2 && (strings.Trim(line, "'") == "" || strings.Trim(line, "<") == "") || line == "---" || line == "***" || line == "* * *" || line == "- - -":
		return 1
	case unordered().MatchString(line), ordered().MatchString(line), callout().MatchString(line), described().MatchString(line):
		w.title(s)
		return w.list(lines, depth, nil)
	case line[0] == ' ' || line[0] == '\t':
		n := 1
		for n < len(lines) && lines[n] != "" && lines[n] != "+" {
			n++
		}
		w.title(s)
		w.b.Block("pre", strings.Join(unindent(lines[:n]), "\n"))
		return n
	}
	n := 1
	for n < len(lines) && lines[n] != "" && lines[n] != "+" && !delimiter().MatchString(lines[n]) && !attributes().MatchString(lines[n]) {
		n++
	}
	text := strings.Join(lines[:n], "\n")
	w.title(s)
	if m := admonition().FindStringSubmatch(line); m != nil {
		w.b.Start("div", "class", "note")
		w.paragraph("p", text[strings.IndexByte(text, ':')+1:])
		w.b.End()
		return n
	}
	switch {
	case s.is("source") || s.is("listing") || s.is("literal"):
		w.b.Block("pre", text)
	case s.is("quote") || s.is("verse"):
		w.b.Start("blockquote")
		if s.is("verse") {
			text = verse(lines[:n])
		}
		w.paragraph("p", text)
		w.b.End()
	case s.is("stem") || s.is("latexmath") || s.is("asciimath"):
		w.b.Block("p", "$"+text+"$")
	default:
		w.paragraph("p", text)
	}
	return n
}

// verse returns lines with a break after each.
func verse(lines []string) string { return strings.Join(lines, " +\n") }

// unindent removes the indent that all lines share.
func unindent(lines []string) []string {
	least := -1
	for _, l := range lines {
		if n := len(l) - len(strings.TrimLeft(l, " ")); l != "" && (least < 0 || n < least) {
			least = n
		}
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[min(max(least, 0), len(l)):]
	}
	return out
}

// inside returns the index of the line that ends a delimited block, or the number of lines.
func inside(lines []string) int {
	mark := lines[0]
	if strings.HasPrefix(mark, "```") {
		mark = strings.TrimRight(mark, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
	}
	for i := 1; i < len(lines); i++ {
		if lines[i] == mark {
			return i
		}
	}
	return len(lines)
}

var calloutMark = lazyregexp.New(`(?m)[ \t]*(?://|#|--|;;|<!--)?[ \t]*(?:<(?:\d{1,3}|\.|!--\d{1,3}--)>[ \t]*)+(?:-->)?$`)

// delimited writes a block between two delimiters.
func (w *writer) delimited(lines []string, s style, depth int) int {
	end := inside(lines)
	n := min(end+1, len(lines))
	if end == len(lines) {
		if w.unclosed++; w.unclosed > maxUnclosed {
			w.paragraph("p", lines[0])
			return 1
		}
	}
	body := lines[1:end]
	switch c := lines[0][0]; {
	case strings.HasSuffix(lines[0], "==="):
		if c != '=' {
			w.table(lines[0], body, s, depth)
			return n
		}
		fallthrough
	case c == '=' || c == '*' || lines[0] == "--":
		if lines[0] == "--" && (s.is("source") || s.is("listing")) {
			w.pre(body, s)
			return n
		}
		w.b.Start("div", "class", map[bool]string{true: "note"}[c != '-'])
		w.title(s)
		w.blocks(body, depth+1)
		w.b.End()
	case c == '_':
		w.title(s)
		w.b.Start("blockquote")
		if s.is("verse") {
			w.paragraph("p", verse(body))
		} else {
			w.blocks(body, depth+1)
		}
		w.b.End()
	case c == '+':
		if s.is("stem") || s.is("latexmath") || s.is("asciimath") {
			w.b.Block("p", "$"+strings.Join(body, " ")+"$")
		} else { // HTML
			w.b.HTML(strings.Join(body, "\n") + "\n")
		}
	case s.is("stem") || s.is("ditaa") || s.is("plantuml") || s.is("graphviz") || s.is("mermaid"):
	default:
		w.pre(body, s)
	}
	return n
}

// pre writes code.
func (w *writer) pre(body []string, s style) {
	w.title(s)
	w.b.Block("pre", calloutMark().ReplaceAllString(strings.Join(body, "\n"), ""))
}

// paragraph writes text in an element.
func (w *writer) paragraph(name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	w.b.Start(name)
	w.inline(w.replace(text))
	w.b.End()
}
