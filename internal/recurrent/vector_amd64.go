package recurrent

// affineGroups sets the first 4*groups elements of y to W x; W has rows of n
// values. The sums are in the order of dot.
//
//go:noescape
func affineGroups(y, w, x *float32, groups, n int)

// sigmoidGroups and tanhGroups replace 4*groups numbers with their sigmoid and hyperbolic tangent.
//
//go:noescape
func sigmoidGroups(v *float32, groups int)

//go:noescape
func tanhGroups(v *float32, groups int)

// affineRows sets y = W x for a multiple of four rows.
func affineRows(y, w, x []float32) {
	if len(y) > 0 && len(x) > 0 {
		affineGroups(&y[0], &w[:len(y)*len(x)][0], &x[0], len(y)/4, len(x))
		return
	}
	clear(y)
}

func sigmoidFours(v []float32) {
	if len(v) > 0 {
		sigmoidGroups(&v[0], len(v)/4)
	}
}

func tanhFours(v []float32) {
	if len(v) > 0 {
		tanhGroups(&v[0], len(v)/4)
	}
}
