// Package tree converts typed blocks in lists, tables and quotes to the blocks of a page.
// [Build] adds blocks with structure, and [Lines] adds a block per line. All blocks are kept
// unless they have another label. [SetEstimate] sets the fields that labelling estimated.
package tree

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chaffinch/internal/lazyregexp"
	"chaffinch/page"
)

// By is the name of the verdict on text that was already clean.
const By = "input"

// maxDepth bounds the nesting depth of blocks.
const maxDepth = 200

// Lines adds a kept block for each non-empty line of text.
func Lines(p *page.Page, text string) {
	at := 0
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" {
			p.Blocks = append(p.Blocks, page.Block{Text: line, Element: -1, Start: start, End: start + len(line), Verdict: page.Verdict{By: By, Label: page.Good}})
		}
	}
	finish(p)
}

// Build adds the blocks, elements and images of nodes.
func Build(p *page.Page, nodes []Node) error {
	n := texts(nodes)
	p.Blocks, p.Elements = slices.Grow(p.Blocks, n), slices.Grow(p.Elements, n)
	t := builder{p: p}
	if err := t.add(nodes, -1, 0); err != nil {
		return err
	}
	finish(p)
	return nil
}

// texts returns the number of nodes with text.
func texts(nodes []Node) (n int) {
	for i := range nodes {
		if nodes[i].Text != "" {
			n++
		}
		n += texts(nodes[i].Blocks)
	}
	return n
}

// finish drops a page without text.
func finish(p *page.Page) {
	if len(p.Blocks) == 0 && p.Drop == page.None {
		p.Drop = page.Empty
	}
}

// RegisterSeparator separates registers in attributes, as in the multivalues of Manatee.
const RegisterSeparator = "|"

// registerCode matches the code of a register, such as "NA" or "NA/ne".
var registerCode = lazyregexp.New(`^[A-Z]{2}(/[a-z]{2,3})?$`)

