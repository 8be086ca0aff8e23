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
type slot struct{ section, hits, end int32 }

// each calls fn for the hits of each section that has at least least. hits are in the order of s.
// The hits of a section are in the order of s, then of r. The order of sections is unspecified.
func (g *hitGroups) each(hits []hit, least int, fn func([]hit)) {
	size := 1 << bits.Len(uint(2*len(hits)))
	if len(g.slots) < size {
		g.slots = make([]slot, size)
	}
	slots := g.slots[:size]
	shift := 32 - uint(bits.Len(uint(size))-1)
	g.used, g.of = g.used[:0], g.of[:0]
	for _, h := range hits {
		i := uint32(uint64(uint32(h.section)*2654435769) >> shift)
		for slots[i].hits > 0 && slots[i].section != h.section {
			i = (i + 1) & uint32(size-1)
		}
		if slots[i].hits == 0 {
			slots[i].section = h.section
			g.used = append(g.used, i)
		}
		slots[i].hits++
		g.of = append(g.of, i)
	}
	n := 0
	for _, i := range g.used {
		slots[i].end = -1
		if k := int(slots[i].hits); k >= least {
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
