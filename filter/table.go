package filter

// table counts hashes. It can be emptied without clearing its slots.
type table struct {
	slots []slot
	mask  uint64
	turn  uint32 // slots with another turn are empty
}

type slot struct {
	hash uint64
	turn uint32
	n    uint32
}

// reset empties t and reserves space for n hashes.
func (t *table) reset(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	if size > len(t.slots) {
		t.slots, t.turn = make([]slot, size), 0
	}
	t.mask = uint64(size - 1)
	if t.turn++; t.turn == 0 {
		clear(t.slots)
		t.turn = 1
	}
}

// add counts a hash and returns its slot and its count.
func (t *table) add(hash uint64) (at, n uint32) {
	for i := hash * 0x9e3779b97f4a7c15 >> 20; ; i++ {
		s := &t.slots[i&t.mask]
		if s.turn != t.turn {
			*s = slot{hash: hash, turn: t.turn, n: 1}
			return uint32(i & t.mask), 1
		}
		if s.hash == hash {
			s.n++
			return uint32(i & t.mask), s.n
		}
	}
}
