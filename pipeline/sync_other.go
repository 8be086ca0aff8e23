//go:build !linux

package pipeline

// syncFiles leaves the page files to the system, which writes them in time: a
// killed run loses nothing, a power cut may.
func syncFiles(string) error { return nil }
