package corpus

import (
	"bytes"
	"context"
	"iter"
	"sort"

	"chaffinch/internal/bitpack"
)

// Attr is an attribute of tokens, such as word or lemma. Its values are
// numbered from 0 in byte order.
type Attr struct {
	name  string
	text  []byte
	ends  bitpack.Array // where value id begins in text, one more than there are values
	freq  bitpack.Array // sums of the frequencies, one more
	ids   bitpack.Array // number of the value at each place
	lists []byte        // places of each value
	at    bitpack.Array // where the list of value id begins in lists, one more
	// from is the attribute from which this attribute is derived. Its value
	// numbers are then the places. If nil, the places are tokens.
	from   *Attr
	n      int
	folded foldedValues
}

// attr reads an attribute with the given number of places.
func (p *parser) attr(section, name string, places int64, from string, have []*Attr) *Attr {
	a := &Attr{name: name}
	if from != "" {
		for _, h := range have {
			if h.name == from && h.from == nil {
				a.from, places = h, int64(h.n)
			}
		}
		if a.from == nil {
			p.fail("attribute %s comes from %s, which is missing", name, from)
			return a
		}
	}
	a.text = p.section(section + "/text")
	a.ends = p.array(section+"/ends", -1)
	if a.n = max(a.ends.Len()-1, 0); int64(a.n) > places || a.n > len(a.text)+1 || a.n == 0 && places > 0 {
		p.fail("section %s/ends: %d different values, but %d places and %d bytes", section, a.n, places, len(a.text))
		a.n = 0
	}
	a.freq = p.array(section+"/freq", int64(a.n)+1)
	a.ids = p.array(section+"/ids", places)
	a.lists = p.section(section + "/lists")
	a.at = p.array(section+"/at", int64(a.n)+1)
	return a
}

// Name returns the name.
func (a *Attr) Name() string { return a.name }

// Len returns the number of distinct values.
func (a *Attr) Len() int { return a.n }

// bytes returns the bytes of a value, which must not be modified. It returns nil
// if id is out of range.
func (a *Attr) bytes(id uint32) []byte {
	if int(id) >= a.n {
		return nil
	}
	from, to := a.ends.At(int(id)), a.ends.At(int(id)+1)
	if from > to || to > uint64(len(a.text)) {
		return nil // damaged
	}
	return a.text[from:to]
}

// Word returns the value with number id, or "" if there is none.
func (a *Attr) Word(id uint32) string { return string(a.bytes(id)) }

// search returns the number of the first value that is at least b.
func (a *Attr) search(b []byte) int {
	return sort.Search(a.n, func(i int) bool { return bytes.Compare(a.bytes(uint32(i)), b) >= 0 })
}

// ID returns the number of a value. ok is false if no token has the value.
func (a *Attr) ID(word string) (id uint32, ok bool) {
	b := []byte(word)
	i := a.search(b)
	if i == a.n || !bytes.Equal(a.bytes(uint32(i)), b) {
		return 0, false
	}
	return uint32(i), true
}

// Lempos returns the numbers of the values of a lemma with a part of speech, such as take-n and take-v.
func (a *Attr) Lempos(lemma string) (ids []uint32) {
	for letter := 'a'; letter <= 'z'; letter++ {
		if id, ok := a.ID(lemma + "-" + string(letter)); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// places returns the number of places with the value: tokens, or values of the
// attribute from which a is derived.
func (a *Attr) places(id uint32) int {
	if int(id) >= a.n {
		return 0
	}
	from, to := a.freq.At(int(id)), a.freq.At(int(id)+1)
	if to < from || to-from > uint64(a.ids.Len()) {
		return 0 // damaged
	}
	return int(to - from)
}

// Freq returns the number of tokens that have the value.
func (a *Attr) Freq(id uint32) int64 {
	if a.from == nil {
		return int64(a.places(id))
	}
	sum := int64(0)
	var c cursor
	for a.open(&c, id); ; c.step() {
		x, ok := c.peek()
		if !ok {
			return sum
		}
		sum += a.from.Freq(x)
	}
}

// open starts to read the places of a value.
func (a *Attr) open(c *cursor, id uint32) {
	c.reset(nil, 0, 0)
	n := a.places(id)
	if n == 0 {
		return
	}
	from, to := a.at.At(int(id)), a.at.At(int(id)+1)
	if from > to || to > uint64(len(a.lists)) {
		return // damaged
	}
	c.reset(a.lists[from:to], n, int64(a.ids.Len()))
}

// At returns the number of the value of token pos, which must be at least 0
// and less than Size.
func (a *Attr) At(pos int64) uint32 {
	if a.from == nil {
		return a.number(int(pos))
	}
	return a.number(int(a.from.number(int(pos))))
}

// number returns the number of the value at a place of this attribute. In a
// damaged index, numbers out of range are read as 0.
func (a *Attr) number(place int) uint32 {
	if id := a.ids.At(place); id < uint64(a.n) {
		return uint32(id)
	}
	return 0
}

// Positions returns the tokens that have the value, in order.
func (a *Attr) Positions(id uint32) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		s := a.stream(newDeadline(context.Background()), []uint32{id}, 0, infinite)
		base := a
		for base.from != nil {
			base = base.from
		}
		for from := uint32(0); int(from) < base.ids.Len(); {
			p, ok := s.next(from)
			if !ok || p < from || int(p) >= base.ids.Len() || !yield(int64(p)) {
				return // the end, or a damaged list
			}
			from = p + 1
		}
	}
}
