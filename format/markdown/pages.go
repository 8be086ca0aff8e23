package markdown

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"chaffinch/format/tree"
	"chaffinch/internal/lazyregexp"
	"chaffinch/page"
)

// Fence finds the rules between pages. It ignores equal lines in fenced code.
type Fence struct{ mark string }

// Rule reports whether line is the rule that [Encoder.Frame] returns. It must be called
// with every line of the stream, in order.
func (f *Fence) Rule(line []byte) bool {
	s := string(bytes.TrimRight(line, "\r\n"))
	switch {
	case f.mark != "":
		if strings.HasPrefix(strings.TrimSpace(s), f.mark) {
			f.mark = ""
		}
	case strings.HasPrefix(s, "```"):
		f.mark = s[:len(s)-len(strings.TrimLeft(s, "`"))]
	default:
		return s == "* * *"
	}
	return false
}

// Page parses Markdown and returns a page with its blocks, their markup and the metadata
// of the front matter. All text is kept.
func Page(src []byte) (*page.Page, error) {
	p := &page.Page{MIME: "text/markdown"}
	src = matter(p, bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")))
	r := reader{src: src}
	root := newParser().Parse(text.NewReader(src))
	if err := tree.Build(p, r.blocks(root)); err != nil {
		return nil, err
	}
	return p, nil
}

// matter parses front matter as [Encoder] writes it, with JSON values, and returns the
// rest of src.
func matter(p *page.Page, src []byte) []byte {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(src, "\r\n"), []byte("---\n"))
	if !ok {
		return src
	}
	head, body, ok := bytes.Cut(rest, []byte("\n---\n"))
	if !ok {
		return src
	}
	for line := range strings.Lines(string(head) + "\n") {
		name, v, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !ok {
			continue
		}
		v = strings.TrimSpace(v)
		if strings.HasPrefix(name, `"`) { // a field of the user
			var s string
			if json.Unmarshal([]byte(name), &s) == nil {
				name = s
			}
		} else if tree.SetEstimate(p, name, strings.Trim(v, `"`)) {
			continue
		}
		field(p, name, v)
	}
	return body
}

// field sets a field of p from a line of the front matter.
func field(p *page.Page, name, v string) {
	if !json.Valid([]byte(v)) { // YAML without quotation marks
		b, err := json.Marshal(v)
		if err != nil {
			return
		}
		v = string(b)
	}
	m := &p.Meta
	texts := map[string]*string{
		"id": &p.ID, "url": &p.URL, "canonical": &m.Canonical, "title": &m.Title, "site": &m.Site, "date": &m.Date, "modified": &m.Modified,
		"fetched": &m.Fetched, "lang": &p.Lang, "description": &m.Description, "license": &m.License, "optout": &m.Optout, "translated": &m.Translated, "image": &m.Image, "type": &m.Type,
	}
	lists := map[string]*[]string{"authors": &m.Authors, "categories": &m.Categories, "tags": &m.Tags}
	if dst := texts[name]; dst != nil && json.Unmarshal([]byte(v), dst) == nil {
		return
	}
	if dst := lists[name]; dst != nil && json.Unmarshal([]byte(v), dst) == nil {
		return
	}
	p.Fields = append(p.Fields, page.Field{Name: name, Value: v})
}

// reader converts the syntax tree of goldmark to nodes.
type reader struct{ src []byte }

