package charset

import (
	"unicode/utf8"

	"chaffinch/text/charset/alphabet"
)

// scratch holds the buffers of one detection. It is reused.
type scratch struct {
	sample             []byte
	counts             counts
	bits               []int32 // by language, in units
	ascii              []int32 // the costs of n-grams that are all ASCII
	asciiSum           int32
	around             []int32 // cost of the ASCII around the sample
	aroundSum, aroundN int32
	context            []byte
	present            [256]alphabet.Glyph // characters of the bytes of the sample in one encoding
	results            []reading
	lows               []float64      // best score of each group of results
	same               map[uint64]int // index of a reading by the hash of its characters
	first              []glimpse
}

// reading is the result of reading a sample in one encoding.
type reading struct {
	codec *codec
	// bits is the cost of the sample in its best language; lower is better. prior is the cost
	// of the encoding.
	bits, prior float64
	lang        int // -1 for none
	// like is the index of the earlier reading with the same text, -1 for none. Such readings
	// share a group.
	like, group int
	// broken is the number of sequences that are not characters.
	broken int
}

// glimpse is a reading that is not yet scored completely.
type glimpse struct {
	codec  *codec
	score  float64
	prior  float64
	key    uint64  // hash of its characters
	round  int     // number of scoring rounds
	sum    int32   // result of glance
	bits   []int32 // bits set by glance
	broken int
}

func (r *reading) score() float64 { return r.bits + r.prior }

// add adds n times the bits of an n-gram to the bits of the languages.
func (t *tables) add(bits []int32, key uint64, n int32) {
	bucket := key >> t.shift
	check := uint32(key & 0xFFFF)
	entries := t.entries[t.starts[bucket]:t.starts[bucket+1]]
	i := 0
	for i < len(entries) && entries[i]>>16 < check { // the entries are sorted
		i++
	}
	for _, e := range entries[i:] {
		if e>>16 != check {
			break
		}
		bits[e>>8&0xFF] += n * int32(int8(e))
	}
}

// costNoLanguage is the cost of each letter, in units, in a text of no language of the model.
const costNoLanguage = 3 * alphabet.Unit / 2

// The costs, in units, of a letter in another script than the letter before it, and than the
// last letter of the previous word.
const (
	costMixedWord = 8 * alphabet.Unit
	costMixedText = 3 * alphabet.Unit
)

// least returns the lowest bits of n letters and their language, -1 if no language is better
// than none. With floors, the floors are added.
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

// ascii sets s.ascii to the cost of the ASCII-only n-grams of the counted sample, which is the
// same in all encodings.
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
			s.asciiSum += k.target[b] * int32(g.Cost)
			if n := k.target[b]; n > 0 {
				t.add(s.ascii, alphabet.Key(alphabet.Unigram, 0, 0, g.Letter), n)
			}
			if n := k.contxt[b]; n > 0 {
				t.add(s.ascii, alphabet.Key(alphabet.Backoff1, 0, 0, g.Letter), n)
			}
		}
	}
	for _, p := range k.pairs {
		if (p.a | p.b) < utf8.RuneSelf {
			a, b := t.glyphs[p.a].Letter, t.glyphs[p.b].Letter
			if p.target > 0 {
				t.add(s.ascii, alphabet.Key(alphabet.Bigram, 0, a, b), p.target)
			}
			if p.context > 0 {
				t.add(s.ascii, alphabet.Key(alphabet.Backoff2, 0, a, b), p.context)
			}
		}
	}
}

// context sets s.around to the cost of the ASCII letters around the sample, by bigrams and
// without floors.
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
		s.aroundSum += p.target * int32(b.Cost)
		t.add(s.around, alphabet.Key(alphabet.Unigram, 0, 0, b.Letter), p.target)
		t.add(s.around, alphabet.Key(alphabet.Backoff1, 0, 0, a.Letter), p.target)
		t.add(s.around, alphabet.Key(alphabet.Bigram, 0, a.Letter, b.Letter), p.target)
	}
	s.aroundSum = s.aroundSum * contextWeight / 8
	s.aroundN = s.aroundN * contextWeight / 8
	for l := range s.around {
		s.around[l] = s.around[l] * contextWeight / 8
	}
}

// contextWeight is the weight, in eighths, of the ASCII around the sample. It is evidence of
// the language, not of the encoding.
const contextWeight = 6

// glance scores the counted sample by its symbols, cases and single letters, for a first
// selection. It sets bits to the costs by language.
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
			sum += n * int32(g.Cost)
			t.add(bits, alphabet.Key(alphabet.Unigram, 0, 0, g.Letter), n)
		}
	}
	for _, g := range k.grams {
		sum += g.n * t.around(&s.present[g.a], &s.present[g.b], &s.present[g.c])
	}
	return sum, broken
}

// pairs adds the costs of bigrams to the bits set by glance, for a second selection.
func (t *tables) pairs(s *scratch, runes *[256]rune, bits []int32) {
	s.read(t, runes)
	for _, b := range s.counts.bytes {
		if n := s.counts.contxt[b]; n > 0 && b >= utf8.RuneSelf {
			t.add(bits, alphabet.Key(alphabet.Backoff1, 0, 0, s.present[b].Letter), n)
		}
	}
	for i := range s.counts.pairs {
		p := &s.counts.pairs[i]
		if p.target > 0 && (p.a|p.b) >= utf8.RuneSelf {
			t.add(bits, alphabet.Key(alphabet.Bigram, 0, s.present[p.a].Letter, s.present[p.b].Letter), p.target)
		}
	}
}

