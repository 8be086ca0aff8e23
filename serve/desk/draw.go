package desk

import (
	"hash/fnv"
	"io"
)

// draw returns a pseudo-random number that depends on name alone.
func draw(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64() * 0x9e3779b97f4a7c15 // the high bits of FNV-1a know little of the last letters
}

// oneOf reports whether name is in a pseudo-random sample of one in n names.
func oneOf(n uint64, name string) bool { return draw(name)>>40%n == 0 }
