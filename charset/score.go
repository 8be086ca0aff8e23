package charset

import "unicode/utf8"

// scratch is what one detection needs. It is reused.
type scratch struct {
	sample             []byte
	counts             counts
	bits               []int32 // by language, in units
	ascii              []int32 // the part of n-grams that are all ASCII
	asciiSum           int32
	around             []int32 // what the ASCII around the sample costs
	aroundSum, aroundN int32
	context            []byte
	present            [256]glyph // of the bytes of the sample in one encoding
	results            []reading
	lows               []float64      // the best score of each group of results
	same               map[uint64]int // of a reading, by the characters it has
	first              []glimpse
}

// reading is how well a sample reads in one encoding.
type reading struct {
	codec *codec
	// bits is what the sample costs in its best language, lower is better;
	// prior is what the encoding costs.
	bits, prior float64
	lang        int // -1 = none
	// like is the number of the earlier reading that is the same text, -1 for
	// none; such readings have one group.
	like, group int
	// broken is the number of sequences that are no characters.
	broken int
}

// glimpse is a reading before it is scored in full.
type glimpse struct {
	codec  *codec
	score  float64
	prior  float64
	key    uint64  // of the characters it has
	round  int     // how often it was scored
	sum    int32   // as glance returns it
	bits   []int32 // as glance leaves it
	broken int
}

func (r *reading) score() float64 { return r.bits + r.prior }

// add adds n times the bits of an n-gram to those of the languages.
func (t *tables) add(bits []int32, key uint64, n int32) {
	bucket := key >> t.shift
	check := uint32(key & 0xFFFF)
	entries := t.entries[t.starts[bucket]:t.starts[bucket+1]]
	i := 0
	for i < len(entries) && entries[i]>>16 < check { // they are in order
		i++
	}
	for _, e := range entries[i:] {
		if e>>16 != check {
			break
		}
		bits[e>>8&0xFF] += n * int32(int8(e))
	}
}

// costNoLanguage is what each letter costs, in units, in a text of no language
// of the model.
const costNoLanguage = 3 * unit / 2

// What it costs, in units, that a letter is of another script than the letter
// before it, and than the last letter of the word before.
const (
	costMixedWord = 8 * unit
	costMixedText = 3 * unit
)

// least returns the lowest bits of n letters and their language; -1 if no
// language is better than none. With floors, the floors are still to add.
func (t *tables) least(bits []int32, n int32, floors bool) (lang int, low int32) {
	lang, low = -1, n*costNoLanguage
	for l, b := range bits {
		if floors {
			b += n * int32(t.floors[l])
		}
		if b < low {
			lang, low = l, b
		}
	}
	return lang, low
}

// ascii sets s.ascii to what the n-grams of the counted sample that are all
// ASCII cost: it is the same in all encodings.
func (t *tables) ascii(s *scratch) {
	k := &s.counts
	copy(s.ascii, s.around)
	s.asciiSum = s.aroundSum
	for l, f := range t.floors {
		s.ascii[l] += (k.n + s.aroundN) * int32(f)
	}
	for _, b := range k.bytes {
		if b < utf8.RuneSelf {
			g := &t.glyphs[b]
			s.present[b] = *g
			s.asciiSum += k.target[b] * int32(g.cost)
			if n := k.target[b]; n > 0 {
				t.add(s.ascii, ngram(unigram, 0, 0, g.letter), n)
			}
			if n := k.contxt[b]; n > 0 {
				t.add(s.ascii, ngram(backoff1, 0, 0, g.letter), n)
			}
		}
	}
	for _, p := range k.pairs {
		if (p.a | p.b) < utf8.RuneSelf {
			a, b := t.glyphs[p.a].letter, t.glyphs[p.b].letter
			if p.target > 0 {
				t.add(s.ascii, ngram(bigram, 0, a, b), p.target)
			}
			if p.context > 0 {
				t.add(s.ascii, ngram(backoff2, 0, a, b), p.context)
			}
		}
	}
}

