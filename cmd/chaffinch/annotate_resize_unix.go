//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// onResize returns a channel that tells when the terminal has another size.
func onResize() (resized <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c, func() { signal.Stop(c) }
}
