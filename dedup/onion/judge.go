package onion

import (
	"math"

	"chaffinch/dedup"
)

// gram is an n-gram that also occurs elsewhere, or a paragraph of template text.
type gram struct {
	num   uint64 // equal n-grams have the same number
	end   int32  // position of its last token in the document
	flags uint8
}

const (
	again    = 1 << iota // it also occurs earlier in the same document
	template             // not an n-gram, but the paragraph that ends here
	found                // it was seen when its paragraph was judged
	fresh                // this occurrence added it to the set
)

// unit is a paragraph, or the document as a whole.
type unit struct {
	tokens  int32
	covered int32 // tokens in seen n-grams
	from    int   // its grams
	to      int
	num     int32 // index of the paragraph, or dedup.Whole
	drop    bool
	reason  dedup.Reason
}

// set is the set of seen n-grams.
type set interface {
	Has(num uint64) bool
	Add(num uint64) (added bool)
	Remove(num uint64)
}

// judge decides on documents one at a time, in rank order. Its memory is proportional
// to one document.
type judge struct {
	cfg   *Config
	units []unit
	grams []gram
}

func (j *judge) reset() { j.units, j.grams = j.units[:0], j.grams[:0] }

// decide judges the document in units and grams (in order of their ends) and adds the
// n-grams of kept units to seen.
func (j *judge) decide(seen set) {
	j.cover(seen)
	if j.cfg.Compat {
		j.smoothCompat()
		for i := range j.units {
			if !j.units[i].drop {
				j.insert(&j.units[i], seen)
			}
		}
		return
	}
	if j.smooth() {
		// Remove the n-grams that dropped rests added, except n-grams that other
		// units of the document contain.
		for i := range j.units {
			if u := &j.units[i]; u.reason == dedup.Stub {
				j.withdraw(u, seen)
			}
		}
		for i := range j.units {
			if u := &j.units[i]; !u.drop {
				j.insert(u, seen)
			}
		}
	}
}

// cover finds the units to drop because of their content. Without Compat, units that
// stay are seen by later units.
func (j *judge) cover(seen set) {
	n, start, g := int32(j.cfg.Ngram), int32(0), 0
	for i := range j.units {
		u := &j.units[i]
		u.from = g
		end, next := start+u.tokens, start // next is the first token not yet covered
		isTemplate, whole := false, false
		for ; g < len(j.grams) && j.grams[g].end < end; g++ {
			x := &j.grams[g]
			if x.flags&template != 0 {
				isTemplate = true
				if seen.Has(x.num) {
					whole = true
					x.flags |= found
				}
				continue
			}
			if seen.Has(x.num) {
				x.flags |= found
			} else if !j.cfg.Compat || x.flags&again == 0 {
				continue
			}
			u.covered += x.end + 1 - max(next, x.end+1-n)
			next = x.end + 1
		}
		u.to = g
		start = end
		if u.tokens == 0 {
			continue
		}
		if whole {
			u.covered = u.tokens
		}
		if j.tooMuch(u.covered, u.tokens) {
			u.drop, u.reason = true, dedup.Copied
		}
		if isTemplate {
			u.reason = dedup.Template
			switch j.cfg.OnTemplate {
			case Drop:
				u.drop = true
			case Keep:
				u.drop = false
			}
		}
		if !j.cfg.Compat && !u.drop {
			j.insert(u, seen)
		}
	}
}

// tooMuch reports whether the share of covered tokens reaches Percent. With Compat the
// share must exceed it, and the threshold is a float32, as in the original.
func (j *judge) tooMuch(covered, tokens int32) bool {
	if j.cfg.Compat {
		return float64(covered)/float64(tokens) > float64(float32(j.cfg.Percent/100))
	}
	return covered > 0 && float64(covered)*100 >= j.cfg.Percent*float64(tokens)
}

func (j *judge) insert(u *unit, seen set) {
	for i := u.from; i < u.to; i++ {
		if x := &j.grams[i]; seen.Add(x.num) {
			x.flags |= fresh
		}
	}
}

func (j *judge) withdraw(u *unit, seen set) {
	for i := u.from; i < u.to; i++ {
		if x := &j.grams[i]; x.flags&fresh != 0 {
			seen.Remove(x.num)
			x.flags &^= fresh
		}
	}
}

// smoothCompat drops the runs of at most Stub tokens between dropped units and the
// edges of the document, like the original.
func (j *judge) smoothCompat() {
	if j.cfg.Stub == 0 {
		return
	}
	from, length := 0, int64(0)
	for i := 0; i <= len(j.units); i++ {
		if i < len(j.units) && !j.units[i].drop {
			length += int64(j.units[i].tokens)
			continue
		}
		if length <= int64(j.cfg.Stub) {
			j.stub(from, i)
		}
		from, length = i+1, 0
	}
}

// smooth drops the runs of at most Stub tokens between two copied units, and reports
// whether it dropped any. It drops a run between a copied unit and an edge of the
// document only if more than half of the document is copied. Template text is skipped:
// pages that share only their template keep their own text, regardless of its length.
func (j *judge) smooth() (dropped bool) {
	var copied, own int64 // tokens
	for _, u := range j.units {
		switch {
		case u.reason == dedup.Copied:
			copied += int64(u.tokens)
		case !u.drop:
			own += int64(u.tokens)
		}
	}
	if j.cfg.Stub == 0 || copied == 0 {
		return false
	}
	mostly := copied > own
	from, length, left := 0, int64(0), mostly
	for i := 0; i <= len(j.units); i++ {
		right := mostly
		if i < len(j.units) {
			switch u := &j.units[i]; {
			case !u.drop:
				length += int64(u.tokens)
				continue
			case u.reason != dedup.Copied:
				continue
			}
			right = true
		}
		if left && right && length <= int64(j.cfg.Stub) {
			dropped = j.stub(from, i) || dropped
		}
		from, length, left = i+1, 0, true
	}
	return dropped
}

// stub drops units[from:to] as a rest and reports whether it dropped any.
func (j *judge) stub(from, to int) (dropped bool) {
	for i := from; i < to; i++ {
		if u := &j.units[i]; !u.drop {
			u.drop, u.reason, dropped = true, dedup.Stub, true
		}
	}
	return dropped
}

// share returns the share of the tokens of a unit that was seen.
func (u *unit) share() float32 {
	if u.tokens == 0 {
		return 0
	}
	return float32(math.Round(float64(u.covered)/float64(u.tokens)*1e4) / 1e4)
}

// votes is the number of n-grams of a unit for which the first document is requested.
const votes = 5

// witnesses calls fn for up to votes n-grams of u that were seen before it, at even
// distances, including the first and the last.
func (j *judge) witnesses(u *unit, fn func(num uint64)) {
	n := 0
	for _, x := range j.grams[u.from:u.to] {
		if x.flags&found != 0 {
			n++
		}
	}
	k, asked := 0, 0
	for _, x := range j.grams[u.from:u.to] {
		if x.flags&found == 0 {
			continue
		}
		if n <= votes || k*(votes-1) >= asked*(n-1) {
			fn(x.num)
			asked++
		}
		k++
	}
}
