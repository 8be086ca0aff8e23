package huge

import "golang.org/x/sys/unix"

// advise requests large pages. It has no effect on systems without them.
func advise(b []byte) {
	_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
}

// outside returns n zeros outside of the Go heap, or nothing. All of their pages are in memory: one
// call takes less time than a fault for each.
func outside(n int) []byte {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil
	}
	return b
}
