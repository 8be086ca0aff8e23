package boost

// binVector sets dst to the bins of n values; n is a multiple of 8.
//
//go:noescape
func binVector(dst *uint8, values *float32, cuts *cutTable, n int)

// binMany sets dst to the bins of the values in complete groups of eight and returns their number.
func (b *Binner) binMany(dst []uint8, values []float32) int {
	n := len(values) &^ 7
	if !vectors || n == 0 {
		return 0
	}
	binVector(&dst[0], &values[0], &b.table, n)
	return n
}
