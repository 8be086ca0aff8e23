package corpus

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
	a      *Attr
	one    uint32 // with one value
	set    idSet  // with several
	places *valuePlaces
	not    bool
}

func newValueTest(a *Attr, ids []uint32, not bool) *valueTest {
	if a.from != nil {
		a, ids = a.from, a.under(ids)
	}
	v := &valueTest{a: a, places: newValuePlaces(a, ids), not: not}
	if len(ids) == 1 {
		v.one = ids[0]
	} else {
		v.set = newIDSet(a.n, ids)
	}
	return v
}

func (v *valueTest) at(place uint32) bool {
	id := uint32(v.a.ids.At(int(place)))
	if v.set == nil {
		return (id == v.one) != v.not
	}
	return v.set.has(id) != v.not
}

func (v *valueTest) anchor() *anchor {
	if v.not {
		return nil
	}
	return &anchor{
		parts: []anchorPart{{open: v.places.stream}},
		cost:  float64(v.places.total),
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
