package evidence

import "chaffinch/internal/prefetch"

// askWords is the number of words that are looked up together, and between two checks for a
// certain language.
const askWords = 8

// batch looks up a few words of a text together. The tables are larger than the caches of a
// processor. Therefore all keys are computed first, then all slots are loaded in a tight loop,
// so that memory latencies overlap, and then the results are used. The order in which rows are
// added does not affect the sums.
//
// The row at the end of an n-gram depends only on the last maxOrder characters. The batch keeps recent
// ones, because a text, and usually the next one, contains the same again.
type batch struct {
	m     *Model
	words *table
	grams *table

	word [askWords]Word
	n    int // words in word

	end   [batchKeys]end    // positions where n-grams end
	ends  int               // number of elements of end
	rows  [batchKeys]uint32 // rows to add
	found int               // number of elements of rows
	dense [batchKeys]uint32 // of these, the dense ones

	recent [1 << recentBits]recent
}

// recent is a row at the end of n-grams.
type recent struct {
	chars  uint64 // the last maxOrder characters
	row    uint32 // 0 for none
	script Script // of chars, 0 for an empty element
}

const (
	recentBits = 14 // bits of the number of recent rows
	allCodes   = 1<<(codeBits*maxOrder) - 1
)

// batchKeys is the maximum number of keys in a batch.
const batchKeys = 2 * (maxWord + 1)

// end is a position where n-grams end.
type end struct {
	chars      uint64 // the last maxOrder characters
	script     Script // of chars
	longest    uint64 // slot of the longest n-gram found so far
	hash, slot uint64 // of the current n-gram: its hash and the first slot for it
}

// recentOf returns the element for the last maxOrder characters.
func (b *batch) recentOf(chars uint64) *recent { return &b.recent[chars*spread>>(64-recentBits)] }

// resolve queues the row at slot for e, and keeps it.
func (b *batch) resolve(e *end, slot uint64) {
	*b.recentOf(e.chars) = recent{e.chars, uint32(slot), e.script}
	b.push(uint32(slot))
}

// push queues a row for addRows, which has space for it.
func (b *batch) push(row uint32) {
	if row != 0 {
		b.rows[b.found] = row
		b.found++
	}
}

// look loads the first slot in t for the n-gram of e with n characters.
func (e *end) look(t *table, n int) {
	e.hash = Mix(gramKey(e.chars, n, Salt(e.script))) >> 32
	e.slot = t.slots[e.hash>>t.shift]
}

// found returns the slot of the current n-gram, or 0.
func (e *end) found(t *table) uint64 {
	if e.slot>>32 == e.hash || e.slot == 0 {
		return e.slot
	}
	return t.probe(e.hash)
}

// fill reads the next words of text from byte i on and returns the byte after them. It reads
// fewer than askWords words only at the end of text.
func (b *batch) fill(text string, i int) int {
	for b.n = 0; b.n < askWords; b.n++ {
		i = b.word[b.n].Next(text, i)
		if b.word[b.n].N == 0 {
			break
		}
	}
	return i
}

// Read adds the evidence of text for the languages of each script to t. If early is set, it
// stops as soon as one language is certain, which it checks every few words.
func (m *Model) Read(text string, t *Tally, early bool) {
	b, _ := m.batches.Get().(*batch)
	if b == nil {
		b = &batch{m: m, words: &m.words, grams: &m.grams}
	}
	defer m.batches.Put(b)
	for i := 0; ; {
		i = b.fill(text, i)
		var salts [askWords]uint64
		told := uint(0) // a bit for each word in a script of several languages
		for k := range b.n {
			w := &b.word[k]
			s := w.Script % MaxScripts
			if t.Letters[s] == 0 && m.Told[s] {
				m.begin(t, m.ByScript[s])
			}
			t.Letters[s] += int32(w.N)
			t.letters += int32(w.N)
			if m.Told[s] {
				t.told += int32(w.N)
				salts[k] = Salt(s)
				told |= 1 << k
			}
		}
		b.add(t, told, &salts)
		if b.n < askWords || early && m.sure(t, b.word[b.n-1].Script) {
			return
		}
	}
}

// begin sets the scores of classes before any text is read.
func (m *Model) begin(t *Tally, classes []uint16) {
	t.touch(classes)
	if scores := t.row(classes); scores != nil {
		copy(scores, m.priors[classes[0]:])
		return
	}
	for _, c := range classes {
		t.Score[c] = m.priors[c]
	}
}

// add adds the rows of the words with a bit in which. It adds the row of the word if there is
// one. Otherwise it adds, at each character, the row of the longest n-gram that ends there.
// After many words it processes only every third character, including the last one. For Chinese
// characters it adds the rows of each character and each pair.
func (b *batch) add(t *Tally, which uint, salts *[askWords]uint64) {
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
			b.addHan(t, w, salts[k])
			continue
		}
		slot := first[k]
		if slot>>32 != hash[k] && slot != 0 {
			slot = b.words.probe(hash[k])
		}
		if slot != 0 {
			t.known += int32(w.N)
			b.take(t, slot)
			continue
		}
		b.addEnds(t, w)
	}
	if b.ends > 0 { // fetch rows of words while n-grams are looked up
		prefetch.Lines(b.m.pairs, b.rows[:b.found], rowShift)
	}
	b.addGrams(t)
	b.addRows(t)
}

