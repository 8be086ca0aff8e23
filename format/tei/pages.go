package tei

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"chaffinch/format/jsonl"
	"chaffinch/format/tree"
	"chaffinch/internal/readers"
	"chaffinch/page"
	"chaffinch/text/charset"
)

// Limits of a TEI element.
const (
	maxDepth = 1000      // nesting of elements
	maxText  = 256 << 20 // bytes of XML
)

// Pages reads the TEI elements of a file as pages. All text is kept. It parses paragraphs,
// heads, lists, tables, quotes and code as [Encoder] writes them, and the metadata of the
// header. Notes follow the text. Of other elements, it reads only the text.
type Pages struct {
	d     *xml.Decoder
	limit *counter
	p     *page.Page
	notes []*tree.Node // of the current page
	own   bool         // the header names the cleaner: the number of a division is the level of its heading
	err   error
}

// NewPages returns a reader of the TEI elements in r.
func NewPages(r io.Reader) *Pages {
	c := &counter{r: r}
	d := xml.NewDecoder(c)
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		b, err := io.ReadAll(in) // limited by c
		if err != nil {
			return nil, err
		}
		text, ok := charset.DecodeAs(b, label)
		if !ok {
			return nil, fmt.Errorf("encoding %q is not known: convert the file to UTF-8", label)
		}
		return strings.NewReader(text.Text), nil
	}
	return &Pages{d: d, limit: c}
}

// counter is a reader that fails after maxText bytes of one element.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.n += int64(n); c.n > maxText {
		return 0, fmt.Errorf("a TEI element of more than %d MB", maxText>>20)
	}
	return n, err
}

// All returns an iterator over the pages, which calls [Pages.Next]. An error ends it.
func (r *Pages) All() iter.Seq2[*page.Page, error] { return readers.All(r.Next, readers.Never) }

