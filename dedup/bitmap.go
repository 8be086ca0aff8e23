package dedup

import "math/bits"

// bitmap is a set of document numbers. A nil one is empty.
type bitmap []uint64

func newBitmap(n int64) bitmap { return make(bitmap, (n+63)/64) }

func (b bitmap) set(i int64) { b[i/64] |= 1 << (i % 64) }

func (b bitmap) has(i int64) bool { return i/64 < int64(len(b)) && b[i/64]>>(i%64)&1 != 0 }

// numbers returns a function that returns the number of members below i.
func (b bitmap) numbers() func(i int64) int64 {
	const words = 8 // between two sums
	sums := make([]int64, len(b)/words+1)
	var n int64
	for i, w := range b {
		if i%words == 0 {
			sums[i/words] = n
		}
		n += int64(bits.OnesCount64(w))
	}
	return func(i int64) int64 {
		w := i / 64
		n := sums[w/words]
		for k := w / words * words; k < w; k++ {
			n += int64(bits.OnesCount64(b[k]))
		}
		return n + int64(bits.OnesCount64(b[w]&(1<<(i%64)-1)))
	}
}
