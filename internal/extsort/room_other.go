//go:build !linux

package extsort

// Room returns n bytes that are zero, for sorting.
func Room(n int) []byte { return make([]byte, n) }
