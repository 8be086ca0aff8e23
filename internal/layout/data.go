package layout

import (
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// Limits of the cells of a data table.
const (
	maxCellChars       = 300  // in a table without headers and caption
	maxHeadedCellChars = 3000 // in a table with headers or a caption
	maxCellBlocks      = 4
	maxRegularBlocks   = 12 // in a table with regular rows
	maxHeadedBlocks    = 30
)

// minSeveral is the minimum share of rows that have several cells with text: one in minSeveral.
const minSeveral = 3

// maxFields is the number of columns up to which empty cells count: the text of a table must not
// grow with its empty cells.
const maxFields = 64

// Tables finds the data tables of pages. Its memory is reused from page to page.
type Tables struct{ g grids }

// Find finds the data tables of p and sets Data of their elements, and Row and Column of their
// blocks. The other tables only arrange the page, as in the 1990s: columns of the page, frames
// around images.
//
// A data table has rows of at least two cells. No cell is long or contains headings, quotes or
// tables. Cells may be longer if the table has headers or a caption. If nearly all of at least
// three rows have several cells, headings may name columns and rows.
//
// Elements other than table elements are tables, rows and cells if their role or class marks them.
// Their cells get a Place if the table holds data.
func (f *Tables) Find(p *page.Page) {
	first := 0
	for first < len(p.Elements) && p.Elements[first].Name != "table" && partByStyle(&p.Elements[first]) != partTable {
		first++
	}
	if first == len(p.Elements) {
		return
	}
	g := &f.g
	g.reset(p)
	defer func() { g.p = nil }()
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

// grids holds the tables of a page with their rows and cells. The first entry of each slice means
// none.
type grids struct {
	p      *page.Page
	at     []spot // by element
	tables []table
	rows   []row
	cells  []cell
	number int32 // of data rows so far
}

// maxReused is the maximum number of elements of a page whose memory is reused.
const maxReused = 1 << 14

// reset prepares g for page p.
func (g *grids) reset(p *page.Page) {
	if max(cap(g.at), cap(g.rows), cap(g.cells), cap(g.tables)) > maxReused {
		*g = grids{}
	}
	*g = grids{p: p, at: slices.Grow(g.at[:0], len(p.Elements))[:len(p.Elements)],
		tables: append(g.tables[:0], table{}), rows: append(g.rows[:0], row{}), cells: append(g.cells[:0], cell{})}
	clear(g.at)
}

// spot is the position of an element: indexes in grids, 0 for none.
type spot struct {
	table, row, cell int32
	caption          bool
}

type table struct {
	element int32
	headed  bool // it has column or row headers, or a caption
	places  bool // it is a layout table by its role or its content
	page    bool // it contains headings or code, which only a headed data table may
	styled  bool // it is a table by role or class
	named   bool // it contains headings that may name columns and rows
	wide    bool
	rows    int // with text
	several int // rows with several cells
	chars   int // of the largest cell
	blocks  int // of the cell with most blocks
	columns []uint16
}

type row struct {
	cells  int    // with text
	number int32  // of the data row
	next   uint16 // column of the next cell, for more than maxFields columns
	styled uint16 // cells by role or class so far
}

type cell struct {
	table, row    int32
	element       int32
	column        uint16
	chars, blocks int
}

// element records the position of element e and its effect on the table around it.
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

// column returns the column of a cell: from its place, or for a cell by role or class the number of
// cells before it in its row.
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

// block adds a block to its cell.
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

// judge sets Data of the tables and the columns of their cells.
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

// part is the function of an element in a table.
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

// partByName returns the part for the name of an element.
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

// partByStyle returns the part of other elements from their role, or from the classes that
// Bootstrap and Tailwind use for table layout.
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
