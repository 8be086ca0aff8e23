//go:build !linux

package disk

import "os"

// openUnnamed returns nil: temporary files have names on this system.
func openUnnamed(string) *os.File { return nil }

// SyncFileSystem does nothing. The system writes the files eventually: a killed run loses nothing,
// a power failure may.
func SyncFileSystem(string) error { return nil }
