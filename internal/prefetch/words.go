//go:build amd64 || arm64

package prefetch

// Words prefetches the elements of table at the positions in at, each shifted right by shift bits. The
// positions may be out of range.
//
//go:noescape
func Words(table []uint64, at []uint32, shift uint)

// Lines is like Words, but also prefetches the cache line after each element.
//
//go:noescape
func Lines(table []uint64, at []uint32, shift uint)