// context sets s.around to what the letters of the ASCII around the sample
// cost, as far as pairs go; without floors.
func (t *tables) context(s *scratch, text []byte) {
	clear(s.around)
	s.aroundSum, s.aroundN = 0, 0
	if len(text) == 0 {
		return
	}
	s.counts.reset()
	a := byte(' ')
	for _, c := range text {
		c = fold[c]
		s.counts.pair(a, c).target++
		a = c
	}
	for _, p := range s.counts.pairs {
		if p.target == 0 {
			continue
		}
		a, b := &t.glyphs[p.a], &t.glyphs[p.b]
		s.aroundN += p.target
		s.aroundSum += p.target * int32(b.cost)
		t.add(s.around, ngram(unigram, 0, 0, b.letter), p.target)
		t.add(s.around, ngram(backoff1, 0, 0, a.letter), p.target)
		t.add(s.around, ngram(bigram, 0, a.letter, b.letter), p.target)
	}
	s.aroundSum = s.aroundSum * contextWeight / 8
	s.aroundN = s.aroundN * contextWeight / 8
	for l := range s.around {
		s.around[l] = s.around[l] * contextWeight / 8
	}
}

// contextWeight is how many eighths the ASCII around the sample counts for: it
// detects the language, and not the encoding itself.
const contextWeight = 6

// glance scores the counted sample by its symbols, cases and single letters,
// for a first choice. It leaves the bits of the languages in bits.
func (t *tables) glance(s *scratch, runes *[256]rune, bits []int32) (sum int32, broken int) {
	k := &s.counts
	copy(bits, s.ascii)
	sum = s.asciiSum
	for _, b := range k.bytes {
		if b < utf8.RuneSelf {
			continue
		}
		g := &t.glyphs[runes[b]]
		s.present[b] = *g
		if runes[b] == utf8.RuneError {
			broken += int(k.target[b])
		}
		if n := k.target[b]; n > 0 {
			sum += n * int32(g.cost)
			t.add(bits, ngram(unigram, 0, 0, g.letter), n)
		}
	}
	for _, g := range k.grams {
		sum += g.n * t.around(&s.present[g.a], &s.present[g.b], &s.present[g.c])
	}
	return sum, broken
}

// pairs adds to the bits that glance left what the bigrams cost, for a second
// choice.
func (t *tables) pairs(s *scratch, runes *[256]rune, bits []int32) {
	s.read(t, runes)
	for _, b := range s.counts.bytes {
		if n := s.counts.contxt[b]; n > 0 && b >= utf8.RuneSelf {
			t.add(bits, ngram(backoff1, 0, 0, s.present[b].letter), n)
		}
	}
	for i := range s.counts.pairs {
		p := &s.counts.pairs[i]
		if p.target > 0 && (p.a|p.b) >= utf8.RuneSelf {
			t.add(bits, ngram(bigram, 0, s.present[p.a].letter, s.present[p.b].letter), p.target)
		}
	}
}

// trigrams adds to the bits that pairs left what the trigrams cost. All
// together score the counted sample as text in an encoding with one byte a
// character:
//
//	bits = min over languages of sum over trigrams abc of -log2 P(c | a, b)
//
// where P is split as docs/charset.md says.
func (t *tables) trigrams(s *scratch, runes *[256]rune, bits []int32) {
	s.read(t, runes)
	for i := range s.counts.pairs {
		p := &s.counts.pairs[i]
		if p.context > 0 && (p.a|p.b) >= utf8.RuneSelf {
			t.add(bits, ngram(backoff2, 0, s.present[p.a].letter, s.present[p.b].letter), p.context)
		}
	}
	for _, g := range s.counts.grams {
		t.add(bits, ngram(trigram, s.present[g.a].letter, s.present[g.b].letter, s.present[g.c].letter), g.n)
	}
}

