package plagiarism

import (
	"cmp"
	"math/bits"
)

// hitGroups groups hits by section. Its cost depends on the hits alone, not on the number of
// sections of the index.
type hitGroups struct {
	slots   []slot   // a table with open addressing
	of      []uint32 // of each hit: its slot
	members []member
	ends    []int32 // of each group in out
	out     []hit
}

// member is a hit of a group, by their numbers.
type member struct{ hit, group int32 }

// slot is a section.
type slot struct {
	section int32 // + 1; 0 in an empty slot
	group   int32 // + 1, if nearHits places are near each other, else 0
	// last holds the last places in the suspicious section, each once. places is their number, at
	// most nearHits.
	last   [nearHits - 1]uint16
	places uint16
}

// nearHits is the number of hits that must be near each other for a group, unless fewer are wanted.
const nearHits = 4

// each calls fn for the hits of each section that has hits at enough different places within near
// words of the suspicious section. Enough are least, but at most nearHits. hits are in the order of
// s. The hits of a section are in the order of s, then of r. The order of sections is unspecified.
func (g *hitGroups) each(hits []hit, least, near int, fn func([]hit)) {
	g.of, g.ends = resize(g.of, len(hits)), g.ends[:0]
	size := 1 << bits.Len(uint(len(hits)))
	g.slots = resize(g.slots, size)
	clear(g.slots)
	of, slots := g.of, g.slots
	shift := 32 - uint(bits.Len(uint(size))-1)
	least = min(least, nearHits)
	for k, h := range hits {
		i := uint32(uint64(uint32(h.section)*2654435769) >> shift)
		x := &slots[i]
		for x.section != 0 && x.section != h.section+1 {
			i = (i + 1) & uint32(size-1)
			x = &slots[i]
		}
		x.section = h.section + 1
		of[k] = i
		s := uint16(h.s)
		if x.places > 0 && s == x.last[0] {
			continue
		}
		x.places = min(x.places+1, nearHits)
		if x.group == 0 && int(x.places) >= least && (least < 2 || int(s-x.last[least-2]) <= near) {
			g.ends = append(g.ends, 0)
			x.group = int32(len(g.ends))
		}
		x.last[2], x.last[1], x.last[0] = x.last[1], x.last[0], s
	}
	if len(g.ends) == 0 {
		return
	}
	g.members = resize(g.members, len(hits))
	members, in := g.members, 0
	for k, i := range of {
		n := slots[i].group
		if members[in] = (member{int32(k), n - 1}); n > 0 { // rarely
			in++
		}
	}
	members = members[:in]
	for _, m := range members {
		g.ends[m.group]++
	}
	n := int32(0)
	for i, k := range g.ends {
		g.ends[i] = n
		n += k
	}
	g.out = resize(g.out, in)
	for _, m := range members {
		g.out[g.ends[m.group]] = hits[m.hit]
		g.ends[m.group]++
	}
	from := int32(0)
	for _, end := range g.ends {
		of := g.out[from:end]
		sortPlaces(of)
		fn(of)
		from = end
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
