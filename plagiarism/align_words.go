package plagiarism

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"chaffinch/dedup/shingle"
	"chaffinch/internal/runes"
)

// words is a piece of a text split into words. Places are byte offsets from base.
type words struct {
	hash  []uint64 // of the normalized word
	place []wordPlace
	base  int // offset of the piece in the text
}

// wordPlace is the place of a word.
type wordPlace struct {
	start, end int32
	runes      uint8 // length of the normalized word, at most 255
}

func (w *words) len() int { return len(w.hash) }

func (w *words) reset(base int) {
	w.hash, w.place, w.base = w.hash[:0], w.place[:0], base
}

func (w *words) add(h uint64, from, to, runes int) {
	w.hash = append(w.hash, h)
	w.place = append(w.place, wordPlace{int32(from - w.base), int32(to - w.base), uint8(min(runes, 255))})
}

// Classes of characters for splitting words.
const (
	outside = iota // ends a word
	inside         // a letter, digit or mark
	ignored        // invisible: neither belongs to a word nor ends it
	joining        // an apostrophe: dropped, but joins letters around it
	single         // of a script without spaces: two adjacent characters are a word
)

// tableSize is the number of characters with a class and a fold in a table. Higher
// characters are scripts without spaces, Hangul, and compatibility forms.
const tableSize = 0x3000

// glyphs holds the classes and folds of the characters below tableSize.
type glyphs struct {
	class [tableSize]uint8
	fold  [tableSize]rune // lower case, without diacritics, look-alikes as Latin; 0: none, -1: use slowFold
}

// foldTable returns the glyphs, computed on first use.
var foldTable = sync.OnceValue(func() *glyphs {
	t := new(glyphs)
	for r := rune(0); r < tableSize; r++ {
		t.class[r] = classOf(r)
		t.fold[r] = -1
		d := []rune(norm.NFKD.String(string(r)))
		d = dropDiacritics(d)
		switch len(d) {
		case 0:
			t.fold[r] = 0
		case 1:
			t.fold[r] = lookalike(unicode.ToLower(d[0]))
		}
	}
	return t
})

func classOf(r rune) uint8 {
	switch {
	case isIgnored(r):
		return ignored
	case r == '\'' || r == 0x2019 || r == 0x2bc || r == 0x2b9 || r == 0x2018:
		return joining
	case 0x4e00 <= r && r <= 0x9fff:
		return single
	case 0xac00 <= r && r <= 0xd7a3:
		return inside
	case runes.IsUnspaced(r):
		return single
	case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		return inside
	}
	return outside
}

// isIgnored reports whether a character is invisible and not a space. Examples are the
// soft hyphen, zero-width and bidirectional controls, variation selectors and fillers.
func isIgnored(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5,
		0x180b <= r && r <= 0x180f, 0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e,
		0x2060 <= r && r <= 0x206f, r == 0x3164, 0xfe00 <= r && r <= 0xfe0f, r == 0xfeff, r == 0xffa0,
		0xe0000 <= r && r <= 0xe0fff:
		return true
	}
	return false
}

// dropDiacritics removes the combining marks that scripts with upper case write
// above, below and through letters.
func dropDiacritics(d []rune) []rune {
	n := 0
	for _, r := range d {
		if 0x300 <= r && r <= 0x36f || isIgnored(r) {
			continue
		}
		d[n] = r
		n++
	}
	return d[:n]
}

const (
	hashSeed  = 14695981039346656037
	hashPrime = 1099511628211
)

// cut appends at most limit words of text, starting at or after byte from, to w. It
// returns the offset after the last word.
func (w *words) cut(text string, from, limit int) int {
	t := foldTable()
	for i := from; i < len(text); {
		if len(w.hash) >= limit {
			return i
		}
		c := text[i]
		if c < utf8.RuneSelf {
			if t.class[c] == inside {
				i = w.word(t, text, i)
			} else {
				i++
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch class(t, r) {
		case inside:
			i = w.word(t, text, i)
		case single:
			i = w.single(t, text, i, size, r)
		default:
			i += size
		}
	}
	return len(text)
}

func class(t *glyphs, r rune) uint8 {
	if r < tableSize {
		return t.class[r]
	}
	return classOf(r)
}

// word reads the word that begins at byte i of text.
func (w *words) word(t *glyphs, text string, i int) int {
	h, n, from := uint64(hashSeed), 0, i
	for i < len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return w.foreign(t, text, from)
		}
		switch t.class[c] {
		case inside:
			h = (h ^ uint64(t.fold[c])) * hashPrime
			n++
		case joining:
			if i+1 >= len(text) || text[i+1] < utf8.RuneSelf && t.class[text[i+1]] != inside {
				w.add(shingle.Mix(h), from, i, n)
				return i
			}
		default:
			w.add(shingle.Mix(h), from, i, n)
			return i
		}
		i++
	}
	w.add(shingle.Mix(h), from, i, n)
	return i
}

// foreign reads a word that is not all ASCII. If the word mixes Latin with other
// letters, capitals that look like Latin letters are folded to them.
func (w *words) foreign(t *glyphs, text string, from int) int {
	var latin, other bool
	end := from // after the last character of the word
	i := from
scan:
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch class(t, r) {
		case inside:
			if r < 0x250 {
				latin = latin || r > '9'
			} else {
				other = true
			}
			end = i + size
		case ignored, joining:
		default:
			break scan
		}
		i += size
	}
	mixed := latin && other
	h, n := uint64(hashSeed), 0
	put := func(r rune) {
		if r > 0 {
			h = (h ^ uint64(r)) * hashPrime
			n++
		}
	}
	for j := from; j < end; {
		r, size := utf8.DecodeRuneInString(text[j:])
		if k := class(t, r); k == inside {
			if mixed {
				r = capital(r)
			}
			if r < tableSize && t.fold[r] >= 0 {
				put(t.fold[r])
			} else {
				for _, d := range slowFold(r) {
					put(d)
				}
			}
		}
		j += size
	}
	if n > 0 {
		w.add(shingle.Mix(h), from, end, n)
	}
	return max(end, from+1)
}

// slowFold folds a character that folds to several, or that is not in the table.
func slowFold(r rune) []rune {
	d := dropDiacritics([]rune(norm.NFKD.String(string(r))))
	for i, r := range d {
		d[i] = lookalike(unicode.ToLower(r))
	}
	return d
}

// single reads a character of a script without spaces. Its word consists of this
// character and the next one. The last character of a run has no word, unless the run
// has only one character.
func (w *words) single(t *glyphs, text string, i, size int, r rune) int {
	next := i + size
	for next < len(text) { // marks and invisible characters belong to it
		x, n := utf8.DecodeRuneInString(text[next:])
		if k := class(t, x); k != ignored {
			if k == single {
				h := (uint64(hashSeed) ^ uint64(r)) * hashPrime
				w.add(shingle.Mix((h^uint64(x))*hashPrime), i, next+n, 2)
				return next
			}
			break
		}
		next += n
	}
	if i > 0 {
		if p, _ := utf8.DecodeLastRuneInString(text[:i]); class(t, p) == single {
			return next
		}
	}
	w.add(shingle.Mix((uint64(hashSeed)^uint64(r))*hashPrime), i, next, 1)
	return next
}
