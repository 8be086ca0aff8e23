package recurrent

import "golang.org/x/sys/cpu"

// wideLanes is the number of rows of a matrix that are interleaved: the lanes of a vector of the
// processor, 0 if its vectors are not wider than the vectors of affineGroups.
var wideLanes = lanesOf(cpu.X86.HasAVX2, cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL)

func lanesOf(avx2, avx512 bool) int {
	switch {
	case avx2 && avx512:
		return 16
	case avx2:
		return 8
	}
	return 0
}

// affine8 sets the first 8*groups elements of y to W x + b for several items, whose vectors are
// xStride and yStride bytes apart. W is in the layout of wideMatrix; the sums are in the order of
// dot. affine16 does the same for 16*groups.
//
//go:noescape
func affine8(y, w, b, x *float32, groups, n, items, yStride, xStride int)

//go:noescape
func affine16(y, w, b, x *float32, groups, n, items, yStride, xStride int)

// tanh8 replaces 8*groups numbers with their hyperbolic tangent.
//
//go:noescape
func tanh8(v *float32, groups int)

// units8 is gru for a multiple of eight units, with the weights of the state in the layout of
// wideStates; units16 is gru for a multiple of sixteen.
//
//go:noescape
func units8(out, gates, last, w, inside *float32, units int)

//go:noescape
func units16(out, gates, last, w, inside *float32, units int)

// affine sets y = W x + b for several items, whose vectors are yStride and xStride numbers apart.
// Elements of y after the rows in the last group are overwritten.
func (m *wideMatrix) affine(y, x []float32, items, yStride, xStride int) {
	_ = y[(items-1)*yStride+m.groups*wideLanes-1]
	_ = x[(items-1)*xStride+m.columns-1]
	_, _ = m.w[m.groups*wideLanes*m.columns-1], m.b[m.groups*wideLanes-1]
	if wideLanes == 16 {
		affine16(&y[0], &m.w[0], &m.b[0], &x[0], m.groups, m.columns, items, 4*yStride, 4*xStride)
	} else {
		affine8(&y[0], &m.w[0], &m.b[0], &x[0], m.groups, m.columns, items, 4*yStride, 4*xStride)
	}
}

// wideTanhs replaces each element of v, a multiple of eight, with its hyperbolic tangent.
func wideTanhs(v []float32) { tanh8(&v[0], len(v)/8) }

// wideUnits computes one step of gated recurrent units; see gru.
func wideUnits(out, gates, last []float32, s *wideStates) {
	h := len(out)
	_, _, _, _ = gates[3*h-1], last[h-1], s.w[3*h*h-1], s.inside[h-1]
	if s.lanes == 16 {
		units16(&out[0], &gates[0], &last[0], &s.w[0], &s.inside[0], h)
	} else {
		units8(&out[0], &gates[0], &last[0], &s.w[0], &s.inside[0], h)
	}
}

// standardise8 is standardiseGo for n rows of width values.
//
//go:noescape
func standardise8(rows, mean, scale *float32, width, n int, limit float32)

func wideStandardise(rows, mean, scale []float32, limit float32) {
	n := len(rows) / len(mean)
	_ = scale[len(mean)-1]
	standardise8(&rows[0], &mean[0], &scale[0], len(mean), n, limit)
}
