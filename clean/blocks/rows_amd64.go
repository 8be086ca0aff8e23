package blocks

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has AVX2.
var vectors = cpu.X86.HasAVX2

// addVector adds the weights of n slots, 1 to maxAdded, with less taken from each sum.
//
//go:noescape
func addVector(z *sums, rows *uint64, slots *uint32, n, less int)

// sumVector sets z to x plus y.
//
//go:noescape
func sumVector(z, x, y *sums)

// sum is equivalent to sumGo.
func (z *sums) sum(x, y *sums) {
	if !vectors {
		z.sumGo(x, y)
		return
	}
	sumVector(z, x, y)
}

// Assumptions of addVector, checked at compile time.
var (
	_ [RowSlots - 4]struct{}
	_ [4 - RowSlots]struct{}
	_ [rowWords - 4]struct{}
	_ [4 - rowWords]struct{}
	_ [sumSlabs - 13]struct{}
	_ [13 - sumSlabs]struct{}
)

// add is equivalent to addGo. Slots must be below RowSlots times the number of rows.
func (t *lookup) add(z *sums, slots []uint32) {
	if !vectors {
		t.addGo(z, slots)
		return
	}
	for len(slots) > 0 {
		n := min(len(slots), maxAdded)
		addVector(z, &t.rows[0], &slots[0], n, n*middle)
		slots = slots[n:]
	}
}
