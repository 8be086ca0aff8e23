package boost

// Bin returns the bin of v: the number of cuts that are not above v. The bin of NaN is 0.
func Bin(v float32, cuts []float32) uint8 {
	low, n := 0, len(cuts)
	for n > 0 {
		half := (n + 1) / 2
		if cuts[low+half-1] <= v {
			low += half
		}
		n -= half
	}
	return uint8(low)
}
