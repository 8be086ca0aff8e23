//go:build unix

// Package mapfile maps files into memory, or reads them on systems that cannot map files.
package mapfile

import (
	"fmt"
	"os"
	"syscall"
)

// Open maps the file at path read-only. The bytes are valid until unmap is called and must not be
// written to.
func Open(path string) (b []byte, unmap func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !st.Mode().IsRegular() || st.Size() == 0 {
		return nil, nil, fmt.Errorf("%s: %d bytes, mode %s: wanted a regular file that is not empty", path, st.Size(), st.Mode())
	}
	b, err = syscall.Mmap(int(f.Fd()), 0, int(st.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: mapping: %w", path, err)
	}
	return b, func() error { return syscall.Munmap(b) }, nil
}
