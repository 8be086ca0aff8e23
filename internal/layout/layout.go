// Package layout rebuilds the structure of a page from its blocks and elements, for writers of
// structured text: nested lists, tables with rows and cells, quotes, code, images. [Build] returns the
// layout; [Tables] and [FindNotes] find data tables and footnotes first. The package uses only
// the page model, so it works on the kept text of a labeller as well as on the whole page.
package layout

import (
	"slices"

	"chaffinch/page"
)

// Kind is the kind of a node of the layout.
type Kind uint8

// The kinds of nodes, with the kinds of their children.
const (
	Text    Kind = iota // one block
	Image               // one image outside of text
	Code                // the blocks of one pre: Text
	List                // Item
	Item                // anything
	Table               // Caption, then Row
	Caption             // anything
	Row                 // Cell
	Cell                // anything
	Quote               // anything
	Note                // anything: a footnote
)

var kindNames = [...]string{"text", "image", "code", "list", "item", "table", "caption", "row", "cell", "quote", "note"}

// String returns the name of k, such as "list".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Node is a node of the layout of a page.
type Node struct {
	Kind Kind
	// Index is the index of the block in Page.Blocks (Text) or of the image in Page.Images (Image).
	Index int
	// Start and End delimit a Text that is only a part of the block's kept text, such as a
	// footnote. End is 0 for the complete text.
	Start, End int
	// Ordered is set for a numbered List; Number is the displayed number of an Item.
	Ordered bool
	Number  int
	// Header is set for a Row of headers and for a header Cell.
	Header bool
	// Place is the position of a Cell in its table.
	Place page.Place
	// Label is the label of a Note.
	Label string
	// Callout is the kind of the callout that a Quote is: one of GitHub's, such as "warning", or
	// another without a counterpart there. It is "" for other quotes.
	Callout string
	// Lang is the programming language of Code from its class, or "" if there is none.
	Lang string
	// Nodes holds the children in page order.
	Nodes []*Node

	element int32 // -1 for a node without an element
}

// Has reports whether n has text and all of it has the role.
func (n *Node) Has(p *page.Page, role page.Role) bool {
	if n.Kind == Text {
		return p.Blocks[n.Index].Role == role
	}
	for _, c := range n.Nodes {
		if !c.Has(p, role) {
			return false
		}
	}
	return len(n.Nodes) > 0
}

// Config configures [Build].
type Config struct {
	// All includes every block. Default: only kept blocks.
	All bool
	// Without lists structures to flatten: blocks in such a list, table, quote or pre become plain
	// blocks, and images are omitted.
	Without page.Features
	// Notes holds the footnotes that become nodes of the kind Note. Default: none.
	Notes *Notes
	// Callouts makes each callout, a box with a warning, a tip or a note, a Quote. Default: the
	// blocks of a callout are plain blocks.
	Callouts bool
}

// Build returns the layout of p: its top-level nodes. It is empty for a dropped page, unless cfg.All
// is set.
func Build(p *page.Page, cfg Config) []*Node {
	if p.Drop != page.None && !cfg.All {
		return nil
	}
	b := builder{p: p, cfg: cfg, top: &Node{element: -1}, makes: make([]maker, len(p.Elements)+len(p.ImageElements))}
	b.open = []*Node{b.top}
	b.images()
	for i := range p.Blocks {
		if k := &p.Blocks[i]; b.takes(k) {
			b.add(i)
			b.cut = b.cut || k.By == Cut && !cfg.All
		}
	}
	for ; b.image < len(b.kept); b.image++ {
		b.addImage(b.kept[b.image])
	}
	tidy(p, b.top)
	if b.cut {
		b.top.Nodes = slices.DeleteFunc(b.top.Nodes, func(n *Node) bool { return n.isCut(p) })
	}
	return b.top.Nodes
}

// elementAt returns the element of p with index e, with text or only with images.
func elementAt(p *page.Page, e int32) *page.Element {
	if n := len(p.Elements); int(e) >= n {
		return &p.ImageElements[int(e)-n]
	}
	return &p.Elements[e]
}

// Cut is the author of the verdicts on blocks that were removed with all blocks of a top-level node.
// [Build] places these blocks like kept blocks and then removes their nodes, so that the other nodes
// do not change.
const Cut = "filter/node"

