package sorts

import (
	"cmp"
	"maps"
	"slices"
)

// ByValue returns the keys of a map by descending value, and equal ones by key.
func ByValue[K, V cmp.Ordered](m map[K]V) []K {
	return ByCount(m, func(v V) V { return v })
}

// ByCount returns the keys of a map by descending count of their values, and equal ones by key.
func ByCount[K, N cmp.Ordered, V any](m map[K]V, count func(V) N) []K {
	keys := slices.AppendSeq(make([]K, 0, len(m)), maps.Keys(m))
	Func(keys, func(a, b K) int { return cmp.Or(cmp.Compare(count(m[b]), count(m[a])), cmp.Compare(a, b)) })
	return keys
}
