package langid

import "unicode/utf8"

const (
	maxClasses = 256
	maxWord    = 48 // characters; a longer word is read as several
	boundary   = 1  // stands for the edge of a word in n-grams
	maxOrder   = 5
	codeBits   = 12 // of a folded character in the key of an n-gram
)

// tally is what one pass over a text adds up.
type tally struct {
	score   [maxClasses]int32 // by class
	letters [maxScripts]int32 // by script, weighted
	rows    [maxScripts]int32 // rows added, by script
}

// script returns the script with most of the letters.
func (t *tally) script() (best script, ok bool) {
	for s := range scripts {
		if t.letters[s] > t.letters[best] {
			best = script(s)
		}
	}
	return best, best != noLetter
}

// word is one word of a text in folded characters.
type word struct {
	code   [maxWord]uint16
	n      int
	script script
}

// next reads the next word of text from byte i on and returns the byte behind
// it. w.n is 0 at the end of text. A word is a run of letters and marks of one
// script; an apostrophe ends it and belongs to it.
func (w *word) next(text string, i int) int {
	w.n = 0
	var s script
	for i < len(text) {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		var g uint32
		if c < tableRunes {
			g = glyphs[c]
		} else if sc := wide(c); sc != noLetter {
			g = uint32(c)<<8&0xffffff | uint32(sc)
		}
		switch cs := script(g); {
		case cs == s && s != noLetter:
		case cs == noLetter:
			if w.n > 0 {
				w.script = s
				return i + size
			}
			i += size
			continue
		case cs == mark:
			if w.n == 0 {
				i += size
				continue
			}
		case cs == apostrophe:
			if w.n == 0 {
				i += size
				continue
			}
			w.code[w.n] = uint16(g >> 8)
			w.n++
			w.script = s
			return i + size
		case w.n > 0:
			w.script = s
			return i
		default:
			s = cs
		}
		w.code[w.n] = uint16(g >> 8)
		w.n++
		i += size
		if w.n == maxWord-1 {
			break
		}
	}
	w.script = s
	return i
}

// mix spreads the bits of a key.
func mix(key uint64) uint64 {
	key *= 0x9e3779b97f4a7c15
	return key ^ key>>32
}

// wordKey returns the key of a whole word, never that of an n-gram.
func (w *word) wordKey() uint64 {
	h := uint64(w.script)
	for _, c := range w.code[:w.n] {
		h = (h ^ uint64(c)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// gramKey returns the key of the n last characters in reg.
func gramKey(reg uint64, n int, s script) uint64 {
	return reg&(1<<(codeBits*n)-1) ^ uint64(s)*0xd6e8feb86659fd93
}

// read adds up the evidence of text.
func (m *Model) read(text string, t *tally) {
	var w word
	for i := 0; ; {
		i = w.next(text, i)
		if w.n == 0 {
			return
		}
		t.letters[w.script] += int32(w.n) * scripts[w.script].weight
		if !m.told[w.script] {
			continue
		}
		m.entries(&w, func(e uint64) {
			t.rows[w.script]++
			off := uint32(e)
			for _, p := range m.pairs[off>>8 : off>>8+off&255] {
				t.score[uint8(p)] += int32(int8(p >> 8))
			}
		})
	}
}

// entries calls fn with the slot of each row that w fires.
func (m *Model) entries(w *word, fn func(e uint64)) {
	if w.script == hani {
		prev := uint64(0)
		for _, c := range w.code[:w.n] {
			if e, ok := m.find(haniKey(prev, uint64(c))); ok && prev != 0 {
				fn(e)
			} else if e, ok := m.find(haniKey(0, uint64(c))); ok {
				fn(e)
			}
			prev = uint64(c)
		}
		return
	}
	if e, ok := m.find(w.wordKey()); ok {
		fn(e)
		return
	}
	reg := uint64(boundary)
	w.code[w.n] = boundary
	for i, c := range w.code[:w.n+1] {
		reg = reg<<codeBits | uint64(c&(1<<codeBits-1))
		for n := min(maxOrder, i+2); n > 0; n-- {
			if e, ok := m.find(gramKey(reg, n, w.script)); ok {
				fn(e)
				break
			}
		}
	}
}

// haniKey returns the key of a character after another one, or alone.
func haniKey(prev, c uint64) uint64 { return prev<<16 | c | 1<<62 }
