// Package sorts sorts slices where code size matters more than speed. slices.SortFunc is compiled
// separately for each type, 5 to 15 kB of code. [Func] and [StableFunc] share one implementation
// and take about twice the time. The order is the same as with package slices.
package sorts

import "sort"

// Func sorts s like slices.SortFunc.
func Func[E any](s []E, compare func(a, b E) int) {
	sort.Slice(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

// StableFunc sorts s like slices.SortStableFunc: equal elements keep their order.
func StableFunc[E any](s []E, compare func(a, b E) int) {
	sort.SliceStable(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}
