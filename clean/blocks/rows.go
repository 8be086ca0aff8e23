package blocks

import "chaffinch/internal/prefetch"

// linears holds the linear models of blocks in a layout for fast lookup. The weights of all
// models for a token are in one row, so that a token costs one memory access.
type linears struct {
	attr, words lookup
	hinted      bool           // whether there is a model of hints
	bias        [Roles]float32 // bias of the hints
	scale       float32        // scale of a step of the hints
}

// lookup holds the rows of one kind of token and the factors that convert sums of steps to
// scores.
type lookup struct {
	rows   []uint64 // rowWords for each row
	bias   float32
	scales [Slabs]float32
}

// A row holds the weights of RowSlots consecutive slots in 32 bytes. The weights of the
// hints are shared by all slots and take two words. The other linear model takes half a word
// per slot. A weight is one byte, its steps plus middle. The weights are in the order of
// [sums].
const (
	// RowSlots is the number of slots that share a row of [Hints].
	RowSlots = 1 << (slabBits - hintBits)
	rowWords = 2 + RowSlots/2
	rowCount = 1 << hintBits
	middle   = MostSteps + 1
	perWord  = 8   // weights
	maxAdded = 512 // tokens whose summed bytes fit into 16 bits
	evens    = 0x00ff00ff00ff00ff
)

// sums holds sums of weights in steps: the hints by role, then the slabs.
type sums [2 * perWord]int32

// sumSlabs is the index of the first slab. The slabs fill the rest of the second word.
const sumSlabs = len(sums{}) - Slabs

var _ [sumSlabs - Roles]struct{}

// emptyLinears returns lookup tables without weights.
func emptyLinears(alloc allocator) *linears {
	rows := alloc(2 * rowWords * rowCount)
	return &linears{attr: lookup{rows: rows[:len(rows)/2]}, words: lookup{rows: rows[len(rows)/2:]}}
}

// newLinears returns the lookup tables of the models. h may be nil.
func newLinears(attr, words *Linear, h *Hints) *linears {
	l := emptyLinears(onHeap)
	l.attr.setLinear(attr)
	l.words.setLinear(words)
	l.setHints(h)
	return l
}

// setHints sets the weights of the hints. h may be nil.
func (l *linears) setHints(h *Hints) {
	if l.hinted = h != nil; !l.hinted {
		return
	}
	l.bias, l.scale = h.Bias, h.Scale
	l.attr.setHints(h.Attr)
	l.words.setHints(h.Words)
}

// hints returns the argument of setHints.
func (l *linears) hints() *Hints {
	if !l.hinted {
		return nil
	}
	return &Hints{Bias: l.bias, Scale: l.scale, Attr: l.attr.hints(), Words: l.words.hints()}
}

// setLinear sets the weights of the slots.
func (t *lookup) setLinear(l *Linear) {
	t.bias = l.Bias
	a, b, c := l.Slabs[0].Weights, l.Slabs[1].Weights, l.Slabs[2].Weights // Slabs is 3
	three := func(k int) uint64 { return steps(a[k]) | steps(b[k])<<8 | steps(c[k])<<16 }
	for i := range rowCount {
		x := t.rows[i*rowWords+2:][:RowSlots/2]
		for k := range x {
			at := i*RowSlots + 2*k
			x[k] = three(at) | three(at+1)<<32
		}
	}
	for s := range t.scales {
		t.scales[s] = l.Slabs[s].Scale
	}
}

// linear returns the argument of setLinear.
func (t *lookup) linear() *Linear {
	l := &Linear{Bias: t.bias}
	for s := range Slabs {
		w := make([]int8, 1<<slabBits)
		for k := range w {
			w[k] = weight(t.rows[k/RowSlots*rowWords+2+k%RowSlots/2] >> (k%2*32 + 8*s))
		}
		l.Slabs = append(l.Slabs, Slab{t.scales[s], w})
	}
	return l
}

// setHints sets the weights of the hints.
func (t *lookup) setHints(h []RoleSteps) {
	for i := range h {
		var x [2]uint64
		for r := Roles - 1; r >= 0; r-- {
			x[r/perWord] = x[r/perWord]<<8 | steps(h[i][r])
		}
		copy(t.rows[i*rowWords:], x[:])
	}
}

// hints returns the argument of setHints.
func (t *lookup) hints() []RoleSteps {
	h := make([]RoleSteps, rowCount)
	for i := range h {
		for r := range h[i] {
			h[i][r] = weight(t.rows[i*rowWords+r/perWord] >> (8 * (r % perWord)))
		}
	}
	return h
}

// steps returns the byte of a weight, and weight the weight of a byte.
func steps(w int8) uint64  { return uint64(int(w) + middle) }
func weight(x uint64) int8 { return int8(int(byte(x)) - middle) }

