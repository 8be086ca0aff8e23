package minhash

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/swar"
)

// FineWeb splits words with spaCy's English tokenizer (3.8), regardless of the
// language. Of simplified text, which has no punctuation of ASCII any more, it
// splits few words: opening marks, signs of money and units off numbers, symbols,
// and contractions that have lost their apostrophe. These are the rules for them.

const (
	opening  = "¿¡‘‚·§£€¥₹฿₽₩₴" // split off the front
	closing  = "¿¡‘‚"           // split off the end
	currency = "£€¥₹฿₽₩₴°"      // split off the end of a number
)

// units are measures that are split off a number.
var units = set("km km² km³ m m² m³ dm dm² dm³ cm cm² cm³ mm mm² mm³ ha µm nm yd in ft kg g mg µg t lb oz mph mb kb gb tb mbar kmh" +
	" км км² км³ м м² м³ дм дм² дм³ см см² см³ мм мм² мм³ нм кг г мг мбар кб мб гб тб")

// contractions are words of two parts or three, with spaces between them.
var contractions = joined()

// contractionLengths holds the lengths of the contractions by their first letter, as bits.
var contractionLengths = func() (t [256]uint16) {
	for w := range contractions {
		t[w[0]] |= 1 << len(w)
	}
	return t
}()

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// joined builds the contractions: of pronouns and question words with a verb, of
// verbs with a negation, and some that follow no rule.
func joined() map[string]string {
	m := map[string]string{}
	put := func(parts ...string) { m[strings.Join(parts, "")] = strings.Join(parts, " ") }
	both := func(words, ends string) {
		for _, w := range strings.Fields(words) {
			for _, e := range strings.Fields(ends) {
				put(w, e)
				if e != "re" && e != "s" && e != "ve" {
					put(w, e, "ve")
				}
			}
		}
	}
	both("i you he she it we they", "d ll")
	both("i you we they", "ve")
	both("you they", "re")
	both("he she", "s")
	both("who what when where why how there that this these those", "d ll")
	both("who what when where why how there these those", "ve")
	both("what when where why how there these those", "re")
	both("who what when where why how there that this", "s")
	both("ca could do does did had may might must need ought sha should wo would", "nt")
	for _, w := range strings.Fields("ai are dare has have is was were") {
		put(w, "nt")
	}
	for _, w := range strings.Fields("could might must not should would") {
		put(w, "ve")
	}
	put("i", "m")
	put("i", "m", "a")
	put("can", "not")
	put("gon", "na")
	put("got", "ta")
	put("y", "all")
	for _, word := range strings.Fields("ill hell shell well shed") { // separate words
		delete(m, word)
	}
	return m
}

// fineWebText simplifies a text and cuts it into words.
func fineWebText(dst, src []byte) []byte {
	from := len(dst)
	dst = simplify(dst, src)
	text := dst[from:] // words that are split are appended after it, with the text before them
	done := 0
	for i := 0; i < len(text); {
		end, ascii := wordEnd(text, i)
		if word := text[i:end]; splits(word, ascii) {
			dst = append(dst, text[done:i]...)
			dst = appendParts(dst, string(word))
			done = end
		}
		i = end + 1
	}
	if done == 0 {
		return dst
	}
	dst = append(dst, text[done:]...)
	return append(dst[:from], dst[from+len(text):]...)
}

// wordEnd returns the position of the next blank from i on, or of the end, and reports whether the
// text before it is ASCII.
func wordEnd(text []byte, i int) (end int, ascii bool) {
	all := uint64(0)
	for ; i+8 <= len(text); i += 8 {
		x := binary.LittleEndian.Uint64(text[i:])
		if blank := swar.Find(x, ' '); blank != 0 {
			n := bits.TrailingZeros64(blank)
			all |= x & (1<<n - 1)
			return i + n/8, all&swar.Tops == 0
		}
		all |= x
	}
	for ; i < len(text) && text[i] != ' '; i++ {
		all |= uint64(text[i])
	}
	return i, all&swar.Tops == 0
}

// splits reports whether a word may have parts.
func splits(word []byte, ascii bool) bool {
	if !ascii {
		return word[0] == '0' || bytes.ContainsFunc(word, odd)
	}
	return word[0] == '0' && len(word) > 1 || contractionLengths[word[0]]>>len(word)&1 != 0 && contractions[string(word)] != ""
}

// odd reports whether words may be split at r.
func odd(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.Is(unicode.So, r) || strings.ContainsRune(opening+closing+currency, r))
}

// appendParts appends the parts of a word with spaces between them.
func appendParts(dst []byte, word string) []byte {
	var behind []string
	for {
		r, n := utf8.DecodeRuneInString(word)
		if n == len(word) || !strings.ContainsRune(opening, r) && !unicode.Is(unicode.So, r) {
			break
		}
		dst = append(append(dst, word[:n]...), ' ')
		word = word[n:]
	}
	for {
		r, n := utf8.DecodeLastRuneInString(word)
		number := len(word) > n && word[len(word)-n-1] == '0'
		if n == len(word) || !strings.ContainsRune(closing, r) && !unicode.Is(unicode.So, r) && !(number && strings.ContainsRune(currency, r)) {
			break
		}
		behind = append(behind, word[len(word)-n:])
		word = word[:len(word)-n]
	}
	switch parts := contractions[word]; {
	case parts != "":
		dst = append(dst, parts...)
	case word[0] == '0' && units[word[1:]]:
		dst = append(append(dst, "0 "...), word[1:]...)
	default:
		dst = appendSymbols(dst, word)
	}
	for i := len(behind) - 1; i >= 0; i-- {
		dst = append(append(dst, ' '), behind[i]...)
	}
	return dst
}

// appendSymbols appends a word, cut before and after each symbol.
func appendSymbols(dst []byte, word string) []byte {
	open := false // a part is open
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRuneInString(word[i:])
		symbol := unicode.Is(unicode.So, r)
		if symbol && open || i > 0 && !open {
			dst = append(dst, ' ')
		}
		dst = append(dst, word[i:i+n]...)
		open = !symbol
		i += n
	}
	return dst
}
