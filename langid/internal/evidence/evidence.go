package evidence

import "math"

// askWords is the number of words that are looked up together, and between two
// looks at whether the language is sure.
const askWords = 8

// batch looks up a few words of a text together. The tables are larger than
// the caches of a processor, so the keys come first, then in a loop of nothing
// else the slots of all of them, whose waits for memory overlap, and then what
// was found. The order in which rows are added makes no difference to sums.
type batch struct {
	m     *Model
	words *table
	grams *table
	t     *Tally

	word [askWords]Word
	n    int // words in word

	slots [batchKeys]uint64 // of the keys in hand
	regs  [batchKeys]reg    // ends of n-grams
	ends  int               // of regs
	rows  [batchKeys]uint32 // rows to be added
	found int               // of rows
	touch uint64            // keeps the loads that fetch rows
}

// batchKeys is how many keys a batch has in hand at most.
const batchKeys = 2 * (maxWord + 1)

// reg holds the last characters of an n-gram, and the salt of its language
// space.
type reg struct{ chars, salt uint64 }

// fill reads the next words of text from byte i on and returns the byte behind
// them. There are fewer than askWords only at the end of text.
func (b *batch) fill(text string, i int) int {
	for b.n = 0; b.n < askWords; b.n++ {
		i = b.word[b.n].Next(text, i)
		if b.word[b.n].N == 0 {
			break
		}
	}
	return i
}

// Read adds up the evidence of text for the languages of each script. Every
// few words it looks, if it may stop early, whether one language is sure.
func (m *Model) Read(text string, t *Tally, early bool) {
	b := batch{m: m, words: &m.words, grams: &m.grams, t: t}
	for i := 0; ; {
		i = b.fill(text, i)
		var salts [askWords]uint64
		told := uint(0) // a bit for each word in a script of several languages
		for k := range b.n {
			w := &b.word[k]
			s := w.Script % MaxScripts
			t.Letters[s] += int32(w.N)
			if m.Told[s] {
				t.told += int32(w.N)
				salts[k] = Salt(int(s))
				told |= 1 << k
			}
		}
		b.add(told, &salts)
		if b.n < askWords || early && m.sure(t) {
			return
		}
	}
}

// ReadGroup adds up the evidence of text for the languages of a group.
func (m *Model) ReadGroup(g *Group, text string, t *Tally) {
	b := batch{m: m, words: &m.grouped[0], grams: &m.grouped[1], t: t}
	var salts [askWords]uint64
	for k := range salts {
		salts[k] = g.salt
	}
	for i := 0; ; {
		i = b.fill(text, i)
		own := uint(0)
		for k := range b.n {
			if b.word[k].Script == g.Script {
				own |= 1 << k
			}
		}
		b.add(own, &salts)
		if b.n < askWords {
			return
		}
	}
}

// add adds the rows that the words with a bit in which fire: that of the word;
// else, at each of its characters, that of the longest n-gram which ends there.
// After some words, when there is much evidence, only at every third, the last
// being one. Of Chinese characters it is each one, and each pair.
func (b *batch) add(which uint, salts *[askWords]uint64) {
	t := b.t
	shift, slots := b.words.shift, b.words.slots
	var hash, first [askWords]uint64
	for k := range b.n {
		hash[k] = Mix(WordKey(b.word[k].Hash, salts[k])) >> 32
	}
	for k := range b.n {
		first[k] = slots[hash[k]>>shift]
	}
	for k := range b.n {
		if which>>k&1 == 0 {
			continue
		}
		t.words++
		w := &b.word[k]
		if w.Script == Hani {
			b.addHan(w, salts[k])
			continue
		}
		slot := first[k]
		if slot>>32 != hash[k] && slot != 0 {
			slot = b.words.probe(hash[k])
		}
		if slot != 0 {
			t.known += int32(w.N)
			b.take(slot)
			continue
		}
		b.addEnds(w, salts[k])
	}
	b.addGrams()
	b.addRows()
}

// take keeps the row at slot for addRows; 0 is no row.
func (b *batch) take(slot uint64) {
	if uint32(slot) == 0 {
		return
	}
	if b.found == len(b.rows) {
		b.addRows()
	}
	b.rows[b.found] = uint32(slot)
	b.found++
}

// addHan looks up the characters of w and their pairs.
func (b *batch) addHan(w *Word, salt uint64) {
	prev := uint64(0)
	for _, c := range w.Code[:w.N] {
		b.take(b.grams.find(haniKey(0, uint64(c), salt)))
		if prev != 0 {
			b.take(b.grams.find(haniKey(prev, uint64(c), salt)))
		}
		prev = uint64(c)
	}
}

