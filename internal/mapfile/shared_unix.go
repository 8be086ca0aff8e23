//go:build unix

package mapfile

import (
	"os"
	"syscall"
)

// Anonymous returns n zeros outside of the Go heap, which may be written to. Unmap frees them.
func Anonymous(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
}

// Shared maps n bytes of a file from the offset at on, which may be written to. The system writes
// changes to the file.
func Shared(f *os.File, at int64, n int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), at, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

// Unmap frees the bytes of Anonymous or Shared.
func Unmap(b []byte) error { return syscall.Munmap(b) }
