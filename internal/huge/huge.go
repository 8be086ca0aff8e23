// Package huge allocates large tables. [Make] uses large memory pages, which reduce the cost of
// address translation for tables that are read at random positions, and of page faults for tables
// that are filled once. [Forever] uses memory outside of the Go heap.
package huge

import (
	"unsafe"

	"chaffinch/internal/mapfile"
)

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

// Forever returns n zeros outside of the Go heap, if the system provides them. They are never freed,
// so use it for a table of an embedded model, which exists once. The table does not hasten the first
// collection of garbage, which takes a sixth of the time to the first page.
func Forever(n int) []uint64 {
	b, _ := mapfile.Anonymous(8 * n)
	if len(b) == 0 {
		return make([]uint64, n)
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), n)
}
