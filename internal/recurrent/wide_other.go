//go:build !amd64

package recurrent

// wideLanes is 0: there is no vector code for this processor.
var wideLanes = 0

func (m *wideMatrix) affine(y, x []float32, items, yStride, xStride int) {}
func wideTanhs(v []float32)                                              {}
func wideUnits(out, gates, last []float32, s *wideStates)                {}
func wideStandardise(rows, mean, scale []float32, limit float32)         {}