// Next returns the page of the next TEI element. It returns io.EOF at the end, and on
// every call after another error.
func (r *Pages) Next() (*page.Page, error) {
	if r.err != nil {
		return nil, io.EOF
	}
	for {
		t, err := r.d.Token()
		if err != nil {
			return nil, r.fail(err)
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "TEI" {
			r.limit.n = 0
			p, err := r.page()
			if err != nil {
				return nil, r.fail(err)
			}
			return p, nil
		}
	}
}

func (r *Pages) fail(err error) error {
	r.err = err
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("byte %d: %w", r.d.InputOffset(), err)
}

// frame is an open element.
type frame struct {
	name  string
	attrs []xml.Attr
	block *block // receives its text and its children
	own   bool   // the block begins and ends with the element
	role  string // default role of the text in it
	span  int    // index of its markup in block.Inline, or -1
	text  int    // where its text begins in the text of the header
}

// block is a node under construction.
type block struct {
	*tree.Node
	text []byte
}

// page reads the rest of a TEI element and returns its page.
func (r *Pages) page() (*page.Page, error) {
	p := &page.Page{MIME: "application/tei+xml", Meta: page.Metadata{}}
	r.p, r.notes, r.own = p, nil, false
	root := &tree.Node{Kind: "quote"}
	stack := []frame{{name: "TEI", block: &block{Node: root}, span: -1}}
	var path []string
	var text strings.Builder // text of the header
	for {
		t, err := r.d.Token()
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		top := &stack[len(stack)-1]
		switch t := t.(type) {
		case xml.StartElement:
			if len(stack) >= maxDepth {
				return nil, errors.New("elements nest deeper than 1,000")
			}
			path = append(path, t.Name.Local)
			f := r.open(top, t, path)
			f.text = text.Len()
			stack = append(stack, f)
		case xml.CharData:
			if inBody(path) {
				top.block.add(t)
			} else {
				text.Write(t)
			}
		case xml.EndElement:
			if len(path) == 0 {
				if t := p.Meta.Title; t == p.ID || t == p.URL || strings.Contains(t, "://") && !strings.Contains(t, " ") {
					p.Meta.Title = "" // written in place of a title
				}
				for _, n := range r.notes {
					root.Blocks = append(root.Blocks, *n)
				}
				if err := tree.Build(p, root.Blocks); err != nil {
					return nil, err
				}
				return p, nil
			}
			if inBody(path) {
				top.close()
			} else {
				if err := header(p, path, top.attrs, stack[len(stack)-2].attrs, text.String()[top.text:]); err != nil {
					return nil, err
				}
			}
			stack = stack[:len(stack)-1]
			path = path[:len(path)-1]
		}
	}
}

func inBody(path []string) bool { return len(path) > 0 && path[0] == "text" }

// blocks maps block elements to kinds of nodes.
var blocks = map[string]string{
	"p": "paragraph", "ab": "paragraph", "head": "heading", "list": "list", "item": "item", "table": "table", "row": "row", "cell": "cell",
	"byline": "paragraph", "docDate": "paragraph", "quote": "quote", "eg": "code", "figure": "figure", "lg": "paragraph", "l": "line", "sp": "paragraph",
	"speaker": "paragraph", "opener": "paragraph", "closer": "paragraph", "trailer": "paragraph", "dateline": "paragraph", "salute": "paragraph", "signed": "paragraph",
}

// omitted reports whether the text of an element is omitted: the first form of a choice, and the running
// heads of printed pages.
func omitted(parent, name string) bool {
	return name == "fw" || parent == "choice" && (name == "sic" || name == "orig" || name == "abbr")
}

// open returns the frame of a start tag. A block element adds a node to the block of top.
func (r *Pages) open(top *frame, t xml.StartElement, path []string) frame {
	name := t.Name.Local
	f := frame{name: name, attrs: t.Copy().Attr, block: top.block, span: -1, role: top.role}
	attr := func(name string) string { return valueOf(f.attrs, name) }
	if !inBody(path) {
		r.own = r.own || name == "application" && attr("ident") == "chaffinch"
		return f
	}
	if name == "text" && attr("lang") != "" {
		r.p.Lang = attr("lang")
	}
	if omitted(top.name, name) {
		f.block = &block{Node: new(tree.Node)}
		return f
	}
	role := cmp.Or(roleOf(top, name, attr), top.role)
	if name == "div" || name == "argument" {
		f.role = role
	}
	if name == "note" {
		f.block, f.own, f.role = &block{Node: &tree.Node{Kind: "paragraph", Role: page.RoleNote.String()}}, true, page.RoleNote.String()
		r.notes = append(r.notes, f.block.Node)
		return f
	}
	kind, ok := blocks[name]
	if !ok {
		inline(f.block, &f, name, attr)
		if name == "desc" && top.name == "graphic" { // the alternative text of the image
			f.span = top.span
		}
		return f
	}
	number, _ := strconv.Atoi(attr("n"))
	n := tree.Node{Kind: kind, Role: role}
	switch name {
	case "head":
		level := divisions(path)
		if stated, err := strconv.Atoi(valueOf(top.attrs, "n")); err == nil && r.own && top.name == "div" {
			level = stated
		}
		n.Level = uint8(min(max(level, 1), 6))
		switch top.name {
		case "table":
			n.Kind = "caption"
		case "figure":
			n.Kind, n.Level = "paragraph", 0
		}
	case "ab":
		if attr("type") == "head" {
			n.Kind, n.Level = "heading", uint8(min(max(number, 1), 6))
		}
	case "list":
		n.Ordered = attr("rend") == "numbered"
	case "item":
		n.Number = int32(number)
	case "cell":
		n.Header = attr("role") == "label"
		n.Column = uint16(max(number-1, 0))
		cols, _ := strconv.Atoi(attr("cols"))
		rows, _ := strconv.Atoi(attr("rows"))
		n.Columns, n.Rows = uint16(max(cols, 0)), uint16(max(rows, 0))
	case "figure":
		n.Kind = "image"
	}
	top.block.hold()
	top.block.Blocks = append(top.block.Blocks, n)
	f.block, f.own = &block{Node: &top.block.Blocks[len(top.block.Blocks)-1]}, true
	return f
}

// divisions returns the number of divisions around the last element of path.
func divisions(path []string) int {
	n := 0
	for _, e := range path {
		if e == "div" {
			n++
		}
	}
	return n
}

// roleOf returns the role that an element gives its text, or "".
func roleOf(top *frame, name string, attr func(string) string) string {
	if r, ok := page.RoleOf(attr("rend")); ok {
		return r.String()
	}
	switch {
	case name == "div" && attr("type") == "comments":
		return page.RoleComment.String()
	case name == "byline" || name == "docDate":
		return page.RoleByline.String()
	case name == "argument":
		return page.RoleStandfirst.String()
	case name == "head" && top.name == "figure":
		return page.RoleCaption.String()
	}
	return ""
}

// hold moves the text of b that precedes or follows a child block into a new child block.
func (b *block) hold() {
	if text := strings.TrimSpace(string(b.text)); text != "" {
		b.Blocks = append(b.Blocks, tree.Node{Kind: "paragraph", Text: text, Inline: b.Inline, Role: b.Role})
	}
	b.text, b.Inline = nil, nil
}

// inline adds the inline markup of a start tag to n.
func inline(n *block, f *frame, name string, attr func(string) string) {
	s := tree.Span{Start: len(n.text), End: len(n.text)}
	switch name {
	case "hi":
		switch attr("rend") {
		case "bold", "#b", "b":
			s.Kind = "strong"
		case "sub", "subscript":
			s.Kind = "sub"
		case "sup", "superscript":
			s.Kind = "sup"
		default:
			s.Kind = "emphasis"
		}
	case "emph":
		s.Kind = "emphasis"
	case "del":
		s.Kind = "deleted"
	case "code":
		if n.Kind == "code" {
			n.Lang = attr("lang")
			return
		}
		s.Kind = "code"
	case "formula":
		s.Kind = "formula"
	case "ref":
		s.Kind, s.URL = "link", attr("target")
	case "graphic":
		if n.Kind == "image" {
			n.URL = attr("url")
			return
		}
		s.Kind, s.URL = "image", attr("url")
	case "lb":
		if attr("break") == "no" {
			return
		}
		s.Kind = "break"
		n.text = append(n.text, ' ')
		s.End = len(n.text)
		n.Inline = append(n.Inline, s)
		return
	default:
		return
	}
	n.Inline = append(n.Inline, s)
	f.span = len(n.Inline) - 1
}

// close ends an element: its markup, or its block.
func (f *frame) close() {
	b := f.block
	if f.span >= 0 && f.span < len(b.Inline) {
		s := &b.Inline[f.span]
		if f.name == "desc" {
			s.Alt, b.text = strings.TrimSpace(string(b.text[s.Start:])), b.text[:s.Start]
		}
		s.End = len(b.text)
	}
	switch {
	case (f.name == "figDesc" || f.name == "desc") && b.Kind == "image":
		b.Alt, b.text = strings.TrimSpace(string(b.text)), nil
	case !f.own:
	case len(b.Blocks) > 0:
		b.hold()
	case b.Kind == "code":
		b.Text = string(b.text)
	default:
		b.Text = strings.TrimRight(string(b.text), " ")
		for i := range b.Inline {
			b.Inline[i].Start, b.Inline[i].End = min(b.Inline[i].Start, len(b.Text)), min(b.Inline[i].End, len(b.Text))
		}
	}
}

// add adds text to b. It collapses white space except in code.
func (b *block) add(s []byte) {
	if b.Kind == "code" {
		b.text = append(b.text, s...)
		return
	}
	for _, c := range s {
		switch c {
		case ' ', '\t', '\n', '\r':
			if n := len(b.text); n > 0 && b.text[n-1] != ' ' {
				b.text = append(b.text, ' ')
			}
		default:
			b.text = append(b.text, c)
		}
	}
}

// valueOf returns the value of an attribute, "" if there is none.
func valueOf(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// header sets fields of p from an element of the header. outer holds the attributes of the element around
// it.
func header(p *page.Page, path []string, attrs, outer []xml.Attr, raw string) (err error) {
	text := strings.Join(strings.Fields(raw), " ")
	attr := func(name string) string { return valueOf(attrs, name) }
	in := ""
	if len(path) > 1 {
		in = path[len(path)-2]
	}
	m := &p.Meta
	switch name := path[len(path)-1]; {
	case in == "titleStmt" && name == "author":
		m.Authors = append(m.Authors, text)
	case in == "titleStmt" && name == "title":
		m.Title = cmp.Or(m.Title, text) // replaced by the title of the source
	case in == "bibl" && name == "title":
		m.Title = text
	case in == "bibl" && name == "publisher":
		m.Site = text
	case in == "bibl" && name == "date" && attr("type") == "modified":
		m.Modified = text
	case in == "bibl" && name == "date":
		m.Date = text
	case in == "bibl" && name == "ptr" && attr("type") == "url":
		p.URL = attr("target")
	case in == "bibl" && name == "ptr" && attr("type") == "canonical":
		m.Canonical = attr("target")
	case in == "bibl" && name == "idno":
		p.ID = text
	case in == "notesStmt" && name == "note" && attr("type") == "optout":
		m.Optout = text
	case in == "notesStmt" && name == "note" && attr("type") == "translated":
		m.Translated = text
	case in == "notesStmt" && name == "note":
		tree.SetEstimate(p, attr("type"), text)
	case in == "availability" && name == "licence":
		m.License = text
	case in == "abstract" && name == "p":
		m.Description = text
	case in == "creation" && name == "date":
		m.Fetched = text
	case in == "langUsage" && name == "language":
		p.Lang = attr("ident")
	case in == "keywords" && name == "term" && valueOf(outer, "n") == "categories":
		m.Categories = append(m.Categories, text)
	case in == "keywords" && name == "term":
		m.Tags = append(m.Tags, text)
	case name == "xenoData" && attr("type") == fieldsType:
		if p.Fields, err = jsonl.ParseFields([]byte(raw)); err != nil {
			return fmt.Errorf("xenoData of the type %s: %w", fieldsType, err)
		}
	}
	return nil
}
