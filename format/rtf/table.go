package rtf

import (
	"slices"

	"chaffinch/format/document/flow"
)

// maxCells is the most cells of a row that are read.
const maxCells = 1000

// table is a table that is read.
type table struct {
	rows   []row
	cells  []flow.Cell  // of the current row
	blocks []flow.Block // of the current cell
	defs   []cellDef    // of the current row
	def    cellDef
	head   bool
}

type row struct {
	cells []flow.Cell
	defs  []cellDef
	head  bool
}

// cellDef is the definition of a cell.
type cellDef struct {
	right       int  // edge
	left, above bool // continues the cell to the left, the cell above
	downward    bool // begins a cell that continues below
}

// table returns the table at a depth, the outermost at 1. It opens tables down to the depth.
func (s *sink) table(depth int) *table {
	depth = max(depth, 1)
	for len(s.tables) < depth {
		s.tables = append(s.tables, &table{})
	}
	return s.tables[depth-1]
}

// closeTables closes the tables deeper than depth.
func (s *sink) closeTables(depth int) {
	for len(s.tables) > depth {
		n := len(s.tables) - 1
		t := s.tables[n]
		if len(t.blocks) > 0 {
			t.endCell()
		}
		if len(t.cells) > 0 {
			t.endRow()
		}
		s.tables = s.tables[:n]
		if k, ok := t.block(); ok {
			s.put(k, n)
		}
	}
}

func (t *table) define(word string) {
	switch word {
	case "clmrg":
		t.def.left = true
	case "clvmgf":
		t.def.downward = true
	case "clvmrg":
		t.def.above = true
	}
}

func (t *table) edge(n int) {
	t.def.right = n
	if len(t.defs) < maxCells {
		t.defs = append(t.defs, t.def)
	}
	t.def = cellDef{}
}

func (t *table) endCell() {
	if len(t.cells) < maxCells {
		t.cells = append(t.cells, flow.Cell{Cols: 1, Rows: 1, Blocks: t.blocks})
	}
	t.blocks = nil
}

func (t *table) endRow() {
	if len(t.blocks) > 0 {
		t.endCell()
	}
	if len(t.cells) > 0 {
		t.rows = append(t.rows, row{t.cells, t.defs, t.head})
	}
	t.cells, t.head = nil, false
}

// block returns the table as a block. A table of one cell, often a frame, is a block of its
// blocks.
func (t *table) block() (flow.Block, bool) {
	if len(t.rows) == 0 {
		return flow.Block{}, false
	}
	if len(t.rows) == 1 && len(t.rows[0].cells) == 1 {
		return flow.Block{Within: t.rows[0].cells[0].Blocks}, true
	}
	edges := t.edges()
	out := &flow.Table{}
	open := map[int]*flow.Cell{} // by right edge: the cell that later rows continue
	for _, r := range t.rows {
		cells := make([]flow.Cell, 0, len(r.cells)) // with all capacity: open points into it
		from := -1
		for i, c := range r.cells {
			c.Head = r.head
			if i >= len(r.defs) {
				cells = append(cells, c)
				continue
			}
			def := r.defs[i]
			to, _ := slices.BinarySearch(edges, def.right)
			c.Cols = max(1, to-from)
			from = to
			if def.left && len(cells) > 0 {
				last := &cells[len(cells)-1]
				last.Cols += c.Cols
				last.Blocks = append(last.Blocks, c.Blocks...)
				continue
			}
			if above := open[to]; def.above && above != nil {
				above.Rows++
				continue
			}
			delete(open, to)
			cells = append(cells, c)
			if def.downward {
				open[to] = &cells[len(cells)-1]
			}
		}
		out.Rows = append(out.Rows, cells)
	}
	return flow.Block{Table: out}, true
}

// edges returns the sorted right edges of all cells.
func (t *table) edges() (edges []int) {
	for _, r := range t.rows {
		for _, d := range r.defs[:min(len(r.defs), len(r.cells))] {
			if i, ok := slices.BinarySearch(edges, d.right); !ok && len(edges) < maxCells {
				edges = slices.Insert(edges, i, d.right)
			}
		}
	}
	return edges
}