// blocks returns the nodes of the children of n.
func (r *reader) blocks(n ast.Node) (nodes []tree.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			t := r.text("heading", c)
			t.Level = uint8(c.Level)
			nodes = append(nodes, t)
		case *ast.Paragraph, *ast.TextBlock:
			nodes = append(nodes, r.paragraph(c))
		case *ast.List:
			l := tree.Node{Kind: "list", Ordered: c.IsOrdered()}
			number := int32(c.Start)
			for i := c.FirstChild(); i != nil; i = i.NextSibling() {
				item := tree.Node{Kind: "item", Blocks: r.blocks(i)}
				if l.Ordered {
					item.Number = number
					number++
				} else {
					task(item.Blocks, r.opening(i))
				}
				l.Blocks = append(l.Blocks, item)
			}
			nodes = append(nodes, l)
		case *ast.Blockquote:
			nodes = append(nodes, r.quote(c))
		case *east.FootnoteList:
			nodes = append(nodes, r.footnotes(c))
		case *ast.FencedCodeBlock:
			nodes = append(nodes, tree.Node{Kind: "code", Text: r.lines(c), Lang: string(c.Language(r.src))})
		case *ast.CodeBlock:
			nodes = append(nodes, tree.Node{Kind: "code", Text: r.lines(c)})
		case *ast.HTMLBlock:
			nodes = append(nodes, tree.Node{Kind: "paragraph", Text: strings.TrimSpace(r.lines(c))})
		case *east.Table:
			nodes = append(nodes, r.table(c))
		default:
			nodes = append(nodes, r.blocks(c)...)
		}
	}
	return nodes
}

// quote returns a quote. It removes the kind at the start of a callout.
func (r *reader) quote(n ast.Node) tree.Node {
	q := tree.Node{Kind: "quote", Blocks: r.blocks(n)}
	if len(q.Blocks) > 0 && calloutKind().MatchString(r.opening(n)) {
		first := &q.Blocks[0]
		if m := calloutKind().FindString(first.Text); m != "" {
			first.Cut(len(m))
			if first.Text == "" {
				q.Blocks = q.Blocks[1:]
			}
		}
	}
	return q
}

var (
	calloutKind = lazyregexp.New(`^\[![A-Za-z]{3,20}\][-+]?( |$)`)
	taskBox     = lazyregexp.New(`^\[[ xX]\] `)
)

// opening returns the first line of the source of the first block in n, in which escapes are not
// resolved.
func (r *reader) opening(n ast.Node) string {
	c := n.FirstChild()
	if c == nil || c.Type() != ast.TypeBlock || c.Lines().Len() == 0 {
		return ""
	}
	s := c.Lines().At(0)
	return strings.TrimRight(string(s.Value(r.src)), "\n")
}

// task replaces the "[ ]" or "[x]" at the start of a list item by a check box. opening is the source.
func task(item []tree.Node, opening string) {
	if len(item) == 0 || !taskBox().MatchString(opening) {
		return
	}
	m := taskBox().FindString(item[0].Text)
	if m == "" {
		return
	}
	item[0].Cut(len(m))
	box := tree.Span{Kind: page.Checkbox.String(), Alt: strings.ToLower(strings.TrimSpace(m[1:2]))}
	item[0].Inline = append([]tree.Span{box}, item[0].Inline...)
}

// footnotes returns a list of the footnotes, numbered in the order of their
// references.
func (r *reader) footnotes(n ast.Node) tree.Node {
	l := tree.Node{Kind: "list", Ordered: true}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		l.Blocks = append(l.Blocks, tree.Node{Kind: "item", Number: int32(c.(*east.Footnote).Index), Blocks: r.blocks(c)})
	}
	return l
}

// paragraph returns an image if n contains nothing else, otherwise a paragraph.
func (r *reader) paragraph(n ast.Node) tree.Node {
	if im, ok := n.FirstChild().(*ast.Image); ok && im.NextSibling() == nil {
		return tree.Node{Kind: "image", URL: string(im.Destination), Alt: r.text("", im).Text}
	}
	return r.text("paragraph", n)
}

func (r *reader) table(n *east.Table) tree.Node {
	t := tree.Node{Kind: "table"}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		_, header := row.(*east.TableHeader)
		out := tree.Node{Kind: "row", Header: header}
		column := uint16(0)
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			out.Blocks = append(out.Blocks, tree.Node{Kind: "cell", Header: header, Column: column, Blocks: []tree.Node{r.text("paragraph", cell)}})
			column++
		}
		t.Blocks = append(t.Blocks, out)
	}
	return t
}

// lines returns the lines of a block of code or HTML.
func (r *reader) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(r.src))
	}
	return strings.TrimRight(b.String(), "\n")
}

