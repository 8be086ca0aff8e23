package boost

import "math"

// exp returns e^x for x of at most 0 with a relative error of at most 3e-7, in a third of the time
// of math.Exp. With x = n ln 2 + r, |r| at most ln 2 / 2, it is 2^n times the Taylor series of e^r.
// Below -87, where the result is not a normal number, it is 0. Each product is rounded separately,
// so that the bits are the same on all processors.
func exp(x float32) float32 {
	const (
		log2e  = 1 / math.Ln2
		ln2    = 0x1.62ep-1 // its leading bits: n times it is exact
		ln2low = math.Ln2 - ln2
		least  = -87
		bias   = 127
		places = 23
	)
	if !(x >= least) {
		return 0
	}
	n := int32(float32(x*log2e) - .5) // truncation, so to the nearest
	r := x - float32(float32(n)*ln2) - float32(float32(n)*ln2low)
	y := float32(r*(1./720)) + 1./120
	y = float32(y*r) + 1./24
	y = float32(y*r) + 1./6
	y = float32(y*r) + .5
	y = float32(y*r) + 1
	y = float32(y*r) + 1
	return y * math.Float32frombits(uint32(n+bias)<<places)
}
