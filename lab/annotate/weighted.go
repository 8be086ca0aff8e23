package annotate

// Weighted computes Cohen's kappa of two annotators with quadratic weights (1968), for labels on
// a scale from 0 to n-1. ok reports whether it is defined: it is not if all labels are the same.
func Weighted(pairs [][2]int, n int) (kappa float64, ok bool) {
	var of [2][]float64
	of[0], of[1] = make([]float64, n), make([]float64, n)
	square := func(a, b int) float64 { return float64((a - b) * (a - b)) }
	differ, chance := 0., 0.
	for _, p := range pairs {
		of[0][p[0]]++
		of[1][p[1]]++
		differ += square(p[0], p[1])
	}
	for a, x := range of[0] {
		for b, y := range of[1] {
			chance += x * y * square(a, b) / float64(len(pairs))
		}
	}
	if !(chance > 0) {
		return 0, false
	}
	return 1 - differ/chance, true
}
