//go:build !unix

package main

import "os"

// onResize returns a channel that tells nothing: the size is looked at after
// each key.
func onResize() (resized <-chan os.Signal, stop func()) { return nil, func() {} }