// read sets the characters that the bytes of the counted sample are.
func (s *scratch) read(t *tables, runes *[256]rune) {
	for _, b := range s.counts.bytes {
		s.present[b] = t.glyphs[runes[b]]
	}
}

// around returns the cost of symbols and cases: of c behind a and b.
func (t *tables) around(a, b, c *glyph) (cost int32) {
	if c.symbol != 0 {
		before := b.class
		if b.symbol == c.symbol {
			before = classes // the same symbol
		}
		cost = int32(t.symbols[c.symbol].Behind[before])
	}
	if c.script != noScript {
		switch {
		case b.script != noScript && b.script != c.script:
			cost += costMixedWord
		case b.script == noScript && a.script != noScript && a.script != c.script:
			cost += costMixedText
		}
	}
	if b.symbol != 0 {
		cost += int32(t.symbols[b.symbol].Before[c.class]) - even
	}
	switch c.class {
	case lower:
		cost += int32(t.cases[a.class][b.class][0])
	case upper:
		cost += int32(t.cases[a.class][b.class][1])
	}
	return cost
}

// plausible reports whether text may be in an encoding with pairs of bytes: at
// most limit sequences are no characters, and the others cost at most
// plausibleBits each without any language.
func (t *tables) plausible(text []byte, next func([]byte) (rune, int), limit int) bool {
	sum, chars, broken := 0, 0, 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, n := next(text[i:])
		i += n
		if c == utf8.RuneError {
			if broken++; broken > limit {
				return false
			}
			continue
		}
		chars++
		if c < 1<<16 {
			g := &t.glyphs[c]
			sum += int(g.cost)
			if g.symbol != 0 {
				sum += int(t.symbols[g.symbol].Behind[letter])
			}
		}
	}
	return sum <= plausibleBits*unit*chars
}

// plausibleBits is about 4 bits above what common Chinese characters cost.
const plausibleBits = 20

// worstBits is what a character may cost, on the average, for walk to go on.
const worstBits = 14

// walk scores text in an encoding whose next character the function gives, of
// a sample where a line feed ends an excerpt. Trigrams of ASCII count only if
// all is set. It gives up, and returns ok = false, when more than limit
// sequences are no characters, or when the text costs more than most bits.
func (t *tables) walk(s *scratch, text []byte, next func([]byte) (rune, int), all bool, limit int, most float64) (r reading, chars int, ok bool) {
	copy(s.bits, s.around)
	sum, windows := s.aroundSum, s.aroundN
	blank := &t.glyphs[' ']
	a, b := blank, blank
	var ra, rb rune = ' ', ' '
	for i := 0; i < len(text); {
		c, n := next(text[i:])
		i += n
		g := &t.glyphs[rareHan]
		if c < 1<<16 {
			g = &t.glyphs[c]
		}
		if c == utf8.RuneError {
			if r.broken++; r.broken > limit {
				return r, chars, false
			}
		}
		if chars++; chars%64 == 0 {
			if _, low := t.least(s.bits, windows, true); float64(sum+low)/unit > min(most, worstBits*float64(windows+8)) {
				return r, chars, false
			}
		}
		if all || (ra|rb|c) >= utf8.RuneSelf {
			windows++
			sum += int32(g.cost) + t.around(a, b, g)
			t.add(s.bits, ngram(unigram, 0, 0, g.letter), 1)
			t.add(s.bits, ngram(backoff1, 0, 0, b.letter), 1)
			t.add(s.bits, ngram(bigram, 0, b.letter, g.letter), 1)
			if !ideograph(b.letter) {
				t.add(s.bits, ngram(backoff2, 0, a.letter, b.letter), 1)
				if !ideograph(a.letter) && !ideograph(g.letter) {
					t.add(s.bits, ngram(trigram, a.letter, b.letter, g.letter), 1)
				}
			}
		}
		a, b, ra, rb = b, g, rb, c
	}
	lang, low := t.least(s.bits, windows, true)
	r.bits, r.lang = float64(sum+low)/unit, lang
	return r, chars, true
}
