package mapfile

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// Release takes the pages that lie in mapped bytes, or in a part of these, out of the
// memory of the process. They can be read as before: what the system still has of the
// file is only mapped again.
func Release(b []byte) error {
	page := uintptr(os.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) % page // to the first page that begins in b
	if skip >= uintptr(len(b)) {
		return nil
	}
	b = b[skip:]
	b = b[:uintptr(len(b))/page*page]
	if len(b) == 0 {
		return nil
	}
	return syscall.Madvise(b, syscall.MADV_DONTNEED)
}

// Held returns how many bytes of mapped files, its program among them, the process has in
// memory; 0 where that is not known.
func Held() int64 {
	b, err := os.ReadFile("/proc/self/statm") // pages: size, resident, of files, ...
	if err != nil {
		return 0
	}
	f := bytes.Fields(b)
	if len(f) < 3 {
		return 0
	}
	pages, err := strconv.ParseInt(string(f[2]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
