package rst

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"chaffinch/format/document"
	"chaffinch/internal/lazyregexp"
)

var (
	bullet     = lazyregexp.New(`^[*+\-•‣⁃](?: +|$)`)
	enumerator = lazyregexp.New(`^(?:\(?(?:\d{1,4}|[a-zA-Z]|[ivxlcdm]{1,6}|[IVXLCDM]{1,6}|#)\)|(?:\d{1,4}|[a-zA-Z]|[ivxlcdm]{1,6}|[IVXLCDM]{1,6}|#)\.)(?: +|$)`)
	fieldMark  = lazyregexp.New(`^:([^:\s](?:[^:\\\n]|\\.|:[^ ])*):(?: +(.*)|$)`)
	optionMark = lazyregexp.New(`^(?:-\w|--?[a-zA-Z][\w-]*|/[A-Z]+)(?:[ =]<?[\w.-]+>?)?(?:, (?:-\w|--?[a-zA-Z][\w-]*)(?:[ =]<?[\w.-]+>?)?)*(?:  +(.*)|$)`)
	explicit   = lazyregexp.New(`^\.\. (?:\[([^\]]+)\](?: (.*)|$)|_|\|[^|]+\| |__)`)
	directive  = lazyregexp.New(`^\.\. ?([a-zA-Z][\w:+.-]*?) ?::(?: +(.*)|$)`)
)

// indentOf returns the number of spaces before a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// rule reports whether a line consists of one mark of punctuation, repeated.
func rule(line string) bool {
	if line == "" || !strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", rune(line[0])) {
		return false
	}
	return strings.Trim(line, line[:1]) == ""
}

// title returns the title that lines begin with, its marks and its number of lines, 0 if there is
// none.
func title(lines []string) (text, mark string, n int) {
	if len(lines) >= 3 && rule(lines[0]) && lines[1] != "" && lines[2] != "" && lines[0][0] == lines[2][0] && rule(lines[2]) && !rule(strings.TrimSpace(lines[1])) && len(lines[0]) == len(lines[2]) {
		return strings.TrimSpace(lines[1]), lines[0][:1] + "o", 3
	}
	if len(lines) >= 2 && lines[0] != "" && lines[0][0] != ' ' && rule(lines[1]) && (!rule(lines[0]) || len(lines[0]) < 3) && (len(lines[1]) >= 4 || len(lines[1]) >= utf8.RuneCountInString(lines[0])) &&
		!(strings.HasPrefix(lines[1], "::") && len(lines[1]) == 2) && !strings.HasPrefix(lines[0], ".. ") {
		return lines[0], lines[1][:1], 2
	}
	return "", "", 0
}

// within returns the lines of the block that the first line begins: blank lines and indented
// lines, without the indent. n is the number of lines, including the first.
func within(lines []string) (block []string, n int) {
	n = 1
	for n < len(lines) && (lines[n] == "" || indentOf(lines[n]) > 0) {
		n++
	}
	return dedent(lines[1:n]), n
}

// dedent returns lines without the indent that they share, and without blank lines around them.
func dedent(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	least := -1
	for _, l := range lines {
		if l != "" && (least < 0 || indentOf(l) < least) {
			least = indentOf(l)
		}
	}
	if least <= 0 {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[min(least, len(l)):]
	}
	return out
}

// item returns the text of a list item whose mark has the given length, and its number of lines.
func item(lines []string, mark int) (block []string, n int) {
	n = 1
	for n < len(lines) && (lines[n] == "" || indentOf(lines[n]) >= mark) {
		n++
	}
	block = append(block, lines[0][min(mark, len(lines[0])):])
	for _, l := range lines[1:n] {
		block = append(block, l[min(mark, len(l)):])
	}
	for n > 1 && lines[n-1] == "" {
		n--
	}
	return block, n
}

// blocks writes the blocks of lines.
func (w *writer) blocks(lines []string, depth int) {
	if depth > maxDepth {
		w.paragraph("p", lines)
		return
	}
	for len(lines) > 0 && !w.done() {
		if lines[0] == "" {
			lines = lines[1:]
			continue
		}
		n := w.block(lines, depth)
		lines = lines[max(n, 1):]
	}
}

