package translated

import "unicode/utf8"

// rules holds the marks of an element, and what one of their attributes must have, to pass over
// nearly all elements without comparing patterns.
type rules struct {
	marks []mark
	need  []need
}

// need is an attribute that a mark requires.
type need struct {
	attr  string
	any   bool                       // whatever its value is
	grams [1 << gramBits / 64]uint64 // hashes of four bytes of each pattern, one bit each
}

const gramBits = 15 // most values have none of the embedded marks' hashes by chance

// add adds a mark. Its longest part must occur in a value.
func (r *rules) add(k mark) {
	r.marks = append(r.marks, k)
	best, part := 0, ""
	for i, a := range k.attrs {
		for _, p := range a.pattern {
			if len(p) > len(part) {
				best, part = i, p
			}
		}
	}
	n := r.needOf(k.attrs[best].name)
	if len(part) < 4 {
		n.any = true
		return
	}
	end := part[len(part)-4:] // the starts are often those of other addresses
	g := gram(end[0], end[1], end[2], end[3])
	n.grams[g/64] |= 1 << (g % 64)
}

// needOf returns the need for an attribute, a new one if there is none.
func (r *rules) needOf(attr string) *need {
	for i := range r.need {
		if r.need[i].attr == attr {
			return &r.need[i]
		}
	}
	r.need = append(r.need, need{attr: attr})
	return &r.need[len(r.need)-1]
}

// mayHold reports whether an element with these attributes has what a mark needs.
func (r *rules) mayHold(value func(name string) (string, bool)) bool {
	for i := range r.need {
		n := &r.need[i]
		if v, ok := value(n.attr); ok && (n.any || n.occursIn(v[:min(len(v), maxValue)])) {
			return true
		}
	}
	return false
}

// occursIn reports whether value may have a part of a pattern, regardless of case.
func (n *need) occursIn(value string) bool {
	var all byte
	for i := range len(value) - 3 {
		all |= value[i]
		if g := gram(value[i], value[i+1], value[i+2], value[i+3]); n.grams[g/64]>>(g%64)&1 == 1 {
			return true
		}
	}
	for i := max(len(value)-3, 0); i < len(value); i++ {
		all |= value[i]
	}
	return all >= utf8.RuneSelf // lower case may be ASCII
}

// gram returns the hash of four bytes, regardless of case.
func gram(a, b, c, d byte) uint32 {
	x := uint32(a) | uint32(b)<<8 | uint32(c)<<16 | uint32(d)<<24
	return (x | 0x20202020) * 0x9E3779B1 >> (32 - gramBits)
}
