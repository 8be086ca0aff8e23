package align

// maxTable is the maximum size of the table of Common in 64-bit words (512 MB).
const maxTable = 64 << 20

// Common marks the symbols of a that belong to a longest common subsequence of a and b. Of several
// subsequences it marks one whose symbols are early in a. It uses one bit for each pair of symbols.
// If the table would exceed maxTable, it marks the symbols in [Blocks] instead.
func Common(a, b []int32) []bool {
	hit := make([]bool, len(a))
	m := newMasks(b)
	known := make(map[int32]bool, len(b))
	for _, s := range b {
		known[s] = true
	}
	var at []int // symbols of a that occur in b
	for i, s := range a {
		if known[s] {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return hit
	}
	w := m.words
	if (len(at)+1)*w > maxTable {
		for _, x := range Blocks(a, b) {
			for i := range x.Len {
				hit[x.A+i] = true
			}
		}
		return hit
	}
	rows := make([]uint64, (len(at)+1)*w)
	for k := range w {
		rows[k] = ^uint64(0)
	}
	for i, x := range at {
		next(rows[(i+1)*w:(i+2)*w], rows[i*w:(i+1)*w], m.vector(a[x]))
	}
	// Bit j of row i is 0 if the subsequence of the first i symbols of a and of b[:j+1] is longer
	// than the subsequence with b[:j].
	set := func(i, j int) bool { return rows[i*w+j>>6]>>(j&63)&1 == 1 }
	for i, j := len(at), len(b)-1; i > 0 && j >= 0; {
		switch {
		case set(i, j):
			j--
		case !set(i-1, j):
			i--
		default:
			i--
			j--
			hit[at[i]] = true
		}
	}
	return hit
}
