package boost

// RowBinner bins columns of a row-major array into a matrix, each column as a [Binner] of its cuts
// does. It is read-only and safe for concurrent use.
type RowBinner struct {
	width   int
	used    []int // columns
	binners []*Binner
	groups  []binGroup // of used columns; nil if the processor has no vectors for binRows
}

// The block of one call of binRows: binLanes adjacent columns of binnedRows rows.
const (
	binLanes   = 8
	binnedRows = 16
)

// binGroup is binLanes adjacent columns, in the layout that binRows reads.
type binGroup struct {
	first int                // column
	cuts  [binLanes]*float32 // nil for a column that is not binned
	n     [binLanes]int      // number of cuts; if cuts is a cutTable, minus the number of its pivots
}

// fewCuts is the maximum number of cuts that are compared in sequence.
const fewCuts = 12

// noCuts is the cuts array of a column without cuts.
var noCuts [1]float32

// NewRowBinner returns a RowBinner for rows of len(cuts) values. cuts[c] are the cuts of column c.
// Only the columns in used, which ascend, are binned.
func NewRowBinner(cuts [][]float32, used []int) *RowBinner {
	b := &RowBinner{width: len(cuts), used: used}
	for _, c := range used {
		b.binners = append(b.binners, NewBinner(cuts[c]))
	}
	if !vectors || b.width < binLanes {
		return b
	}
	for k := 0; k < len(used); {
		g := binGroup{first: min(used[k], b.width-binLanes)}
		for ; k < len(used) && used[k] < g.first+binLanes; k++ {
			lane := used[k] - g.first
			g.cuts[lane], g.n[lane] = &noCuts[0], len(cuts[used[k]])
			switch own := cuts[used[k]]; {
			case len(own) > fewCuts && len(own) < binnerKeys:
				g.cuts[lane], g.n[lane] = &b.binners[k].table.pivots[0], -(len(own) / 8)
			case len(own) > 0:
				g.cuts[lane] = &own[0]
			}
		}
		b.groups = append(b.groups, g)
	}
	return b
}

// Bin sets the used columns of m to the bins of its rows. rows holds the rows in sequence.
func (b *RowBinner) Bin(m *Matrix, rows []float32) {
	if m.Rows < binnedRows || len(b.groups) == 0 {
		b.binColumns(m, rows)
		return
	}
	_ = rows[m.Rows*b.width-1]
	for k := range b.groups {
		g := &b.groups[k]
		var to [binLanes]*uint8
		for lane, cuts := range g.cuts {
			if cuts != nil {
				to[lane] = &m.Cols[g.first+lane][Pad:][:m.Rows][0]
			}
		}
		for row := 0; row < m.Rows; row += binnedRows {
			row = min(row, m.Rows-binnedRows) // the last binnedRows rows, some of them again
			binRows(&to, &rows[row*b.width+g.first], 4*b.width, row, g)
		}
	}
}

// binColumns does the work of Bin column by column.
func (b *RowBinner) binColumns(m *Matrix, rows []float32) {
	var column [blockRows]float32
	for k, c := range b.used {
		col := m.Cols[c][Pad:][:m.Rows]
		for from := 0; from < m.Rows; from += blockRows {
			part := column[:min(blockRows, m.Rows-from)]
			for i := range part {
				part[i] = rows[(from+i)*b.width+c]
			}
			b.binners[k].Bin(col[from:from+len(part)], part)
		}
	}
}
