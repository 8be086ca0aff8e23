package wiki

import (
	"strconv"
	"strings"

	"chaffinch/internal/lazyregexp"
)

// maxTables is the greatest depth of tables within tables.
const maxTables = 5

var (
	heading  = lazyregexp.New(`^(={1,6})\s*(.+?)\s*={1,6}\s*$`)
	blocky   = lazyregexp.New(`(?i)^</?(?:div|center|p|table|tr|td|th|tbody|blockquote|poem|ul|ol|li|dl|noinclude|includeonly|onlyinclude|span|font|section|poem|big)\b[^>]*>`)
	blockEnd = lazyregexp.New(`(?i)</(?:div|center|p|table|blockquote|poem|ul|ol|li|dl|section)\s*>$`)
)

// blocks writes the blocks of text.
func (w *writer) blocks(text string, depth int) {
	lines := strings.Split(text, "\n")
	var para []string
	lists := "" // marks of the open lists
	flush := func() {
		if len(para) > 0 {
			w.block("p", strings.Join(para, "\n"))
			para = nil
		}
	}
	closeLists := func(n int) {
		for ; len(lists) > n; lists = lists[:len(lists)-1] {
			w.b.End()
			w.b.End()
		}
	}
	for i := 0; i < len(lines) && !w.b.Full() && w.ctx.Err() == nil; i++ {
		line := lines[i]
		t := strings.TrimSpace(line)
		for m := blocky().FindString(t); m != ""; m = blocky().FindString(t) { // tags of blocks separate paragraphs
			flush()
			t = strings.TrimSpace(t[len(m):])
			line = t
		}
		if marks := line[:len(line)-len(strings.TrimLeft(line, "*#:;"))]; marks != "" && strings.Trim(marks, ":;") != "" {
			flush()
			w.item(&lists, marks, line[len(marks):], closeLists)
			continue
		} else if marks != "" {
			flush()
			closeLists(0)
			lines[i] = strings.TrimSpace(line[len(marks):])
			if strings.HasPrefix(lines[i], "{|") {
				i--
			} else {
				w.block("p", lines[i])
			}
			continue
		}
		if len(lists) > 0 && t != "" {
			closeLists(0)
		}
		m := heading().FindStringSubmatch(t)
		switch {
		case t == "":
			flush()
			closeLists(0)
		case m != nil:
			flush()
			w.block("h"+strconv.Itoa(len(m[1])), m[2])
		case strings.HasPrefix(t, "{|"):
			flush()
			n := endOfTable(lines, i)
			if depth < maxTables {
				w.table(lines[i+1:n], depth)
			}
			i = n
		case strings.HasPrefix(t, "----"):
			flush()
		case t[0] == 0 && w.isPre(t):
			flush()
			_, n, _ := marked(t)
			w.b.Block("pre", w.kept[n-1])
		case line[0] == ' ' && len(para) == 0 && !strings.HasPrefix(t, "[["):
			n := i + 1
			for n < len(lines) && strings.HasPrefix(lines[n], " ") && strings.TrimSpace(lines[n]) != "" {
				n++
			}
			w.b.Start("pre")
			for _, l := range lines[i:n] {
				w.inline(l[1:], 0)
				w.b.Text("\n")
			}
			w.b.End()
			i = n - 1
		default:
			para = append(para, t)
			if strings.HasSuffix(t, ">") && blockEnd().MatchString(t) {
				flush()
			}
		}
	}
	flush()
	closeLists(0)
}

// isPre reports whether a line is the mark of protected text that is a block.
func (w *writer) isPre(line string) bool {
	kind, n, size := marked(line)
	return kind == 'k' && size == len(line) && n >= 1 && n <= len(w.pre) && w.pre[n-1]
}

// block writes an element, and the captions of its images after it.
func (w *writer) block(name, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	w.b.Start(name)
	w.inline(text, 0)
	w.b.End()
	w.figures()
}

