//go:build !linux

package external

// limitMemory does nothing: only Linux limits the memory of a running process.
func limitMemory(int, int64) {}
