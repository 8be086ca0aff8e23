package extsort

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of the large pages of most processors.
const hugePage = 2 << 20

// Room returns n bytes that are zero, for sorting. The system is asked for large pages:
// to touch each small one for the first time takes as long as to sort what it holds.
func Room(n int) []byte {
	b := make([]byte, n)
	if n < 2*hugePage {
		return b
	}
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % hugePage)
	unix.Madvise(b[skip:skip+(n-skip)/hugePage*hugePage], unix.MADV_HUGEPAGE) // a wish: what fails changes nothing
	return b
}
