// Package sorts sorts slices where speed does not matter. slices.SortFunc is compiled anew
// for each type, 5 to 15 kB of code; here the code is shared, and sorting takes about twice
// the time. The order is that of slices to the last tie.
package sorts

import "sort"

// Func sorts s as slices.SortFunc does.
func Func[E any](s []E, compare func(a, b E) int) {
	sort.Slice(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

// StableFunc sorts s as slices.SortStableFunc does: what compares as equal stays in its order.
func StableFunc[E any](s []E, compare func(a, b E) int) {
	sort.SliceStable(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}