// take queues the row at slot for addRows. Slot 0 is no row.
func (b *batch) take(t *Tally, slot uint64) {
	if uint32(slot) == 0 {
		return
	}
	if b.found == len(b.rows) {
		b.addRows(t)
	}
	b.rows[b.found] = uint32(slot)
	b.found++
}

// addHan looks up the characters of w and their pairs.
func (b *batch) addHan(t *Tally, w *Word, salt uint64) {
	prev := uint64(0)
	for _, c := range w.Code[:w.N] {
		b.take(t, b.grams.find(haniKey(0, uint64(c), salt)))
		if prev != 0 {
			b.take(t, b.grams.find(haniKey(prev, uint64(c), salt)))
		}
		prev = uint64(c)
	}
}

// addEnds queues the rows of the n-grams of w that are recent, and the ends of others for addGrams.
func (b *batch) addEnds(t *Tally, w *Word) {
	if b.found+b.ends+w.N+1 > batchKeys {
		b.addGrams(t)
		b.addRows(t)
	}
	w.Code[w.N] = boundary
	chars := uint64(boundary)
	skip, step := 0, 1
	if t.words > thorough {
		skip, step = w.N%hastyStep, hastyStep
	}
	for _, c := range w.Code[:w.N+1] {
		chars = chars<<codeBits&allCodes | uint64(c&codeMask)
		if skip > 0 {
			skip--
			continue
		}
		skip = step - 1
		if r := b.recentOf(chars); r.chars == chars && r.script == w.Script {
			b.push(r.row)
			continue
		}
		e := &b.end[b.ends]
		e.chars, e.script = chars, w.Script
		e.look(b.grams, 3)
		b.ends++
	}
}

// addGrams looks up the longest n-gram at each end. It starts with three characters. It tries
// longer n-grams while a row indicates that there are any, and shorter n-grams if there is no
// row.
func (b *batch) addGrams(t *Tally) {
	ends := b.end[:b.ends]
	b.ends = 0
	if b.found+len(ends) > batchKeys {
		b.addRows(t)
	}
	more := 0
	for i := range ends {
		e := &ends[i]
		slot := e.found(b.grams)
		if slot&longer != 0 {
			next := &ends[more]
			next.chars, next.script, next.longest = e.chars, e.script, slot
			next.look(b.words, 4)
			more++
			continue
		}
		if slot == 0 {
			if slot = b.grams.find(gramKey(e.chars, 2, Salt(e.script))); slot == 0 {
				slot = b.grams.find(gramKey(e.chars, 1, Salt(e.script)))
			}
		}
		b.resolve(e, slot)
	}
	for order := 4; more > 0; order++ {
		ends, more = ends[:more], 0
		for i := range ends {
			e := &ends[i]
			slot := e.found(b.words)
			if slot == 0 {
				slot = e.longest
			} else if slot&longer != 0 && order < maxOrder {
				next := &ends[more]
				next.chars, next.script, next.longest = e.chars, e.script, slot
				next.look(b.words, order+1)
				more++
				continue
			}
			b.resolve(e, slot)
		}
	}
}

// addRows adds the weights of the queued rows.
func (b *batch) addRows(t *Tally) {
	pairs := b.m.pairs
	score := &t.Score
	rows := b.rows[:b.found]
	t.Rows += int32(len(rows))
	prefetch.Lines(pairs, rows, rowShift)
	shortest := uint32(maxQuads + 1) // number of quads of dense rows
	if b.m.dense {
		shortest = denseQuads
	}
	dense, sparse := 0, 0 // without branches, because the lengths of rows vary
	for _, r := range rows {
		b.dense[dense], rows[sparse] = r, r
		short := int((r&maxQuads - shortest) >> 31)
		dense, sparse = dense+1-short, sparse+short
	}
	t.addDense(b.m.base, pairs, b.dense[:dense])
	for _, r := range rows[:sparse] {
		for _, p := range pairs[r>>rowShift:][:r&maxQuads] {
			score[p&classMask] += levels[p>>classBits&levelMask]
			p >>= 16
			score[p&classMask] += levels[p>>classBits&levelMask]
			p >>= 16
			score[p&classMask] += levels[p>>classBits&levelMask]
			p >>= 16
			score[p&classMask] += levels[p>>classBits&levelMask]
		}
	}
	b.found = 0
}

// sureMargin is the margin of the best language over the next at which reading stops, as a
// natural logarithm of the odds.
const sureMargin = 9

// sure reports whether one language is so far ahead that the rest of the text need not be read.
// Nearly all letters must be of its script, and the other languages must have odds of at most
// e^-9. The script of the last word is checked first. A script with nine of ten letters is the
// script of the text, regardless of letter weights.
func (m *Model) sure(t *Tally, s Script) bool {
	if t.Letters[s%MaxScripts]*10 < t.letters*9 {
		if s, _ = t.Script(); t.Letters[s]*10 < t.letters*9 {
			return false
		}
	}
	classes := m.ByScript[s%MaxScripts]
	if len(classes) < 2 {
		return true
	}
	var near nearSet
	near.near(classes, t, t.top(classes), within(sureMargin, m.Soft.scale(t.Rows))-1)
	return near.len() < 2
}