// SetEstimate sets a field of p that the labelling of the page estimates: "confidence",
// "confidence_policy", "page_type", "page_type_confidence" or "register". It reports whether the name and
// the value are valid.
func SetEstimate(p *page.Page, name, value string) bool {
	switch name {
	case "page_type":
		known := slices.Contains(page.Types, value)
		if known {
			p.Type = value
		}
		return known
	case "register":
		list := strings.Split(value, RegisterSeparator)
		known := !slices.ContainsFunc(list, func(s string) bool { return !registerCode().MatchString(s) })
		if known {
			p.Registers = list
		}
		return known
	case "confidence_policy":
		roles, err := page.ParseRoles(value)
		if err == nil {
			p.ConfidencePolicy = roles.Policy()
		}
		return err == nil
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(0 < x && x <= 1) {
		return false
	}
	switch name {
	case "confidence":
		p.Confidence = x
	case "page_type_confidence":
		p.TypeConfidence = x
	default:
		return false
	}
	return true
}

// Node is a block with text, or a block that contains others: see docs/reference/formats/json.md.
type Node struct {
	Kind    string  `json:"kind"`
	Text    string  `json:"text"`
	Level   uint8   `json:"level"`
	Ordered bool    `json:"ordered"`
	Number  int32   `json:"number"`
	Header  bool    `json:"header"`
	Column  uint16  `json:"column"`
	Columns uint16  `json:"columns"`
	Rows    uint16  `json:"rows"`
	URL     string  `json:"url"`
	Alt     string  `json:"alt"`
	Hidden  bool    `json:"hidden"`
	Path    string  `json:"path"`
	Lang    string  `json:"lang"`
	Sure    float64 `json:"lang_confidence"`
	Label   string  `json:"label"`
	Role    string  `json:"role"`
	Class   string  `json:"class"` // former name of role, when comment was the only one
	By      string  `json:"by"`
	Reason  string  `json:"why"`
	Score   float64 `json:"score"`
	Start   int     `json:"start"`
	End     int     `json:"end"`
	Inline  []Span  `json:"inline"`
	Blocks  []Node  `json:"blocks"`
}

// Cut removes the first size bytes of the text of n.
func (n *Node) Cut(size int) {
	n.Text = n.Text[size:]
	for i := range n.Inline {
		s := &n.Inline[i]
		s.Start, s.End = max(s.Start-size, 0), max(s.End-size, 0)
	}
}

// Span is markup in the text of a node.
type Span struct {
	Kind  string `json:"kind"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	URL   string `json:"url"`
	Alt   string `json:"alt"`
}

// builder converts typed blocks to blocks and elements.
type builder struct {
	p      *page.Page
	rows   int32  // so far
	row    int32  // current row, 0 outside tables
	column uint16 // of the current cell
}

// names maps containers to their elements.
var names = map[string]string{
	"list": "ul", "item": "li", "table": "table", "caption": "caption", "row": "tr", "cell": "td", "quote": "blockquote", "code": "pre",
}

// element adds an element and returns its index.
func (t *builder) element(e page.Element) int32 {
	e.Start = -1
	t.p.Elements = append(t.p.Elements, e)
	return int32(len(t.p.Elements) - 1)
}

// add adds the nodes below the element parent.
func (t *builder) add(nodes []Node, parent int32, depth int) error {
	if depth > maxDepth {
		return errors.New("blocks are nested more than 200 deep")
	}
	for i := range nodes {
		n := &nodes[i]
		if n.Kind == "image" {
			if n.URL != "" || n.Alt != "" || len(n.Blocks) == 0 {
				t.p.Images = append(t.p.Images, page.Image{Before: len(t.p.Blocks), Element: parent, URL: n.URL, Alt: n.Alt})
			}
			if err := t.add(n.Blocks, parent, depth+1); err != nil { // captions
				return err
			}
			continue
		}
		if n.Text != "" && (len(n.Blocks) > 0 || t.holds(n.Kind, parent)) { // the text is a block before the others
			inner := *n
			if inner.Blocks = nil; names[n.Kind] != "" {
				inner.Kind = "paragraph"
			}
			n.Blocks = append([]Node{inner}, n.Blocks...)
		}
		if len(n.Blocks) > 0 || n.Text == "" {
			name, ok := names[n.Kind]
			if !ok { // such as a paragraph with a list
				if err := t.add(n.Blocks, parent, depth+1); err != nil {
					return err
				}
				continue
			}
			switch {
			case n.Kind == "list" && n.Ordered:
				name = "ol"
			case n.Kind == "cell" && n.Header:
				name = "th"
			}
			e := page.Element{Parent: parent, Name: name, Number: n.Number}
			if n.Kind == "cell" {
				e.Place = page.Place{Col: n.Column, ColSpan: max(n.Columns, 1), RowSpan: max(n.Rows, 1)}
			}
			row, column := t.row, t.column
			switch n.Kind {
			case "table":
				e.Data = true
			case "row":
				t.rows++
				t.row = t.rows
			case "cell":
				t.column = n.Column
			}
			if err := t.add(n.Blocks, t.element(e), depth+1); err != nil {
				return err
			}
			t.row, t.column = row, column
			continue
		}
		t.block(n, parent)
	}
	return nil
}

// holds reports whether a node of the given kind below parent stores its text as a block: an
// item of a list, or a cell of a row.
func (t *builder) holds(kind string, parent int32) bool {
	in := ""
	if parent >= 0 {
		in = t.p.Elements[parent].Name
	}
	switch kind {
	case "item":
		return in == "ul" || in == "ol"
	case "cell":
		return in == "tr"
	case "caption":
		return in == "table"
	}
	return kind == "quote"
}

// block adds a block with text.
func (t *builder) block(n *Node, parent int32) {
	if n.Kind == "code" {
		class := ""
		if n.Lang != "" {
			class = "language-" + n.Lang
		}
		parent = t.element(page.Element{Parent: parent, Name: "pre", Class: class})
		n.Lang = "" // a programming language
	}
	if parent < 0 {
		parent = t.element(page.Element{Parent: -1, Name: "p"})
	}
	b := page.Block{
		Text: n.Text, Element: parent, Level: n.Level, Hidden: n.Hidden, Path: n.Path, Lang: n.Lang, LangConfidence: n.Sure, Start: n.Start, End: n.End,
		Row: t.row, Column: t.column,
		Verdict: page.Verdict{By: n.By, Label: label(n.Label), Role: n.role(), Score: n.Score, Reason: n.Reason},
	}
	if b.By == "" {
		b.By = By
	}
	switch n.Kind {
	case "heading":
		b.Kind = page.Heading
	case "line":
		b.Kind = page.Line
	case "code":
		b.Kind = page.Code
	case "item":
		b.Kind = page.Item
	case "cell":
		b.Kind = page.Cell
	default:
		switch t.p.Elements[parent].Name {
		case "li", "dt", "dd":
			b.Kind = page.Item
		case "td", "th":
			b.Kind = page.Cell
		}
	}
	for _, s := range n.Inline {
		if kind, ok := page.MarkupOf(s.Kind); ok && 0 <= s.Start && s.Start <= s.End && s.End <= len(n.Text) {
			b.Inline = append(b.Inline, page.Inline{Kind: kind, Start: s.Start, End: s.End, URL: s.URL, Alt: s.Alt})
		}
	}
	t.p.Blocks = append(t.p.Blocks, b)
}

// role parses the name of a role. An unknown role is no role.
func (n *Node) role() page.Role {
	r, _ := page.RoleOf(cmp.Or(n.Role, n.Class))
	return r
}

// label parses the name of a label. A block without a label is kept.
func label(s string) page.Label {
	for _, l := range []page.Label{page.NearGood, page.Short, page.Bad, page.Unknown} {
		if s == l.String() {
			return l
		}
	}
	return page.Good
}
