package mapfile

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// Release removes the pages of mapped bytes, or of a part of them, from the memory of the process.
// They remain readable: pages in the system's cache are only mapped again.
func Release(b []byte) error {
	page := uintptr(os.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) % page // to the first page that starts in b
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

// Held returns the number of bytes of mapped files in the memory of the process, including its
// program. It is 0 if unknown.
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
