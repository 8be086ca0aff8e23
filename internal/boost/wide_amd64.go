package boost

// addWide sets sums to those of n trees, of the wideRows rows from the given one on. Element k of
// cols is where the values of feature k begin.
//
//go:noescape
func addWide(sums *wideSums, trees *wideTree, n int, cols **uint8, row int)

// binRows sets the binnedRows bytes from to[k]+row on to the bins of column k of a group, for
// every k whose to is not nil. The first row of values begins at rows, the next one stride
// bytes on.
//
//go:noescape
func binRows(to *[binLanes]*uint8, rows *float32, stride, row int, group *binGroup)
