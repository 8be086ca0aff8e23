package evidence

import "unicode/utf8"

const (
	MaxClasses = 1 << classBits // upper bound on the number of classes of languages, and of classes of groups
	maxWord    = 48             // characters; a longer word is read as several
	boundary   = 1              // represents the edge of a word in n-grams
	maxOrder   = 5
	thorough   = 40 // words; in later words n-grams are looked up only every hastyStep characters
	hastyStep  = 3
	codeBits   = 12 // bits of a folded character in the key of an n-gram
	codeMask   = 1<<codeBits - 1
	spread     = 0x9e3779b97f4a7c15 // 2^64 / golden ratio, odd
)

// Tally holds the sums over a text.
type Tally struct {
	Score [MaxClasses]int32 // by class
	totals
}

// totals holds the sums that are not by class.
type totals struct {
	Letters  [MaxScripts]int32 // by script
	letters  int32             // of all scripts
	known    int32             // letters of words with a row
	told     int32             // letters of scripts with several languages
	Rows     int32             // rows added
	words    int32             // words read
	from, to uint16            // the scores outside are 0
}

// Reset clears t. It clears only the scores of classes that were read, because a model may have many
// more.
func (t *Tally) Reset() {
	clear(t.Score[t.from:t.to])
	t.totals = totals{}
}

// touch extends the range of scores that Reset clears by a sorted list of classes.
func (t *Tally) touch(classes []uint16) {
	first, end := classes[0], classes[len(classes)-1]+1
	if t.to == 0 {
		t.from = first
	}
	t.from, t.to = min(t.from, first), max(t.to, end)
}

// Script returns the script with the largest weighted number of letters and reports whether
// there are letters.
func (t *Tally) Script() (best Script, ok bool) {
	most := int32(0)
	for s := range weights {
		if n := t.Letters[s] * weights[s]; n > most {
			best, most = Script(s), n
		}
	}
	return best, most > 0
}

// weights holds the weight of a letter by script.
var weights = func() (w []int32) {
	for _, s := range Scripts {
		w = append(w, s.Weight)
	}
	return w
}()

// Word is one word of a text in folded characters.
type Word struct {
	Code   [maxWord]uint16
	N      int
	Script Script
	Hash   uint64
}

// Next reads the next word of text from byte i on and returns the byte after it. w.N is 0 at
// the end of text. A word is a run of letters and marks of one script. An apostrophe ends a
// word and belongs to it.
func (w *Word) Next(text string, i int) int {
	n, s, h := 0, noLetter, uint64(0)
word:
	for i < len(text) && n < maxWord-1 {
		var g uint32
		size := 1
		if c := text[i]; c < utf8.RuneSelf {
			g = glyphs[c]
		} else if c < 0xe0 && c >= 0xc2 && i+1 < len(text) && text[i+1]&0xc0 == 0x80 {
			g = glyphs[uint32(c&0x1f)<<6|uint32(text[i+1]&0x3f)]
			size = 2
		} else {
			g, size = glyph(text[i:])
		}
		if cs := Script(g); cs != s || s == noLetter {
			if cs == noLetter || n == 0 && cs >= apostrophe {
				i += size
				if n > 0 {
					break word
				}
				continue
			}
			switch {
			case n == 0:
				s = cs
			case cs == mark:
				n = w.compose(n, uint16(g>>8))
				i += size
				h = hashOf(w.Code[:n])
				continue
			case cs == apostrophe:
			case s == latn && cs == cyrl && lookAlike(w.Code[:n]):
				s = cs
				h = hashOf(w.Code[:n])
			case s == cyrl && cs == latn && alike(uint16(g>>8)) != 0:
				g = uint32(alike(uint16(g>>8)))<<8 | uint32(cyrl)
			default: // another script
				break word
			}
		}
		w.Code[n] = uint16(g >> 8)
		h = (h + uint64(g>>8)) * spread
		n++
		i += size
		if Script(g) == apostrophe {
			break
		}
	}
	w.N, w.Script, w.Hash = n, s, h
	return i
}

// glyph returns the value of glyphs for any character, and the length of the character.
func glyph(text string) (g uint32, size int) {
	c, size := utf8.DecodeRuneInString(text)
	if c < tableRunes {
		return glyphs[c], size
	}
	if s := wide(c); s != noLetter {
		return uint32(c)<<8&0xffffff | uint32(s), size
	}
	return 0, size
}

// Mix returns a hash of a key.
func Mix(key uint64) uint64 {
	key *= spread
	return key ^ key>>32
}

// gramKey returns the key of the last n characters in reg.
func gramKey(reg uint64, n int, salt uint64) uint64 { return reg&(1<<(codeBits*n)-1) ^ salt }

// WordKey returns the key of a whole word.
func WordKey(hash, salt uint64) uint64 { return hash ^ hash>>31 ^ salt }

// haniKey returns the key of a character that follows prev, or of a single character.
func haniKey(prev, c, salt uint64) uint64 { return prev<<16 | c | 1<<40 ^ salt }

// EachGram calls fn for the n-grams of a word. The n-grams that end at one position are ordered
// from short to long. After each position EachGram calls place with the number of characters
// that follow, including the closing boundary.
func EachGram(s Script, salt uint64, codes []uint16, fn func(key, parent uint64, order int), place func(left int)) {
	if s == Hani {
		prev := uint64(0)
		for _, c := range codes {
			fn(haniKey(0, uint64(c), salt), 0, 1)
			place(0)
			if prev != 0 {
				fn(haniKey(prev, uint64(c), salt), haniKey(0, uint64(c), salt), 2)
				place(0)
			}
			prev = uint64(c)
		}
		return
	}
	reg := uint64(boundary)
	for i := range len(codes) + 1 {
		c := uint16(boundary)
		if i < len(codes) {
			c = codes[i]
		}
		reg = reg<<codeBits | uint64(c&codeMask)
		for n := 1; n <= min(maxOrder, i+2); n++ {
			parent := uint64(0)
			if n > 1 {
				parent = gramKey(reg, n-1, salt)
			}
			fn(gramKey(reg, n, salt), parent, n)
		}
		place(len(codes) - i)
	}
}

// Salt returns a number that separates the keys of a script from the keys of other scripts.
func Salt(s Script) uint64 { return uint64(s) * 0xd6e8feb86659fd93 }
