package structure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"chaffinch/internal/lazyregexp"
)

// document holds the structures of a Markdown text.
type document struct{ tables, lists, callouts []*Node }

// parse returns the structures of a Markdown text.
func parse(src string) *document {
	r := &reader{src: []byte(src)}
	r.walk(goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(r.src)))
	return &r.document
}

type reader struct {
	document
	src []byte
}

// walk collects the structures below n.
func (r *reader) walk(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *east.Table:
			r.tables = append(r.tables, r.table(c))
			continue
		case *ast.List:
			r.lists = append(r.lists, r.list(c))
		case *ast.HTMLBlock:
			r.htmlTables(c)
		case *ast.Blockquote:
			r.callout(c)
		}
		if c.Kind() != ast.KindList {
			r.walk(c)
		} else {
			r.inItems(c)
		}
	}
}

// inItems collects the structures in the items of a list. The lists inside items are already part
// of the tree of the list.
func (r *reader) inItems(list ast.Node) {
	lists := r.lists
	r.walk(list)
	r.lists = lists
}

// table returns the tree of a pipe table.
func (r *reader) table(n *east.Table) *Node {
	t := &Node{Tag: "table"}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		tag := "td"
		if _, ok := row.(*east.TableHeader); ok {
			tag = "th"
		}
		tr := &Node{Tag: "tr"}
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			tr.Kids = append(tr.Kids, &Node{Tag: tag, Text: r.text(cell)})
		}
		t.Kids = append(t.Kids, tr)
	}
	if len(t.Kids) > 1 && blank(t.Kids[0]) { // Markdown has no tables without a header
		t.Kids = t.Kids[1:]
	}
	return t
}

// blank reports whether all cells of a row are empty.
func blank(row *Node) bool {
	return !slices.ContainsFunc(row.Kids, func(c *Node) bool { return c.Text != "" })
}

// htmlTables collects the tables of a block of HTML.
func (r *reader) htmlTables(n *ast.HTMLBlock) {
	elements(string(n.Lines().Value(r.src))).find("table", func(e *element) {
		t := &Node{Tag: "table"}
		below := map[int]int{} // rows that a cell in a column still spans
		e.find("tr", func(row *element) {
			tr := &Node{Tag: "tr"}
			empty := func() {
				for below[len(tr.Kids)] > 0 {
					below[len(tr.Kids)]--
					tr.Kids = append(tr.Kids, &Node{Tag: "td"})
				}
			}
			for _, cell := range row.kids {
				if cell.name != "td" && cell.name != "th" {
					continue
				}
				empty()
				rows, cols := cell.spanOf("rowspan"), cell.spanOf("colspan")
				for i := range cols {
					c := &Node{Tag: cell.name}
					if i == 0 {
						c.Text = strings.Join(strings.Fields(strings.Join(cell.texts, " ")), " ")
					}
					below[len(tr.Kids)] = rows - 1
					tr.Kids = append(tr.Kids, c)
				}
			}
			empty()
			t.Kids = append(t.Kids, tr)
		})
		r.tables = append(r.tables, t)
	})
}

// maxSpan bounds the cells that a cell spans.
const maxSpan = 100

// spanOf returns the value of rowspan or colspan, at least 1.
func (e *element) spanOf(name string) int {
	for _, a := range e.attrs {
		if a.Key == name {
			n, _ := strconv.Atoi(a.Val)
			return min(max(n, 1), maxSpan)
		}
	}
	return 1
}

// list returns the tree of a list.
func (r *reader) list(n *ast.List) *Node {
	l := &Node{Tag: "ul"}
	if n.IsOrdered() {
		l.Tag = "ol"
	}
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		li := &Node{Tag: "li"}
		var words []string
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			if sub, ok := c.(*ast.List); ok {
				li.Kids = append(li.Kids, r.list(sub))
			} else if t := r.text(c); t != "" {
				words = append(words, t)
			}
		}
		li.Text = strings.Join(words, " ")
		l.Kids = append(l.Kids, li)
	}
	return l
}

var calloutStart = lazyregexp.New(`^\[!([A-Za-z]+)\][-+]?`)

// callout collects a quote if it is a callout.
func (r *reader) callout(n *ast.Blockquote) {
	whole := r.text(n)
	m := calloutStart().FindStringSubmatch(whole)
	if m == nil {
		return
	}
	kind := &Node{Tag: "kind", Text: strings.ToLower(m[1])}
	r.callouts = append(r.callouts, &Node{Tag: "callout", Text: strings.TrimSpace(whole[len(m[0]):]), Kids: []*Node{kind}})
}

// text returns the text of n without markup, with single spaces.
func (r *reader) text(n ast.Node) string {
	var b strings.Builder
	ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		switch c := c.(type) {
		case *ast.Text:
			if entering {
				b.Write(c.Segment.Value(r.src))
				if c.SoftLineBreak() || c.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(c.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(c.Label(r.src))
			}
		case *ast.RawHTML:
			if entering && strings.HasPrefix(string(c.Segments.Value(r.src)), "<br") {
				b.WriteByte(' ')
			}
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		default:
			if c.Type() == ast.TypeBlock {
				b.WriteByte(' ')
				if entering && c.Lines() != nil && c.IsRaw() {
					b.Write(c.Lines().Value(r.src))
				}
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(plain(b.String())), " ")
}

var escape = lazyregexp.New("\\\\([!-/:-@\\[-`{-~])")

// plain returns s without backslash escapes.
func plain(s string) string { return escape().ReplaceAllString(s, "$1") }

var (
	definition = lazyregexp.New(`^\[\^([^\]\s]+)\]:[ \t]*(.*)$`)
	reference  = lazyregexp.New(`\[\^([^\]\s]+)\]`)
	link       = lazyregexp.New(`!?\[([^\]]*)\]\([^)]*\)`)
)

// footnotes returns the footnotes of a Markdown text in order of definition. A definition continues
// on lines that are indented, and on the lines that follow it without an empty line.
func footnotes(src string) []*Node {
	var notes []*Node
	byLabel := map[string]*Node{}
	var body strings.Builder // everything but the starts of definitions
	var current *Node
	empty := false
	for line := range strings.SplitSeq(fencedCode().ReplaceAllString(src, ""), "\n") {
		if m := definition().FindStringSubmatch(line); m != nil {
			current = &Node{Tag: "note", Text: m[2]}
			notes, byLabel[m[1]] = append(notes, current), current
			body.WriteString(m[2] + "\n")
			empty = false
			continue
		}
		body.WriteString(line + "\n")
		switch {
		case strings.TrimSpace(line) == "":
			empty = true
			continue
		case empty && !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "\t"):
			current = nil
		case current != nil:
			current.Text += " " + line
		}
		empty = false
	}
	for _, m := range reference().FindAllStringSubmatch(codeSpan().ReplaceAllString(body.String(), ""), -1) {
		if n := byLabel[m[1]]; n != nil {
			n.Kids = append(n.Kids, &Node{Tag: "reference"})
		}
	}
	for _, n := range notes {
		text := plain(strings.NewReplacer("*", "", "_", "").Replace(link().ReplaceAllString(n.Text, "$1")))
		n.Text = strings.Join(strings.Fields(text), " ")
	}
	return notes
}
