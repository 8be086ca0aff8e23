package boost

// binVector sets dst to the bins of n values, which can be divided by 8.
//
//go:noescape
func binVector(dst *uint8, values *float32, cuts *cutTable, n int)

// binMany sets dst to the bins of values as far as they come in eights, and returns how
// many those are.
func (b *Binner) binMany(dst []uint8, values []float32) int {
	n := len(values) &^ 7
	if !vectors || n == 0 {
		return 0
	}
	binVector(&dst[0], &values[0], &b.table, n)
	return n
}