// block writes the block that lines begin with and returns its number of lines.
func (w *writer) block(lines []string, depth int) int {
	line := lines[0]
	next := ""
	if len(lines) > 1 {
		next = lines[1]
	}
	if line[0] == ' ' {
		quoted, n := within(append([]string{""}, lines...))
		w.b.Start("blockquote")
		w.blocks(quoted, depth+1)
		w.b.End()
		return n - 1
	}
	if text, mark, n := title(lines); n > 0 && depth == 0 {
		w.heading(mark, text)
		return n
	}
	switch {
	case strings.HasPrefix(line, ".. ") || line == ".." || directive().MatchString(line):
		return w.explicit(lines, depth)
	case strings.HasPrefix(line, "__ "):
		return 1
	case bullet().MatchString(line):
		return w.list("ul", bullet(), lines, depth)
	case enumerator().MatchString(line) && (next == "" || next[0] == ' ' || enumerator().MatchString(next)):
		return w.list("ol", enumerator(), lines, depth)
	case fieldMark().MatchString(line):
		return w.definitions(lines, depth, fieldMark())
	case optionMark().MatchString(line) && (strings.Contains(line, "  ") || strings.HasPrefix(next, " ")):
		return w.definitions(lines, depth, optionMark())
	case strings.HasPrefix(line, ">>> "):
		n := untilBlank(lines)
		w.b.Block("pre", strings.Join(lines[:n], "\n"))
		return n
	case strings.HasPrefix(line, "| ") || line == "|":
		return w.verse(lines)
	case strings.HasPrefix(line, "+-") || strings.HasPrefix(line, "+="):
		if n := w.grid(lines, depth); n > 0 {
			return n
		}
	case strings.HasPrefix(line, "==") && strings.Contains(line, " =") && strings.Trim(line, "= ") == "":
		if n := w.simple(lines, depth); n > 0 {
			return n
		}
	case rule(line) && len(line) >= 4 && next == "":
		return 1 // a transition
	case strings.HasPrefix(next, " ") && !strings.HasSuffix(line, "::"):
		w.b.Start("dl")
		n := 0
		for n < len(lines) && !w.done() && lines[n] != "" && lines[n][0] != ' ' && n+1 < len(lines) && strings.HasPrefix(lines[n+1], " ") && !strings.HasPrefix(lines[n], "..") {
			term, _, _ := strings.Cut(lines[n], " : ")
			w.paragraph("dt", []string{term})
			body, size := within(lines[n:])
			w.b.Start("dd")
			w.blocks(body, depth+1)
			w.b.End()
			n += size
		}
		w.b.End()
		return n
	}
	n := 1
	for n < len(lines) && lines[n] != "" && lines[n][0] != ' ' {
		n++
	}
	text := strings.Join(lines[:n], "\n")
	if cut, literal := strings.CutSuffix(text, "::"); literal {
		if strings.TrimSpace(cut) != "" {
			if !strings.HasSuffix(cut, " ") && !strings.HasSuffix(cut, "\n") {
				cut += ":"
			}
			w.paragraph("p", []string{cut})
		}
		return n + w.literal(lines[n:])
	}
	w.paragraph("p", []string{text})
	return n
}

func untilBlank(lines []string) (n int) {
	for n < len(lines) && lines[n] != "" {
		n++
	}
	return n
}

// literal writes the literal block after a paragraph and returns its number of lines.
func (w *writer) literal(lines []string) int {
	n := 0
	for n < len(lines) && lines[n] == "" {
		n++
	}
	if n < len(lines) && lines[n][0] == ' ' {
		block, size := within(append([]string{""}, lines[n:]...))
		w.b.Block("pre", strings.Join(block, "\n"))
		return n + size - 1
	}
	if n < len(lines) && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", rune(lines[n][0])) && !strings.HasPrefix(lines[n], "..") { // quoted
		size := untilBlank(lines[n:])
		w.b.Block("pre", strings.Join(lines[n:n+size], "\n"))
		return n + size
	}
	return 0
}

// paragraph writes text in an element.
func (w *writer) paragraph(name string, lines []string) {
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	if text == "" {
		return
	}
	w.b.Start(name)
	w.inline(text)
	w.b.End()
}

