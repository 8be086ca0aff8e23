package translated

import "chaffinch/internal/swar"

// Rules holds the marks of an element. It also holds what one of their attributes must have, to pass
// over nearly all elements without comparing patterns.
type Rules struct {
	marks []mark
	need  []need
}

// need is an attribute that a mark requires.
type need struct {
	attr  string
	any   bool                       // whatever its value is
	parts []string                   // one of each pattern, which a value must have
	step  int                        // a value with a part has one of grams at a multiple of step
	grams [1 << gramBits / 64]uint64 // hashes of gramBytes bytes of the parts, one bit each
}

const (
	gramBytes = 8
	gramBits  = 14
	mostSteps = gramBytes // so that the grams of a value hold all its bytes, except for the last ones
)

// add adds a mark. Its longest part must occur in a value.
func (r *Rules) add(k mark) {
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
	if len(part) < gramBytes {
		n.any = true
		return
	}
	n.parts = append(n.parts, part)
	n.step = min(n.step, len(part)-gramBytes+1)
	clear(n.grams[:])
	for _, p := range n.parts {
		for i := range n.step {
			g := gram(swar.Load(p[len(p)-gramBytes-i:])) // other addresses often begin alike
			n.grams[g/64] |= 1 << (g % 64)
		}
	}
}

// needOf returns the need for an attribute, a new one if there is none.
func (r *Rules) needOf(attr string) *need {
	for i := range r.need {
		if r.need[i].attr == attr {
			return &r.need[i]
		}
	}
	r.need = append(r.need, need{attr: attr, step: mostSteps})
	return &r.need[len(r.need)-1]
}

// mayHold reports whether an element with these attributes has what a mark needs.
func (r *Rules) mayHold(value func(name string) (string, bool)) bool {
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
	var all uint64
	i := 0
	for ; i+gramBytes <= len(value); i += n.step {
		x := swar.Load(value[i:])
		all |= x
		if g := gram(x); n.grams[g/64]>>(g%64)&1 == 1 {
			return true
		}
	}
	for ; i < len(value); i++ {
		all |= uint64(value[i])
	}
	return all&swar.Tops != 0 // lower case may be ASCII
}

// gram returns the hash of eight bytes, regardless of case.
func gram(x uint64) uint64 {
	return (x | ' '*swar.Ones) * 0x9E3779B97F4A7C15 >> (64 - gramBits)
}
