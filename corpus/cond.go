package corpus

import "math/bits"

// test is a condition on a place: a token, or a structure by its number.
type test interface {
	at(place uint32) bool
	// anchor returns the places that may pass; nil means every place.
	anchor() *anchor
}

// anyTest passes everywhere.
type anyTest struct{}

func (anyTest) at(uint32) bool  { return true }
func (anyTest) anchor() *anchor { return nil }

// valueTest passes where an attribute has one of some values. A derived
// attribute is replaced by its source attribute.
type valueTest struct {
	a    *Attr
	one  uint32 // with n == 1
	set  idSet  // with several
	n    int
	freq int64 // places with one of the values
	not  bool
}

func newValueTest(a *Attr, ids []uint32, not bool) *valueTest {
	if a.from != nil {
		a, ids = a.from, a.under(ids)
	}
	v := &valueTest{a: a, n: len(ids), not: not}
	for _, id := range ids {
		v.freq += int64(a.places(id))
	}
	if len(ids) == 1 {
		v.one = ids[0]
	} else {
		v.set = newIDSet(a.n, ids)
	}
	return v
}

func (v *valueTest) at(place uint32) bool {
	id := uint32(v.a.ids.At(int(place)))
	if v.n == 1 {
		return (id == v.one) != v.not
	}
	return v.set.has(id) != v.not
}

// ids lists the values.
func (v *valueTest) ids() []uint32 {
	if v.n == 1 {
		return []uint32{v.one}
	}
	out := make([]uint32, 0, v.n)
	for i, w := range v.set {
		for ; w != 0; w &= w - 1 {
			out = append(out, uint32(64*i+bits.TrailingZeros64(w)))
		}
	}
	return out
}

func (v *valueTest) anchor() *anchor {
	if v.not {
		return nil
	}
	return &anchor{
		parts: []anchorPart{{open: func(d *deadline, first, end uint32) stream { return v.a.stream(d, v.ids(), first, end) }}},
		cost:  float64(v.freq),
	}
}

type andTest []test

func (ts andTest) at(place uint32) bool {
	for _, t := range ts {
		if !t.at(place) {
			return false
		}
	}
	return true
}

func (ts andTest) anchor() (best *anchor) {
	for _, t := range ts {
		best = cheaper(best, t.anchor())
	}
	return best
}

type orTest []test

func (ts orTest) at(place uint32) bool {
	for _, t := range ts {
		if t.at(place) {
			return true
		}
	}
	return false
}

func (ts orTest) anchor() *anchor {
	all := new(anchor)
	for _, t := range ts {
		a := t.anchor()
		if a == nil {
			return nil
		}
		all.parts = append(all.parts, a.parts...)
		all.cost += a.cost
	}
	return all
}

type notTest struct{ t test }

func (n notTest) at(place uint32) bool { return !n.t.at(place) }
func (notTest) anchor() *anchor        { return nil }