// trigrams adds the costs of trigrams to the bits set by pairs. The three functions together
// score the counted sample as text in a single-byte encoding:
//
//	bits = min over languages of sum over trigrams abc of -log2 P(c | a, b)
//
// where docs/explanation/charset.md defines the parts of P.
func (t *tables) trigrams(s *scratch, runes *[256]rune, bits []int32) {
	s.read(t, runes)
	for i := range s.counts.pairs {
		p := &s.counts.pairs[i]
		if p.context > 0 && (p.a|p.b) >= utf8.RuneSelf {
			t.add(bits, alphabet.Key(alphabet.Backoff2, 0, s.present[p.a].Letter, s.present[p.b].Letter), p.context)
		}
	}
	for _, g := range s.counts.grams {
		t.add(bits, alphabet.Key(alphabet.Trigram, s.present[g.a].Letter, s.present[g.b].Letter, s.present[g.c].Letter), g.n)
	}
}

// read sets the characters of the bytes of the counted sample.
func (s *scratch) read(t *tables, runes *[256]rune) {
	for _, b := range s.counts.bytes {
		s.present[b] = t.glyphs[runes[b]]
	}
}

// around returns the cost of symbols and cases of c after a and b.
func (t *tables) around(a, b, c *alphabet.Glyph) (cost int32) {
	if c.Symbol != 0 {
		before := b.Class
		if b.Symbol == c.Symbol {
			before = alphabet.Classes // the same symbol
		}
		cost = int32(t.symbols[c.Symbol].Behind[before])
	}
	if c.Script != alphabet.NoScript {
		switch {
		case b.Script != alphabet.NoScript && b.Script != c.Script:
			cost += costMixedWord
		case b.Script == alphabet.NoScript && a.Script != alphabet.NoScript && a.Script != c.Script:
			cost += costMixedText
		}
	}
	if b.Symbol != 0 {
		cost += int32(t.symbols[b.Symbol].Before[c.Class]) - alphabet.Even
	}
	switch c.Class {
	case alphabet.Lower:
		cost += int32(t.cases[a.Class][b.Class][0])
	case alphabet.Upper:
		cost += int32(t.cases[a.Class][b.Class][1])
	}
	return cost
}

// plausible reports whether text may be in a multi-byte encoding. At most limit sequences may
// be invalid, and the others may cost at most plausibleBits each without any language.
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
			sum += int(g.Cost)
			if g.Symbol != 0 {
				sum += int(t.symbols[g.Symbol].Behind[alphabet.Letter])
			}
		}
	}
	return sum <= plausibleBits*alphabet.Unit*chars
}

// plausibleBits is about 4 bits above the cost of common Chinese characters.
const plausibleBits = 20

// worstBits is the maximum mean cost of a character for walk to continue.
const worstBits = 14

// walk scores text in an encoding whose next character the function next returns. text is a
// sample in which a line feed ends an excerpt. ASCII trigrams count only if all is set. walk
// stops with ok = false if more than limit sequences are invalid, or if the text costs more
// than most bits.
func (t *tables) walk(s *scratch, text []byte, next func([]byte) (rune, int), all bool, limit int, most float64) (r reading, chars int, ok bool) {
	copy(s.bits, s.around)
	sum, windows := s.aroundSum, s.aroundN
	blank := &t.glyphs[' ']
	a, b := blank, blank
	var ra, rb rune = ' ', ' '
	for i := 0; i < len(text); {
		c, n := next(text[i:])
		i += n
		g := &t.glyphs[alphabet.RareHan]
		if c < 1<<16 {
			g = &t.glyphs[c]
		}
		if c == utf8.RuneError {
			if r.broken++; r.broken > limit {
				return r, chars, false
			}
		}
		if chars++; chars%64 == 0 {
			if _, low := t.least(s.bits, windows, true); float64(sum+low)/alphabet.Unit > min(most, worstBits*float64(windows+8)) {
				return r, chars, false
			}
		}
		if all || (ra|rb|c) >= utf8.RuneSelf {
			windows++
			sum += int32(g.Cost) + t.around(a, b, g)
			t.add(s.bits, alphabet.Key(alphabet.Unigram, 0, 0, g.Letter), 1)
			t.add(s.bits, alphabet.Key(alphabet.Backoff1, 0, 0, b.Letter), 1)
			t.add(s.bits, alphabet.Key(alphabet.Bigram, 0, b.Letter, g.Letter), 1)
			if !alphabet.Ideograph(b.Letter) {
				t.add(s.bits, alphabet.Key(alphabet.Backoff2, 0, a.Letter, b.Letter), 1)
				if !alphabet.Ideograph(a.Letter) && !alphabet.Ideograph(g.Letter) {
					t.add(s.bits, alphabet.Key(alphabet.Trigram, a.Letter, b.Letter, g.Letter), 1)
				}
			}
		}
		a, b, ra, rb = b, g, rb, c
	}
	lang, low := t.least(s.bits, windows, true)
	r.bits, r.lang = float64(sum+low)/alphabet.Unit, lang
	return r, chars, true
}