// list writes a list.
func (w *writer) list(name string, mark *regexp.Regexp, lines []string, depth int) int {
	w.b.Start(name)
	n := 0
	for n < len(lines) && !w.done() {
		m := mark.FindString(lines[n])
		if m == "" || name == "ul" && lines[n][0] != lines[0][0] {
			break
		}
		size := len(m)
		if strings.TrimRight(m, " ") == lines[n] {
			size = len(lines[n]) + 1
		}
		body, used := item(lines[n:], size)
		w.b.Start("li")
		w.short(body, depth)
		w.b.End()
		n += used
		at := n
		for at < len(lines) && lines[at] == "" {
			at++
		}
		if at < len(lines) && mark.MatchString(lines[at]) && (at > n || name == "ol" || lines[at][0] == lines[0][0]) {
			n = at
		} else {
			break
		}
	}
	w.b.End()
	return n
}

// short writes the blocks of an item or cell. A single paragraph has no element.
func (w *writer) short(lines []string, depth int) {
	lines = dedent(lines)
	n := untilBlank(lines)
	for i := 1; i < n; i++ {
		if lines[i][0] == ' ' {
			n = 0
		}
	}
	if n == len(lines) && n > 0 && plain(lines) {
		w.inline(strings.Join(lines, "\n"))
		return
	}
	w.blocks(lines, depth+1)
}

// plain reports whether lines are a paragraph and nothing else.
func plain(lines []string) bool {
	l := lines[0]
	return !bullet().MatchString(l) && !enumerator().MatchString(l) && !strings.HasPrefix(l, "..") && !fieldMark().MatchString(l) && !optionMark().MatchString(l) && !strings.HasPrefix(l, "|") &&
		!strings.HasPrefix(l, "+-") && !rule(l) && !strings.HasPrefix(l, ">>>") && !strings.HasSuffix(lines[len(lines)-1], "::") && l[0] != ' '
}

// definitions writes fields or options.
func (w *writer) definitions(lines []string, depth int, mark *regexp.Regexp) int {
	w.b.Start("dl")
	n := 0
	for n < len(lines) && !w.done() {
		m := mark.FindStringSubmatchIndex(lines[n])
		if m == nil {
			break
		}
		group := len(m)/2 - 1
		term, text := strings.TrimSpace(lines[n]), ""
		if from := m[2*group]; from >= 0 {
			term, text = strings.TrimSpace(lines[n][:from]), lines[n][from:]
		}
		body, size := within(lines[n:])
		if mark == fieldMark() {
			w.paragraph("dt", []string{strings.Trim(term, ":")})
		} else {
			w.b.Block("dt", term)
		}
		w.b.Start("dd")
		w.short(append([]string{text}, body...), depth)
		w.b.End()
		n += size
	}
	w.b.End()
	return n
}

// verse writes a line block.
func (w *writer) verse(lines []string) int {
	w.b.Start("p")
	n := 0
	for n < len(lines) && lines[n] != "" && (lines[n][0] == '|' || lines[n][0] == ' ') {
		if n > 0 && lines[n][0] == '|' {
			w.b.Void("br")
		}
		w.inline(strings.TrimSpace(strings.TrimPrefix(lines[n], "|")))
		n++
	}
	w.b.End()
	return n
}

// explicit writes the block of explicit markup that lines begin with.
func (w *writer) explicit(lines []string, depth int) int {
	body, n := within(lines)
	if n > 1 && lines[n-1] == "" {
		for n > 1 && lines[n-1] == "" {
			n--
		}
	}
	if m := directive().FindStringSubmatch(lines[0]); m != nil {
		if n > 1 && lines[1] == "" { // the content begins, without options
			body = append([]string{""}, body...)
		}
		w.directive(strings.ToLower(m[1]), m[2], body, depth)
		return n
	}
	if m := explicit().FindStringSubmatch(lines[0]); m != nil && m[1] != "" {
		role := document.Footnote
		if c := m[1][0]; c != '#' && c != '*' && (c < '0' || c > '9') {
			role = document.Bibliography
		}
		if len(w.foot) < 100000 {
			w.foot = append(w.foot, note{strings.Trim(m[1], "#*"), role, append([]string{m[2]}, body...), depth})
		}
	}
	return n
}