func (b *builder) takes(k *page.Block) bool { return b.cfg.All || k.Kept() != "" || k.By == Cut }

// isCut reports whether the blocks of n have the verdict of [Cut].
func (n *Node) isCut(p *page.Page) bool {
	if n.Kind == Text {
		return p.Blocks[n.Index].By == Cut
	}
	return slices.ContainsFunc(n.Nodes, func(c *Node) bool { return c.isCut(p) })
}

// builder builds the layout block by block. It holds the nodes around the last block, and closes
// and opens nodes where the nodes around the next block differ.
type builder struct {
	p     *page.Page
	cfg   Config
	top   *Node
	open  []*Node // from top to the innermost
	chain []int32 // elements of the current block that make nodes, outermost first
	makes []maker // by element; zero if it is not known yet
	kept  []int   // images that are kept
	image int     // the next one of them
	cut   bool    // whether a block has the verdict of Cut
}

// add adds the block with index i.
func (b *builder) add(i int) {
	k := &b.p.Blocks[i]
	for b.image < len(b.kept) && b.p.Images[b.kept[b.image]].Before <= i {
		b.addImage(b.kept[b.image])
		b.image++
	}
	b.enter(k.Element)
	in := b.open[len(b.open)-1]
	if in.Kind == List {
		in = b.imply(in, Item)
	}
	if k.Kind == page.Code && in.Kind != Code && !b.cfg.Without.Has(page.FeatureCodes) {
		code := &Node{Kind: Code, element: -1}
		in.Nodes = append(in.Nodes, code)
		in = code
	}
	if b.cfg.Notes != nil && b.cfg.Notes.lines[i] != nil {
		b.addLines(in, i, b.cfg.Notes.lines[i])
		return
	}
	in.Nodes = append(in.Nodes, &Node{Kind: Text, Index: i, element: k.Element})
}

// enter closes the nodes that do not contain element e, and opens the nodes that do.
func (b *builder) enter(e int32) {
	b.climb(e)
	same := 1
	for same < len(b.open) && same <= len(b.chain) && b.open[same].element == b.chain[same-1] {
		same++
	}
	b.open = b.open[:same]
	for _, e := range b.chain[same-1:] {
		b.push(b.node(e))
	}
}

// addImage adds the image with index i to the node of its element, or to the innermost node around
// it that can hold it. Between items or cells this is the last item or cell.
func (b *builder) addImage(i int) {
	b.enter(b.p.Images[i].Element)
	in := b.top
	for k := len(b.open) - 1; k > 0; k-- {
		if h := holder(b.open[k]); h != nil {
			in = h
			break
		}
	}
	in.Nodes = append(in.Nodes, &Node{Kind: Image, Index: i, element: -1})
}

// holder returns the node that holds an image at the end of n, or nil if there is none: a row may
// end with a list outside of cells.
func holder(n *Node) *Node {
	switch n.Kind {
	case List, Row:
		if k := len(n.Nodes); k > 0 {
			return holder(n.Nodes[k-1])
		}
		return nil
	case Table, Code, Text, Image:
		return nil
	}
	return n
}

// maker is the innermost node-making element around an element or the element itself, no deeper
// than maxDepth, and its depth.
type maker struct{ element, depth int32 }

// around returns the maker of element e, or an empty one if there is no such element. Most elements of a
// page are around removed blocks, so makers are found when they are needed.
func (b *builder) around(e int32) maker {
	if e < 0 || int(e) >= len(b.makes) {
		return maker{element: -1}
	}
	if b.makes[e] == (maker{}) {
		m := maker{element: -1}
		if up := elementAt(b.p, e).Parent; up < e {
			m = b.around(up)
		}
		if m.depth < maxDepth {
			if kind, ok := b.kindOf(e, m); ok && !b.cfg.Without.Has(featureOf[kind]) {
				m = maker{e, m.depth + 1}
			}
		}
		b.makes[e] = m
	}
	return b.makes[e]
}

// climb sets the chain to the elements that make nodes around e, including e.
func (b *builder) climb(e int32) {
	m := b.around(e)
	if cap(b.chain) < maxDepth {
		b.chain = make([]int32, maxDepth)
	}
	b.chain = b.chain[:m.depth]
	for m.depth > 0 {
		b.chain[m.depth-1] = m.element
		m = b.around(elementAt(b.p, m.element).Parent)
	}
}

