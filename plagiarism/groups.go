package plagiarism

import (
	"cmp"
	"math/bits"
)

// hitGroups groups hits by section. Its cost depends on the hits alone, not on the number of
// sections of the index.
type hitGroups struct {
	slots []slot // a table with open addressing
	used  []uint32
	of    []uint32 // of each hit: its slot
	out   []hit
}

// slot is a section with the number of its hits, and the end of the hits placed so far.
type slot struct {
	section, hits, end int32
	last               [nearHits - 1]uint16 // the last places in s, each once
	places             uint16               // number of places in s
	near               bool                 // nearHits places are near each other
}

// nearHits is the number of hits that must be near each other in s, unless fewer are wanted.
const nearHits = 4

// each calls fn for the hits of each section that has at least least. It skips sections where fewer
// than nearHits and least different words are within near words. hits are in the order of s.
// The hits of a section are in the order of s, then of r. The order of sections is unspecified.
func (g *hitGroups) each(hits []hit, least, near int, fn func([]hit)) {
	last := min(least, nearHits) - 2 // the index in slot.last of the first of that many places
	size := 1 << bits.Len(uint(2*len(hits)))
	if len(g.slots) < size {
		g.slots = make([]slot, size)
	}
	slots := g.slots[:size]
	shift := 32 - uint(bits.Len(uint(size))-1)
	g.used, g.of = g.used[:0], resize(g.of, len(hits))
	for k, h := range hits {
		i := uint32(uint64(uint32(h.section)*2654435769) >> shift)
		for slots[i].hits > 0 && slots[i].section != h.section {
			i = (i + 1) & uint32(size-1)
		}
		x := &slots[i]
		if x.hits == 0 {
			x.section = h.section
			g.used = append(g.used, i)
		}
		if s := uint16(h.s); x.hits == 0 || s != x.last[0] {
			if x.places++; last < 0 || int(x.places) > last+1 && int(s-x.last[last]) <= near {
				x.near = true
			}
			x.last[2], x.last[1], x.last[0] = x.last[1], x.last[0], s
		}
		x.hits++
		g.of[k] = i
	}
	n := 0
	for _, i := range g.used {
		slots[i].end = -1
		if k := int(slots[i].hits); k >= least && slots[i].near {
			slots[i].end = int32(n)
			n += k
		}
	}
	g.out = resize(g.out, n)
	for k, i := range g.of {
		if end := slots[i].end; end >= 0 {
			g.out[end] = hits[k]
			slots[i].end++
		}
	}
	for _, i := range g.used {
		if end := slots[i].end; end >= 0 {
			of := g.out[end-slots[i].hits : end]
			sortPlaces(of)
			fn(of)
		}
		slots[i] = slot{}
	}
}

// sortPlaces sorts hits, which are in the order of s, by s and r.
func sortPlaces(hits []hit) {
	for i := 1; i < len(hits); i++ {
		h, j := hits[i], i
		for ; j > 0 && cmp.Or(cmp.Compare(hits[j-1].s, h.s), cmp.Compare(hits[j-1].r, h.r)) > 0; j-- {
			hits[j] = hits[j-1]
		}
		hits[j] = h
	}
}
