package huge

import "golang.org/x/sys/unix"

// advise requests large pages. It has no effect on systems without them.
func advise(b []byte) {
	_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
}