// maxDepth is the maximum number of nodes around a block. Deeper elements make no nodes. Otherwise
// formats with indentation would write more white space than text.
const maxDepth = 64

// kindByName returns the kind of node that elements with this name make, false if they make none.
func kindByName(name string) (Kind, bool) {
	switch name {
	case "ul", "ol", "menu", "dir", "dl":
		return List, true
	case "li", "dt", "dd":
		return Item, true
	case "table":
		return Table, true
	case "caption":
		return Caption, true
	case "tr":
		return Row, true
	case "td", "th":
		return Cell, true
	case "blockquote":
		return Quote, true
	case "pre", "listing", "xmp":
		return Code, true
	}
	return 0, false
}

var featureOf = map[Kind]page.Features{
	List: page.FeatureLists, Item: page.FeatureLists, Table: page.FeatureTables, Caption: page.FeatureTables, Row: page.FeatureTables, Cell: page.FeatureTables, Quote: page.FeatureQuotes, Code: page.FeatureCodes, Image: page.FeatureImages,
}

// kindOf returns the kind of node that element e makes inside around: a footnote, a kind by its
// name, or a part of a data table by role or class ([Tables]).
func (b *builder) kindOf(e int32, around maker) (Kind, bool) {
	if b.noteOf(e) != "" {
		return Note, true
	}
	el := elementAt(b.p, e)
	if kind, ok := kindByName(el.Name); ok {
		return kind, true
	}
	switch {
	case b.cfg.Callouts && calloutOf(b.p, e) != "":
		return Quote, true
	case el.Data:
		return Table, true
	case el.Place.ColSpan > 0:
		return Cell, true
	case around.element >= 0:
		if up := elementAt(b.p, around.element); up.Data && up.Name != "table" && partByStyle(el) == partRow {
			return Row, true
		}
	}
	return 0, false
}

// noteOf returns the label of the footnote at element e, or "" if it is not a footnote.
func (b *builder) noteOf(e int32) string {
	if b.cfg.Notes == nil {
		return ""
	}
	return b.cfg.Notes.elements[e]
}

// isHeader reports whether a cell is a column or row header.
func isHeader(cell *page.Element) bool {
	return cell.Name == "th" || cell.Name != "td" && partByStyle(cell) == partHeader
}

// node returns a new node for element e.
func (b *builder) node(e int32) *Node {
	el := elementAt(b.p, e)
	kind, _ := b.kindOf(e, b.around(el.Parent))
	n := &Node{Kind: kind, element: e}
	switch n.Kind {
	case List:
		n.Ordered = el.Name == "ol"
	case Item:
		n.Number = int(el.Number)
	case Cell:
		n.Header, n.Place = isHeader(el), el.Place
	case Code:
		n.Lang = b.lang(e)
	case Quote:
		if b.cfg.Callouts {
			n.Callout = githubKind(calloutOf(b.p, e))
		}
	case Note:
		n.Label = b.noteOf(e)
	}
	return n
}

// push opens n in the innermost open node and inserts nodes that the page omits: a list around
// items, items in a list, a row around cells.
func (b *builder) push(n *Node) {
	in := b.open[len(b.open)-1]
	switch {
	case n.Kind == Item && in.Kind != List:
		in = b.imply(in, List)
	case in.Kind == List && n.Kind != Item && n.Kind != Note:
		in = b.imply(in, Item)
	case n.Kind == Cell && in.Kind == Table:
		in = b.imply(in, Row)
	}
	in.Nodes = append(in.Nodes, n)
	b.open = append(b.open, n)
}

// imply returns the last child of in if it has the kind, otherwise a new child. It does not open
// it: the next block opens it again.
func (b *builder) imply(in *Node, kind Kind) *Node {
	if n := len(in.Nodes); n > 0 && in.Nodes[n-1].Kind == kind && (in.Nodes[n-1].element < 0 || kind == Item) {
		return in.Nodes[n-1]
	}
	n := &Node{Kind: kind, element: -1}
	in.Nodes = append(in.Nodes, n)
	return n
}
