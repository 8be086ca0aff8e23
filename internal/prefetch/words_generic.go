//go:build !amd64 && !arm64

package prefetch

// Words prefetches the elements of table at the positions in at, each shifted right by shift bits. It
// does nothing on this processor.
func Words(table []uint64, at []uint32, shift uint) {}

// Lines is like Words, but also prefetches the cache line after each element. It does nothing on this
// processor.
func Lines(table []uint64, at []uint32, shift uint) {}
