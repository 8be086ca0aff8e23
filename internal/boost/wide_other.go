//go:build !amd64

package boost

// vectors is false: there is no vector code for this processor.
const vectors = false

func addWide(sums *wideSums, trees *wideTree, n int, cols **uint8, row int)         {}
func binRows(to *[binLanes]*uint8, rows *float32, stride, row int, group *binGroup) {}
