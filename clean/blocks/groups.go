package blocks

// group holds sums over blocks with the same key.
type group struct {
	key       uint64
	blocks    int32
	words     int32
	linkWords float64
	good      int32
}

// groups is a hash table of groups with linear probing. It is reused.
type groups struct {
	slots []int32 // index in list plus one
	list  []group
	mask  uint64
}

// reset empties the table and reserves space for n groups.
func (g *groups) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if cap(g.slots) < size {
		g.slots = make([]int32, size)
	}
	g.slots = g.slots[:size]
	clear(g.slots)
	g.list = g.list[:0]
	g.mask = uint64(size - 1)
}

// add counts a block under key and returns the index of its group.
func (g *groups) add(key uint64, st *blockStats) int32 {
	at := g.slot(key)
	if g.slots[at] == 0 {
		g.list = append(g.list, group{key: key})
		g.slots[at] = int32(len(g.list))
	}
	i := g.slots[at] - 1
	e := &g.list[i]
	e.blocks++
	e.words += st.words
	e.linkWords += st.linkWords
	if st.good {
		e.good++
	}
	return i
}

// find returns the index of the group of key, or -1.
func (g *groups) find(key uint64) int32 { return g.slots[g.slot(key)] - 1 }

// slot returns the slot of key, or the free slot to insert it.
func (g *groups) slot(key uint64) uint64 {
	at := (key ^ key>>32) & g.mask
	for g.slots[at] != 0 && g.list[g.slots[at]-1].key != key {
		at = (at + 1) & g.mask
	}
	return at
}
