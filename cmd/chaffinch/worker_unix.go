//go:build unix

package main

import (
	"io"
	"os"
	"syscall"
)

// pollable returns a pipe as one that a goroutine waits for without a thread of its
// own: a thread that waits in the kernel has the runtime look after it every 20
// microseconds, which took a tenth of the time of pages of 75 kB.
func pollable(in io.Reader) io.Reader {
	f, ok := in.(*os.File)
	if !ok {
		return in
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return in // other programs may hold the same file
	}
	fd := f.Fd()
	if err := syscall.SetNonblock(int(fd), true); err != nil {
		return in
	}
	return os.NewFile(fd, f.Name())
}
