package annotate

import (
	"hash/fnv"
	"io"
)

// Draw returns a number that follows from a name as if it were drawn by chance.
func Draw(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64() * 0x9e3779b97f4a7c15 // the high bits of FNV-1a know little of the last letters
}

// OneOf reports whether a name is drawn when one of every n is.
func OneOf(n uint64, name string) bool { return Draw(name)>>40%n == 0 }