// addGo adds the weights of slots. It adds the bytes of two tokens directly, 16 weights with
// two additions. It then splits them into even and odd bytes with 16 bits each.
func (t *lookup) addGo(z *sums, slots []uint32) {
	for len(slots) > 0 {
		part := slots[:min(len(slots), maxAdded)]
		slots = slots[len(part):]
		var even, odd, even8, odd8 uint64
		less := int32(len(part)) * middle
		for ; len(part) >= 2; part = part[2:] {
			a, a8 := t.weights(part[0])
			b, b8 := t.weights(part[1])
			a, a8 = a+b, a8+b8
			even += a & evens
			odd += a >> 8 & evens
			even8 += a8 & evens
			odd8 += a8 >> 8 & evens
		}
		if len(part) > 0 {
			a, a8 := t.weights(part[0])
			even += a & evens
			odd += a >> 8 & evens
			even8 += a8 & evens
			odd8 += a8 >> 8 & evens
		}
		for r := 0; r < perWord; r += 2 {
			z[r] += int32(even&0xffff) - less
			z[r+1] += int32(odd&0xffff) - less
			z[r+perWord] += int32(even8&0xffff) - less
			z[r+perWord+1] += int32(odd8&0xffff) - less
			even, odd, even8, odd8 = even>>16, odd>>16, even8>>16, odd8>>16
		}
	}
}

// weights returns the weights of slot k, one byte each.
func (t *lookup) weights(k uint32) (uint64, uint64) {
	const shift = 64 - Slabs*8 // of the slabs in the second word
	w := t.rows[k/RowSlots*rowWords:][:rowWords]
	return w[0], w[1] | uint64(uint32(w[2+k%RowSlots/2]>>(k%2*32)))<<shift
}

// sumGo sets z to x plus y.
func (z *sums) sumGo(x, y *sums) {
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

// main and article are the scores under the two policies.
func (t *lookup) main(z *sums) float32    { return t.score(z, 1) }
func (t *lookup) article(z *sums) float32 { return t.score(z, 2) }

// score returns the score of the shared slab and one other slab.
func (t *lookup) score(z *sums, slab int) float32 {
	of := func(s int) float32 { return float32(float32(z[sumSlabs+s]) * t.scales[s]) }
	return t.bias + of(0) + of(slab)
}

// elementSums holds the sums of the weights of an element's tokens: any for blocks anywhere
// inside the element, near for blocks close to it.
type elementSums struct{ any, near sums }

// attributes sums the weights of the class and id tokens of the elements.
func (s *sheet) attributes(l *linears) {
	prefetch.Words(l.attr.rows, s.any.slots, 0)
	prefetch.Words(l.attr.rows, s.near.slots, 0)
	s.alikeSums = grow(s.alikeSums, len(s.alikes))
	clear(s.alikeSums)
	for k := range s.alikeSums {
		x := &s.alikeSums[k]
		l.attr.add(&x.any, s.any.of(int32(k)))
		l.attr.add(&x.near, s.near.of(int32(k)))
	}
	s.sumElements()
}

// sumElements sets s.tokens for the elements with blocks.
func (s *sheet) sumElements() {
	s.tokens = grow(s.tokens, len(s.elems))
	s.tokens[0] = sums{}
	for e := 1; e < len(s.elems); e++ {
		x := &s.elems[e]
		if x.blocks == 0 {
			continue
		}
		s.tokens[e].sum(&s.tokens[x.parent], &s.alikeSums[x.alike].any)
	}
}

// blockScores sets the columns of the linear models of blocks.
func (s *sheet) blockScores(l *linears) {
	s.names, s.hints = s.names[:0], [Roles]float64{}
	for k := range s.sections {
		x := &s.sections[k]
		if !s.headings || x.heading < 0 {
			continue
		}
		s.scratch = s.hashes[x.heading].appendHeadingSlots(s.scratch[:0])
		l.words.add(&x.tokens, s.scratch)
	}
	s.inTexts.reset()
	most := 0
	for i := range s.hashes {
		if int(s.original[i]) == i {
			most += s.hashes[i].wordSlots()
		}
	}
	s.inTexts.slots, s.inTexts.ends = grow(s.inTexts.slots, most)[:0], grow(s.inTexts.ends, s.n)[:0]
	for i := range s.hashes {
		if int(s.original[i]) == i {
			s.inTexts.slots = s.hashes[i].appendWordSlots(s.inTexts.slots)
		}
		s.inTexts.end()
	}
	prefetch.Words(l.words.rows, s.inTexts.slots, 0)
	for i := range s.blocks {
		e := s.blocks[i].element
		if int(s.blocks[i].path) == len(s.names) { // first block with these ancestors
			s.scratch = s.appendTagSlots(s.scratch[:0], e)
			s.names = append(s.names, sums{})
			l.attr.add(&s.names[len(s.names)-1], s.scratch)
		}
		words := s.sections[s.sectionOf[i]].tokens
		var names sums
		near := &s.names[s.blocks[i].path]
		for k, x := 0, e; k < maxNear && x > 0; k, x = k+1, s.elems[x].parent {
			names.sum(near, &s.alikeSums[s.elems[x].alike].near)
			near = &names
		}
		s.set(colAttrNear, i, float64(l.attr.article(near)))
		names.sum(near, &s.tokens[e])
		s.set(colAttr, i, float64(l.attr.article(&names)))
		s.set(colAttrMain, i, float64(l.attr.main(&names)))
		l.words.add(&words, s.inTexts.of(s.original[i]))
		s.set(colLexical, i, float64(l.words.article(&words)))
		s.set(colLexicalMain, i, float64(l.words.main(&words)))
		w, hints := float64(s.blocks[i].words+1), s.values[int(colHints)*s.n+i:]
		for r, bias := range l.bias {
			hint := bias + float32(float32(names[r]+words[r])*l.scale)
			hints[r*s.n] = hint
			s.hints[r] += float64(w * float64(hint))
		}
	}
}
