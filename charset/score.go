package charset

// scratch is what one detection needs. It is reused.
type scratch struct {
	sample  []byte
	counts  counts
	bits    []int32    // by language, in units
	present [256]glyph // of the bytes of the sample in one encoding
	results []reading
	lows    []float64      // the best score of each group of results
	same    map[uint64]int // of a reading, by the characters it has
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

func (r *reading) score() float64 { return r.bits + r.prior }

// add adds n times the bits of an n-gram to those of the languages.
func (t *tables) add(bits []int32, key uint64, n int32) {
	bucket := key >> t.shift
	check := uint32(key & 0xFFFF)
	for _, e := range t.entries[t.starts[bucket]:t.starts[bucket+1]] {
		if e>>16 == check {
			bits[e>>8&0xFF] += n * int32(int8(e))
		}
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

// start sets the bits of n letters that no language has seen.
func (t *tables) start(bits []int32, n int32) {
	for l, f := range t.floors {
		bits[l] = n * int32(f)
	}
}

// least returns the lowest bits of n letters and their language; -1 if no
// language is better than none.
func least(bits []int32, n int32) (lang int, low int32) {
	lang, low = -1, n*costNoLanguage
	for l, b := range bits {
		if b < low {
			lang, low = l, b
		}
	}
	return lang, low
}

// single scores the counted sample as text in an encoding with one byte a
// character:
//
//	bits = min over languages of sum over trigrams abc of -log2 P(c | a, b)
//
// where P is split as docs/charset.md says.
func (t *tables) single(s *scratch, runes *[256]rune) (bits float64, lang, broken int) {
	k := &s.counts
	for _, b := range k.bytes {
		g := &t.glyphs[0xFFFF]
		if r := runes[b]; r < 1<<16 {
			g = &t.glyphs[r]
		}
		s.present[b] = *g
		if runes[b] == 0xFFFD && b >= 0x80 {
			broken += int(k.target[b])
		}
	}
	t.start(s.bits, k.n)
	sum := int32(0)
	for _, b := range k.bytes {
		g := &s.present[b]
		if n := k.target[b]; n > 0 {
			sum += n * int32(g.cost)
			t.add(s.bits, ngram(unigram, 0, 0, g.letter), n)
		}
		if n := k.contxt[b]; n > 0 {
			t.add(s.bits, ngram(backoff1, 0, 0, g.letter), n)
		}
	}
	for _, p := range k.pairs {
		a, b := s.present[p.a].letter, s.present[p.b].letter
		if p.target > 0 {
			t.add(s.bits, ngram(bigram, 0, a, b), p.target)
		}
		if p.context > 0 {
			t.add(s.bits, ngram(backoff2, 0, a, b), p.context)
		}
	}
	for _, g := range k.grams {
		a, b, c := &s.present[g.a], &s.present[g.b], &s.present[g.c]
		t.add(s.bits, ngram(trigram, a.letter, b.letter, c.letter), g.n)
		sum += g.n * t.around(a, b, c)
	}
	lang, low := least(s.bits, k.n)
	return float64(sum+low) / unit, lang, broken
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

// walk scores text in an encoding whose next character the function gives, of
// a sample where a line feed ends an excerpt. Trigrams of ASCII count only if
// all is set. It gives up, and returns ok = false, when more than limit
// sequences are no characters.
func (t *tables) walk(s *scratch, text []byte, next func([]byte) (rune, int), all bool, limit int) (bits float64, lang, broken, chars int, ok bool) {
	clear(s.bits)
	sum, windows := int32(0), int32(0)
	blank := &t.glyphs[' ']
	a, b := blank, blank
	var ra, rb rune = ' ', ' '
	for i := 0; i < len(text); {
		r, n := next(text[i:])
		i += n
		g := &t.glyphs[0x3400]
		if r < 1<<16 {
			g = &t.glyphs[r]
		}
		if r == 0xFFFD {
			if broken++; broken > limit {
				return 0, -1, broken, chars, false
			}
		}
		chars++
		if all || ra|rb|r >= 0x80 {
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
		a, b, ra, rb = b, g, rb, r
	}
	for l, f := range t.floors {
		s.bits[l] += windows * int32(f)
	}
	lang, low := least(s.bits, windows)
	return float64(sum+low) / unit, lang, broken, chars, true
}
