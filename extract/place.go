package extract

import (
	"strconv"
	"strings"

	"chaffinch/page"
)

// Limits of a table, so that spans cannot cause unbounded work. The HTML standard has 1000 columns,
// too.
const (
	maxColumns = 1000
	maxRows    = 65534
)

// grid holds the position of the next cell of an open table.
type grid struct {
	col   int
	below []uint16 // per column, the rows that a cell from above occupies, this row included
}

// place sets the position of e if it is a cell or a list item.
func (s *scan) place(e *element) {
	n := &s.inlines
	switch e.tag {
	case tagTable:
		n.grids = append(n.grids, grid{})
	case tagTr:
		if len(n.grids) > 0 {
			g := &n.grids[len(n.grids)-1]
			g.col = 0
			for i := range g.below {
				g.below[i] -= min(g.below[i], 1)
			}
		}
	case tagTd, tagTh:
		if len(n.grids) > 0 {
			cols, rows := s.number(attrColspan, 1, 1, maxColumns), s.number(attrRowspan, 1, 0, maxRows)
			if rows == 0 { // to the end of the table
				rows = maxRows
			}
			e.place = n.grids[len(n.grids)-1].cell(cols, rows)
		}
	case tagOl:
		if !s.cfg.Inline {
			return
		}
		e.count = int32(s.number(attrStart, 1, -maxRows, 1<<30)) - 1
	case tagLi:
		if !s.cfg.Inline {
			return
		}
		for i := len(s.stack) - 1; i > 0; i-- {
			if in := &s.stack[i]; in.tag == tagOl {
				in.count = int32(s.number(attrValue, int(in.count)+1, -maxRows, 1<<30))
				e.count = in.count
				return
			} else if in.tag.has(isList | isTable) {
				return
			}
		}
	}
}

// cell returns the place of the next cell in the current row.
func (g *grid) cell(cols, rows int) page.Place {
	for g.col < len(g.below) && g.below[g.col] > 0 {
		g.col++
	}
	p := page.Place{Col: uint16(g.col), ColSpan: uint16(cols), RowSpan: uint16(rows)}
	g.col = min(g.col+cols, maxColumns)
	if rows > 1 {
		for len(g.below) < g.col {
			g.below = append(g.below, 0)
		}
		for i := int(p.Col); i < g.col; i++ {
			g.below[i] = uint16(rows)
		}
	}
	return p
}

// number returns the integer at the start of an attribute of the current tag, or def, clamped to
// [least, most].
func (s *scan) number(id attrID, def, least, most int) int {
	v, ok := s.lex.attrs.get(id)
	if !ok {
		return def
	}
	v = strings.TrimSpace(v)
	k := 0
	for k < len(v) && (v[k] >= '0' && v[k] <= '9' || k == 0 && v[k] == '-') {
		k++
	}
	if n, err := strconv.Atoi(v[:k]); err == nil {
		def = n
	}
	return min(max(def, least), most)
}