// text returns a node with the text of n and its markup.
func (r *reader) text(kind string, n ast.Node) tree.Node {
	t := tree.Node{Kind: kind}
	var b []byte
	r.inline(n, &t, &b)
	t.Text = string(b)
	return t
}

func (r *reader) inline(n ast.Node, t *tree.Node, b *[]byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		at := len(t.Inline)
		s := tree.Span{Start: len(*b)}
		switch c := c.(type) {
		case *ast.Text:
			*b = append(*b, unescape(c.Segment.Value(r.src))...)
			switch {
			case c.HardLineBreak():
				t.Inline = append(t.Inline, tree.Span{Kind: "break", Start: len(*b), End: len(*b) + 1})
				*b = append(*b, ' ')
			case c.SoftLineBreak():
				*b = append(*b, ' ')
			}
			continue
		case *ast.String:
			*b = append(*b, c.Value...)
			continue
		case *ast.RawHTML:
			r.html(c, t, b)
			continue
		case *ast.AutoLink:
			s.Kind, s.URL = "link", string(c.URL(r.src))
			t.Inline = append(t.Inline, s)
			*b = append(*b, c.Label(r.src)...)
		case *ast.Image:
			s.Kind, s.URL, s.End = "image", string(c.Destination), s.Start
			s.Alt = r.text("", c).Text
			t.Inline = append(t.Inline, s)
			continue
		case *ast.Emphasis:
			s.Kind = "emphasis"
			if c.Level == 2 {
				s.Kind = "strong"
			}
		case *east.FootnoteLink:
			s.Kind = "sup"
			*b = strconv.AppendInt(*b, int64(c.Index), 10)
		case *east.FootnoteBacklink:
			continue
		case *ast.CodeSpan:
			s.Kind = "code"
		case *ast.Link:
			s.Kind, s.URL = "link", string(c.Destination)
		case *east.Strikethrough:
			s.Kind = "deleted"
		}
		if s.Kind != "" && s.Kind != "link" || s.Kind == "link" && len(t.Inline) == at {
			t.Inline = append(t.Inline, s)
		}
		if c.Kind() == ast.KindCodeSpan {
			for x := c.FirstChild(); x != nil; x = x.NextSibling() {
				if s, ok := x.(*ast.Text); ok { // verbatim
					*b = append(*b, bytes.ReplaceAll(s.Segment.Value(r.src), []byte("\n"), []byte(" "))...)
				}
			}
		} else {
			r.inline(c, t, b)
		}
		if len(t.Inline) > at {
			t.Inline[at].End = len(*b)
		}
	}
}

// html parses <sub>, <sup> and, as in tables, <br>, which have no Markdown syntax. It ignores other tags.
func (r *reader) html(c *ast.RawHTML, t *tree.Node, b *[]byte) {
	for i := range c.Segments.Len() {
		s := c.Segments.At(i)
		switch tag := string(s.Value(r.src)); tag {
		case "<br>", "<br/>", "<br />":
			t.Inline = append(t.Inline, tree.Span{Kind: "break", Start: len(*b), End: len(*b) + 1})
			*b = append(*b, ' ')
		case "<sub>", "<sup>":
			t.Inline = append(t.Inline, tree.Span{Kind: tag[1:4], Start: len(*b), End: -1})
		case "</sub>", "</sup>":
			for k := len(t.Inline) - 1; k >= 0; k-- {
				if t.Inline[k].End == -1 && t.Inline[k].Kind == tag[2:5] {
					t.Inline[k].End = len(*b)
					break
				}
			}
		}
	}
}

// unescape resolves backslash escapes and character references.
func unescape(b []byte) []byte {
	if !bytes.ContainsAny(b, "\\&") {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\' && i+1 < len(b) && util.IsPunct(b[i+1]):
			i++
			out = append(out, b[i])
		case c == '&' && isReference(string(b[i:min(len(b), i+maxReference)])):
			end := i + bytes.IndexByte(b[i:], ';')
			out = append(out, util.ResolveEntityNames(util.ResolveNumericReferences(b[i:end+1]))...)
			i = end
		default:
			out = append(out, c)
		}
	}
	return out
}
