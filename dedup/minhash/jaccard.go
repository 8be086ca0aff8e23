package minhash

import "math"

// jaccard returns the similarity of two sorted sets. Where one was cut to its
// least hashes, the least hashes of the union decide (bottom-k sketches: Cohen and Kaplan,
// PODC 2007; Broder 1997).
func jaccard(a, b []uint64) float64 {
	limit := math.MaxInt
	if max(len(a), len(b)) >= maxShingles {
		limit = maxShingles
	}
	same, union := 0, 0
	for (len(a) > 0 || len(b) > 0) && union < limit {
		union++
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			b = b[1:]
		default:
			same++
			a, b = a[1:], b[1:]
		}
	}
	if union == 0 {
		return 1
	}
	return float64(same) / float64(union)
}

// atLeast returns jaccard(a, b) and true if it is at least least. Otherwise it returns false,
// often before it has read both sets.
func atLeast(a, b []uint64, least float64) (similarity float64, ok bool) {
	if max(len(a), len(b)) >= maxShingles {
		similarity = jaccard(a, b)
		return similarity, similarity >= least
	}
	all := len(a) + len(b)
	// The condition is same/(all-same) >= least. One less allows for rounding errors.
	need := max(int(least/(1+least)*float64(all))-1, 0)
	same, ok := shared(a, b, need)
	if !ok {
		return 0, false
	}
	similarity = 1 // of two empty sets
	if all > 0 {
		similarity = float64(same) / float64(all-same)
	}
	return similarity, similarity >= least
}

// shared returns the number of elements in both of two sorted sets. ok is false if it is below
// need; the number is then undefined.
func shared(a, b []uint64, need int) (same int, ok bool) {
	spare := len(a) + len(b) - 2*need // elements that may be in one set only
	for i, j := 0, 0; i < len(a) && j < len(b); {
		// Which of two hashes is smaller cannot be predicted: no branches.
		x, y := a[i], b[j]
		var next, skip, both int
		if x <= y {
			next = 1
		}
		if x >= y {
			skip = 1
		}
		if x == y {
			both = 1
		}
		i, j, same = i+next, j+skip, same+both
		if i+j-2*same > spare {
			return same, false
		}
	}
	return same, same >= need
}