func (w *writer) figures() {
	for len(w.captions) > 0 && !w.b.Full() {
		text := w.captions[0]
		w.captions = w.captions[1:]
		w.b.Start("figure")
		w.b.Start("figcaption")
		w.inline(text, 1)
		w.b.End()
		w.b.End()
	}
}

// maxList is the greatest depth of lists.
const maxList = 10

// item writes an item of the lists that marks name. Indents within lists continue the lists.
func (w *writer) item(lists *string, marks, text string, closeLists func(int)) {
	marks = marks[:min(len(marks), maxList)]
	same := 0
	for same < len(marks) && same < len(*lists) && (marks[same] == (*lists)[same] || marks[same] == ':' || marks[same] == ';') {
		same++
	}
	closeLists(same)
	if same == len(marks) {
		w.b.End()
		w.b.Start("li")
	}
	for ; same < len(marks); same++ {
		name := "ul"
		if marks[same] == '#' {
			name = "ol"
		}
		w.b.Start(name)
		w.b.Start("li")
		*lists += marks[same : same+1]
	}
	w.inline(strings.TrimSpace(text), 0)
	w.figures()
}

// endOfTable returns the index of the line that ends the table which begins at line i.
func endOfTable(lines []string, i int) int {
	depth := 0
	for ; i < len(lines); i++ {
		switch t := strings.TrimSpace(lines[i]); {
		case strings.HasPrefix(strings.TrimLeft(t, ":"), "{|"):
			depth++
		case strings.HasPrefix(t, "|}") && !strings.HasPrefix(t, "|}}"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

var (
	spanning = lazyregexp.New(`(?i)\b(colspan|rowspan)\s*=\s*["']?\s*(\d{1,3})`)
	attrs    = lazyregexp.New(`^[^|\[\]{}\x00]*=[^|\[\]{}\x00]*\|([^|]|$)|^\s*\|`)
)

// table writes the lines of a table.
func (w *writer) table(lines []string, depth int) {
	w.b.Start("table")
	row, cell := false, ""
	var content []string
	endCell := func() {
		if cell != "" {
			w.cell(cell, strings.Join(content, "\n"), depth)
		}
		cell, content = "", nil
	}
	endRow := func() {
		endCell()
		if row {
			w.b.End()
		}
		row = false
	}
	for i := 0; i < len(lines) && !w.b.Full(); i++ {
		t := strings.TrimSpace(lines[i])
		switch {
		case strings.HasPrefix(t, "{|"): // within a cell
			n := endOfTable(lines, i)
			content = append(content, lines[i:min(n+1, len(lines))]...)
			i = n
		case strings.HasPrefix(t, "|-"):
			endRow()
		case strings.HasPrefix(t, "|+"):
			endRow()
			cell, content = "caption", []string{t[2:]}
		case strings.HasPrefix(t, "|") || strings.HasPrefix(t, "!"):
			if cell == "caption" {
				endCell()
			}
			if !row {
				w.b.Start("tr")
				row = true
			}
			name, text := "td", t[1:]
			if t[0] == '!' {
				name, text = "th", strings.ReplaceAll(t[1:], "!!", "||")
			}
			for _, piece := range strings.Split(text, "||") {
				endCell()
				cell, content = name, []string{piece}
			}
		case cell != "":
			content = append(content, lines[i])
		}
	}
	endRow()
	w.b.End()
	w.figures()
}

// cell writes a cell or caption. Attributes may precede the text.
func (w *writer) cell(name, text string, depth int) {
	first, _, _ := strings.Cut(text, "\n")
	var cols, rows string
	if attrs().MatchString(first) {
		before, after, _ := strings.Cut(text, "|")
		for _, m := range spanning().FindAllStringSubmatch(before, -1) {
			if strings.EqualFold(m[1], "colspan") {
				cols = m[2]
			} else {
				rows = m[2]
			}
		}
		text = after
	}
	w.b.Start(name, "colspan", cols, "rowspan", rows)
	if text = strings.TrimSpace(text); strings.Contains(text, "\n") {
		w.blocks(text, depth+1)
	} else {
		w.inline(text, 0)
	}
	w.b.End()
}
