package layout

import (
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// Bounds of the cells of a data table.
const (
	maxCellChars       = 300  // in a table that does not say what it is
	maxHeadedCellChars = 3000 // in one with headers or a caption
	maxCellBlocks      = 4
	maxRegularBlocks   = 12 // in one whose rows are alike
	maxHeadedBlocks    = 30
)

// minSeveral: at least one row in so many has several cells with text.
const minSeveral = 3

// maxFields is the number of columns up to which empty cells count: the text of
// a table must not grow with its empty cells.
const maxFields = 64

// FindData finds the tables of p whose rows and columns mean something, and sets
// Data of their elements and Row and Column of their blocks. The others only
// place things on the page, as those of the nineties do: columns of the page,
// frames around pictures.
//
// Data stand in rows of at least two cells, none of which holds what only a
// page does (headings, quotes, tables) or is long; tables that name their
// columns or have a caption may have longer cells. Where nearly all of at least
// three rows have several cells, headings may name columns and rows.
//
// Outside of table elements others are tables, rows and cells where their role
// or their class says so. Cells get their Place if such a table holds data.
func FindData(p *page.Page) {
	first := 0
	for first < len(p.Elements) && p.Elements[first].Name != "table" && partByStyle(&p.Elements[first]) != partTable {
		first++
	}
	if first == len(p.Elements) {
		return
	}
	g := grids{p: p, at: make([]spot, len(p.Elements)), tables: make([]table, 1), rows: make([]row, 1), cells: make([]cell, 1)}
	for e := range p.Elements {
		if e >= first {
			g.element(e)
		}
	}
	for i := range p.Blocks {
		g.block(&p.Blocks[i])
	}
	g.judge()
	for i := range p.Blocks {
		g.place(&p.Blocks[i])
	}
}

// grids are the tables of a page with their rows and cells; the first of each
// stands for none.
type grids struct {
	p      *page.Page
	at     []spot // by element
	tables []table
	rows   []row
	cells  []cell
	number int32 // of rows of data so far
}

// spot is where an element stands: indexes in grids, 0 for none.
type spot struct {
	table, row, cell int32
	caption          bool
}

type table struct {
	element int32
	headed  bool // it names its columns or rows, or has a caption
	places  bool // its role says so, or it holds what no data table does
	page    bool // it holds headings or code: only one that is headed may
	styled  bool // it is a table by role or class
	named   bool // it holds headings that may name columns and rows
	wide    bool
	rows    int // with text
	several int // of these, with several cells
	chars   int // of the largest cell
	blocks  int // of the one with most
	columns []uint16
}

type row struct {
	cells  int    // with text
	number int32  // of data
	next   uint16 // column of the next cell, in a table of too many
	styled uint16 // cells by role or class so far
}

type cell struct {
	table, row    int32
	element       int32
	column        uint16
	chars, blocks int
}

// element notes where element e stands, and what it means for the table
// around it.
func (g *grids) element(e int) {
	el := &g.p.Elements[e]
	var s spot
	if el.Parent >= 0 {
		s = g.at[el.Parent]
	}
	t := &g.tables[s.table]
	part, styled := partByName(el.Name), false
	if part == noPart && (s.table == 0 || t.styled) {
		part, styled = partByStyle(el), true
	}
	if styled && s.table == 0 && part != partTable {
		part = noPart
	}
	switch part {
	case partTable:
		t.places = true
		s = spot{table: int32(len(g.tables))}
		g.tables = append(g.tables, table{element: int32(e), styled: styled, places: el.Role == "presentation" || el.Role == "none"})
	case partCaption:
		s.row, s.cell, s.caption = 0, 0, true
		t.headed = true
	case partHead:
		t.headed = true
	case partRow:
		s.row, s.cell = g.newRow(), 0
	case partCell, partHeader:
		if s.row == 0 && el.Parent >= 0 { // cells without a row share one
			s.row = g.newRow()
			g.at[el.Parent].row = s.row
		}
		t.headed = t.headed || part == partHeader
		s.cell = int32(len(g.cells))
		g.cells = append(g.cells, cell{table: s.table, row: s.row, element: int32(e), column: g.column(el, s.row)})
	case partQuote:
		t.places = true
	case partCode:
		t.page = true
	}
	g.at[e] = s
}

// column returns the column of a cell: that of its place, or for a cell by
// role or class the number of those before it in its row.
func (g *grids) column(el *page.Element, row int32) uint16 {
	if el.Name == "td" || el.Name == "th" {
		return el.Place.Col
	}
	r := &g.rows[row]
	r.styled++
	return r.styled - 1
}

func (g *grids) newRow() int32 {
	g.rows = append(g.rows, row{})
	return int32(len(g.rows) - 1)
}

// block adds a block to the cell that it stands in.
func (g *grids) block(b *page.Block) {
	if !isElement(g.p, b.Element) || b.Hidden {
		return
	}
	s := g.at[b.Element]
	t := &g.tables[s.table]
	switch {
	case s.table == 0 || s.caption:
		return
	case s.cell == 0: // between the rows
		t.places = true
		return
	}
	c, r := &g.cells[s.cell], &g.rows[s.row]
	if c.blocks == 0 {
		if r.cells == 0 {
			t.rows++
		}
		if r.cells++; r.cells == 2 {
			t.several++
		}
		t.wide = t.wide || r.cells > 1 || c.column > 0
		t.columns = append(t.columns, c.column)
	}
	c.blocks++
	c.chars += utf8.RuneCountInString(b.Text)
	t.chars, t.blocks = max(t.chars, c.chars), max(t.blocks, c.blocks)
	if b.Kind == page.Heading {
		if c.blocks == 1 && (t.rows == 1 || c.column == 0) {
			t.named = true
		} else {
			t.page = true
		}
	}
}

// judge sets Data of the tables, and the columns of their cells.
func (g *grids) judge() {
	for i := range g.tables[1:] {
		t := &g.tables[i+1]
		if t.holdsData() {
			g.p.Elements[t.element].Data = true
			slices.Sort(t.columns)
			t.columns = slices.Compact(t.columns)
		} else {
			t.columns = nil
		}
	}
	for i := range g.cells {
		c := &g.cells[i]
		r, columns := &g.rows[c.row], g.tables[c.table].columns
		switch {
		case c.blocks == 0:
		case len(columns) > maxFields:
			c.column = r.next
			r.next++
		case columns != nil:
			rank, _ := slices.BinarySearch(columns, c.column)
			c.column = uint16(rank)
		}
		if t := &g.tables[c.table]; t.styled && columns != nil {
			g.p.Elements[c.element].Place = page.Place{Col: c.column, ColSpan: 1, RowSpan: 1}
		}
	}
}

func (t *table) holdsData() bool {
	chars, blocks := maxCellChars, maxCellBlocks
	switch {
	case t.places || !t.wide || minSeveral*t.several < t.rows:
		return false
	case t.headed:
		chars, blocks = maxHeadedCellChars, maxHeadedBlocks
	case t.page || t.rows < 2:
		return false
	case t.rows >= 3 && 5*t.several >= 4*t.rows:
		blocks = maxRegularBlocks
	case t.named:
		return false
	}
	return t.chars <= chars && t.blocks <= blocks
}

// place sets Row and Column of a block in a data table.
func (g *grids) place(b *page.Block) {
	if !isElement(g.p, b.Element) {
		return
	}
	s := g.at[b.Element]
	if s.cell == 0 || g.tables[s.table].columns == nil {
		return
	}
	r := &g.rows[s.row]
	if r.number == 0 {
		g.number++
		r.number = g.number
	}
	b.Row, b.Column = r.number, g.cells[s.cell].column
}

// part is what an element is in a table, or to one.
type part uint8

const (
	noPart part = iota
	partTable
	partCaption
	partHead
	partRow
	partCell
	partHeader
	partQuote
	partCode
)

// partByName returns what elements are by name.
func partByName(name string) part {
	switch name {
	case "table":
		return partTable
	case "caption":
		return partCaption
	case "thead":
		return partHead
	case "tr":
		return partRow
	case "td":
		return partCell
	case "th":
		return partHeader
	case "blockquote":
		return partQuote
	case "pre", "listing", "xmp":
		return partCode
	}
	return noPart
}

// partByStyle returns what other elements are as their role says, or the
// classes with which Bootstrap and Tailwind lay them out as tables.
func partByStyle(el *page.Element) part {
	switch el.Role {
	case "table", "grid":
		return partTable
	case "row":
		return partRow
	case "cell", "gridcell":
		return partCell
	case "columnheader", "rowheader":
		return partHeader
	}
	if el.Name != "div" && el.Name != "section" && el.Name != "span" || !strings.Contains(el.Class, "table") {
		return noPart
	}
	for c := range strings.FieldsSeq(el.Class) {
		switch c {
		case "table", "d-table":
			return partTable
		case "table-row", "d-table-row":
			return partRow
		case "table-cell", "d-table-cell":
			return partCell
		}
	}
	return noPart
}
