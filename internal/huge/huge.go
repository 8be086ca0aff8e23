// Package huge allocates large tables in large memory pages with [Make]. Large pages reduce the
// cost of address translation for tables that are read at random positions, and of page faults for
// tables that are filled once.
package huge

import "unsafe"

// pageBytes is the size of a large page on most machines.
const pageBytes = 2 << 20

// Make returns n zeros with a capacity of at least n+room. It uses large pages if the table fills
// at least half a page and the system provides them on request. The system only provides whole
// pages. Therefore the last page is allocated whole if the table fills at least half of it.
func Make[T uint8 | uint64](n, room int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if (n+room)*size < pageBytes/2 {
		return make([]T, n, n+room)
	}
	pages := ((n+room)*size + pageBytes/2) / pageBytes
	all := make([]T, max(n+room, pages*pageBytes/size)+pageBytes/size)
	skip := int(-uintptr(unsafe.Pointer(&all[0]))%pageBytes) / size // to the start of a large page
	advise(unsafe.Slice((*byte)(unsafe.Pointer(&all[skip])), pages*pageBytes))
	return all[skip : skip+n : skip+n+room]
}
