// Package huge makes large tables in large pages of memory: a table that is asked at random
// places, or filled once at the start, costs less by the pages that the processor and the
// system keep account of.
package huge

import "unsafe"

// pageBytes is the size of a large page on most machines.
const pageBytes = 2 << 20

// Make returns n zeros, in large pages if there are enough for half of one and the system
// gives them to who asks. There is room behind them for at least room more.
func Make[T uint8 | uint64](n, room int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if (n+room)*size < pageBytes/2 {
		return make([]T, n, n+room)
	}
	all := make([]T, n+room+pageBytes/size)
	skip := int(-uintptr(unsafe.Pointer(&all[0]))%pageBytes) / size // to where a large page begins
	all = all[skip : skip+n+room : skip+n+room]
	advise(unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), len(all)*size))
	return all[:n]
}