// addEnds keeps the ends of the n-grams of w for addGrams.
func (b *batch) addEnds(w *Word, salt uint64) {
	if b.ends+w.N+1 > len(b.regs) {
		b.addGrams()
	}
	w.Code[w.N] = boundary
	chars := uint64(boundary)
	skip, step := 0, 1
	if b.t.words > thorough {
		skip, step = w.N%hastyStep, hastyStep
	}
	n := b.ends
	for _, c := range w.Code[:w.N+1] {
		chars = chars<<codeBits | uint64(c&codeMask)
		if skip > 0 {
			skip--
			continue
		}
		skip = step - 1
		b.regs[n] = reg{chars, salt}
		n++
	}
	b.ends = n
}

// addGrams looks up the longest n-gram at each end: three characters first,
// longer ones while a row says that there are such, shorter ones where there is
// no row.
func (b *batch) addGrams() {
	grams := b.grams
	slots, shift := grams.slots, grams.shift
	n := b.ends
	b.ends = 0
	for i := range b.regs[:n] {
		r := &b.regs[i]
		b.slots[i] = slots[Mix(gramKey(r.chars, 3, r.salt))>>32>>shift]
	}
	words := b.words
	slots, shift = words.slots, words.shift
	var next [batchKeys]uint64 // slots of longer n-grams, fetched before they are looked at
	more := 0
	for i := range n {
		r := b.regs[i]
		slot := b.slots[i]
		h := Mix(gramKey(r.chars, 3, r.salt)) >> 32
		if slot>>32 != h && slot != 0 {
			slot = grams.probe(h)
		}
		switch {
		case slot&Longer != 0:
			b.regs[more], b.slots[more] = r, slot
			next[more] = slots[Mix(gramKey(r.chars, 4, r.salt))>>32>>shift]
			more++
			continue
		case slot == 0:
			if slot = grams.find(gramKey(r.chars, 2, r.salt)); slot == 0 {
				slot = grams.find(gramKey(r.chars, 1, r.salt))
			}
		}
		b.take(slot)
	}
	for order := 4; order <= maxOrder && more > 0; order++ {
		n, more = more, 0
		for i := range n {
			r := b.regs[i]
			slot := next[i]
			h := Mix(gramKey(r.chars, order, r.salt)) >> 32
			if slot>>32 != h && slot != 0 {
				slot = words.probe(h)
			}
			switch {
			case slot == 0:
				b.take(b.slots[i])
			case slot&Longer != 0 && order < maxOrder:
				b.regs[more], b.slots[more] = r, slot
				next[more] = slots[Mix(gramKey(r.chars, order+1, r.salt))>>32>>shift]
				more++
			default:
				b.take(slot)
			}
		}
	}
}

// addRows adds the weights of the rows in hand.
func (b *batch) addRows() {
	quads := b.m.quads
	score := &b.t.Score
	b.t.Rows += int32(b.found)
	touch := uint64(0)
	for _, r := range b.rows[:b.found] {
		touch ^= quads[r>>8]
	}
	b.touch = touch
	for _, r := range b.rows[:b.found] {
		first := r >> 8
		for _, q := range quads[first : first+r&maxQuads] {
			score[uint8(q)] += int32(int8(q >> 8))
			score[uint8(q>>16)] += int32(int8(q >> 24))
			score[uint8(q>>32)] += int32(int8(q >> 40))
			score[uint8(q>>48)] += int32(int8(q >> 56))
		}
	}
	b.found = 0
}

// sureMargin is how much more probable than the next the best language must
// be to stop reading, as a natural logarithm.
const sureMargin = 9

// sure reports whether one language is so far ahead that the rest of the text
// need not be read: nearly all letters are of its script, and the others have
// a chance of e^-9.
func (m *Model) sure(t *Tally) bool {
	s, _ := t.Script()
	all := int32(0)
	for _, n := range t.Letters[:len(Scripts)] {
		all += n
	}
	if t.Letters[s]*10 < all*9 {
		return false
	}
	best, second := int32(math.MinInt32), int32(math.MinInt32)
	for _, c := range m.ByScript[s] {
		if x := t.Score[c]; x > best {
			best, second = x, best
		} else if x > second {
			second = x
		}
	}
	return len(m.ByScript[s]) < 2 || float64(best-second)*m.Soft.scale(t.Rows) > sureMargin
}
