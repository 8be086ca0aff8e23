// Package truth converts a bool to 0 or 1, to count or combine conditions without a branch.
package truth

// Int returns 1 for true.
func Int(b bool) (n int) {
	if b {
		n = 1
	}
	return n
}

// Float32 returns 1 for true.
func Float32(b bool) float32 { return float32(Int(b)) }

// Float64 returns 1 for true.
func Float64(b bool) float64 { return float64(Int(b)) }
