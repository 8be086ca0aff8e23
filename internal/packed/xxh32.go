package packed

import (
	"encoding/binary"
	"math/bits"
)

// xxh32 is the 32-bit xxHash with seed 0, the checksum of LZ4 frames (Collet,
// "xxHash fast digest algorithm", version 0.1.1).
type xxh32 struct {
	v    [4]uint32
	n    uint64
	rest [16]byte
	k    int // bytes in rest
}

const (
	prime1 = 2654435761
	prime2 = 2246822519
	prime3 = 3266489917
	prime4 = 668265263
	prime5 = 374761393
)

func sum32(b []byte) uint32 {
	var x xxh32
	x.reset()
	x.write(b)
	return x.sum()
}

func (x *xxh32) reset() {
	p1, p2 := uint32(prime1), uint32(prime2)
	*x = xxh32{v: [4]uint32{p1 + p2, p2, 0, -p1}}
}

func (x *xxh32) stripe(b []byte) {
	for i := range x.v {
		x.v[i] = bits.RotateLeft32(x.v[i]+binary.LittleEndian.Uint32(b[4*i:])*prime2, 13) * prime1
	}
}

func (x *xxh32) write(b []byte) {
	x.n += uint64(len(b))
	if x.k > 0 {
		n := copy(x.rest[x.k:], b)
		x.k += n
		b = b[n:]
		if x.k < 16 {
			return
		}
		x.stripe(x.rest[:])
		x.k = 0
	}
	for len(b) >= 16 {
		x.stripe(b)
		b = b[16:]
	}
	x.k = copy(x.rest[:], b)
}

func (x *xxh32) sum() uint32 {
	h := uint32(prime5)
	if x.n >= 16 {
		h = bits.RotateLeft32(x.v[0], 1) + bits.RotateLeft32(x.v[1], 7) + bits.RotateLeft32(x.v[2], 12) + bits.RotateLeft32(x.v[3], 18)
	}
	h += uint32(x.n)
	b := x.rest[:x.k]
	for ; len(b) >= 4; b = b[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(b)*prime3, 17) * prime4
	}
	for _, c := range b {
		h = bits.RotateLeft32(h+uint32(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>15) * prime2
	h = (h ^ h>>13) * prime3
	return h ^ h>>16
}
