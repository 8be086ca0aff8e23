// Package huge allocates large tables in large memory pages with [Make]. Large pages reduce the
// cost of address translation for tables that are read at random positions, and of page faults for
// tables that are filled once.
package huge

import "unsafe"

// pageBytes is the size of a large page on most machines.
const pageBytes = 2 << 20

// Make returns n zeros with a capacity of at least n+room. It uses large pages if the table fills
// at least one and the system provides them on request.
func Make[T uint8 | uint32 | uint64](n, room int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if (n+room)*size < pageBytes {
		return make([]T, n, n+room)
	}
	all := make([]T, n+room+pageBytes/size)
	skip := int(-uintptr(unsafe.Pointer(&all[0]))%pageBytes) / size // to the start of a large page
	all = all[skip : skip+n+room : skip+n+room]
	advise(unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), len(all)*size))
	return all[:n]
}
