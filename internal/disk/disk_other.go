//go:build !linux

package disk

import "os"

// unnamed makes no file here: what is temporary has a name.
func unnamed(string) *os.File { return nil }

// SyncFileSystem leaves the files to the system, which writes them in time: a
// killed run loses nothing, a power cut may.
func SyncFileSystem(string) error { return nil }
