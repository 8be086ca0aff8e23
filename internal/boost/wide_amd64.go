package boost

// addWide sets sums to the sums of n trees for wideRows rows from row row. cols[k] points to the
// values of feature k.
//
//go:noescape
func addWide(sums *wideSums, trees *wideTree, n int, cols **uint8, row int)

// binRows sets the binnedRows bytes at to[k]+row to the bins of column k of a group, for every k
// with a non-nil to[k]. rows points to the first row of values; stride is the size of a row in
// bytes.
//
//go:noescape
func binRows(to *[binLanes]*uint8, rows *float32, stride, row int, group *binGroup)
