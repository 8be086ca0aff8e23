package blocks

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
	"chaffinch/internal/swar"
)

// textStats holds the counts of a text.
type textStats struct {
	chars       int32 // code points
	words       int32 // runs of letters and digits, or two characters of an unspaced script
	letters     int32 // including unspaced characters
	upper       int32 // upper-case letters
	digits      int32 // digits
	symbols     int32 // characters that are neither letter, digit nor space
	commas      int32
	terminators int32
	capitals    int32 // words that begin with an upper-case letter
	short       int32 // words of at most three letters
	numbers     int32 // words that begin with a digit
	unspaced    int32 // characters of scripts without spaces
	longest     int32 // characters of the longest word
	first, last class
	year        bool // a number from 1900 to 2099
	sign        sign
}

// sign is a set of characters that mark kinds of boilerplate.
type sign uint8

const (
	signBar   sign = 1 << iota // |
	signRight                  // ©, ®, ™
	signArrow                  // » › → >> and the like
	signAt                     // @
	signURL                    // :// or www.
	signSlash                  // / or : between digits, as in dates and times
	signCode                   // ; [ < {
)

const (
	headWords = 24 // words at the beginning of a block whose hashes are kept
	tailWords = 8  // words at the end of a block whose hashes are kept
)

// wordHashes holds the hashes of a text's first and last words in lower case.
type wordHashes struct {
	head  [headWords]uint32
	tail  [tailWords]uint32 // ring buffer: word i is at i%tailWords
	count int               // words of the text
}

// lateWord is a word of bytes letters at text[start:] with an index, whose hash is not computed yet.
type lateWord struct{ index, start, bytes int }

// add appends the hash of a word.
func (w *wordHashes) add(h uint32) {
	if w.count < headWords {
		w.head[w.count] = h
	}
	w.tail[w.count%tailWords] = h
	w.count++
}

const (
	wordSeed  uint32 = 2166136261
	wordPrime uint32 = 16777619
)

// measure returns the counts of text and fills words. It does not allocate.
func measure(text string, words *wordHashes) (s textStats) {
	words.count = 0
	inWord := int32(0) // characters of the current word
	var h uint32
	var lead class // class of its first character
	number := 0
	prev := classSpace
	var late [tailWords]lateWord // plain words, whose hashes matter only at the end
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		var c class
		if r < utf8.RuneSelf {
			c = charClasses.ASCII[r]
		} else {
			r, n = runes.Decode(text[i:])
			c = charClasses.At(r)
		}
		if s.chars == 0 {
			s.first = c
		}
		if inWord == 0 && r < utf8.RuneSelf && (c == classLower || c == classUpper || r == ' ') {
			if n := s.plainRun(text, i, words, &late); n > 0 {
				i += n
				prev = charClasses.ASCII[text[i-1]]
				continue
			}
		}
		s.chars++
		switch c {
		case classLower, classUpper, classDigit:
			if inWord == 0 {
				lead, h, number = c, wordSeed, 0
			}
			if r < utf8.RuneSelf && isSmall(byte(r)) { // fast path: consume a run of small letters
				j := i
				for ; j < len(text) && isSmall(text[j]); j++ {
					h = (h ^ uint32(text[j])) * wordPrime
				}
				inWord += int32(j - i)
				s.letters += int32(j - i)
				s.chars += int32(j-i) - 1
				prev, i = c, j
				continue
			}
			inWord++
			switch c {
			case classUpper:
				s.upper++
				s.letters++
				if r < utf8.RuneSelf {
					r |= 0x20
				} else {
					r = unicode.ToLower(r)
				}
			case classDigit:
				s.digits++
				if prev == classColon && i >= 2 && isDigit(text[i-2]) {
					s.sign |= signSlash
				}
				if r < utf8.RuneSelf {
					number = number*10 + int(r-'0')
				}
				number = min(number, 1<<20)
				r = '0'
			default:
				s.letters++
			}
			h = (h ^ uint32(r)) * wordPrime
		default:
			if inWord > 0 {
				s.endWord(inWord, lead, number)
				words.add(h)
				inWord = 0
			}
			switch c {
			case classUnspaced:
				s.letters++
				s.unspaced++
				// Pairs of characters count as words.
				if prev == classUnspaced {
					words.add((h ^ uint32(r)) * wordPrime)
				}
				h = (wordSeed ^ uint32(r)) * wordPrime
			case classSpace, classOther:
			case classComma:
				s.commas++
				s.symbols++
				if r == ';' {
					s.sign |= signCode
				}
			case classTerminator:
				s.terminators++
				s.symbols++
			default:
				s.symbols++
				s.signs(text, i, r)
			}
		}
		prev = c
		i += n
	}
	if inWord > 0 {
		s.endWord(inWord, lead, number)
		words.add(h)
	}
	for i := max(headWords, words.count-tailWords); i < words.count; i++ {
		if w := late[i%tailWords]; w.index == i {
			words.tail[i%tailWords] = hashPlain(text, w.start, w.bytes)
		}
	}
	s.words += (s.unspaced + 1) / 2
	s.last = prev
	return s
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// plainRun counts the run of plain text at i, where no word is open, and returns its length, at most
// 64. Plain text consists of ASCII letters, spaces, and marks from " to the full stop. The run ends
// with a word only if the character after it is ASCII and ends the word; it may be empty.
func (s *textStats) plainRun(text string, i int, words *wordHashes, late *[tailWords]lateWord) int {
	var letters, upper uint64       // one bit for each byte; undefined after the first byte that is not plain
	var marks, commas, stops uint64 // sums of up to eight in each byte
	rest, n := text[i:], 0
	for n < 64 {
		var x uint64
		if n+8 <= len(rest) {
			x = swar.Load(rest[n:])
		} else {
			x = few(rest[n:]) // zeros are not plain
		}
		y := x | 0x20*swar.Ones
		letter := (y + (0x80-'a')*swar.Ones) &^ (y + (0x7F-'z')*swar.Ones)
		mark := (x + (0x80-'"')*swar.Ones) &^ (x + (0x7F-'.')*swar.Ones)
		blank := ^((x ^ ' '*swar.Ones) + 0x7F*swar.Ones)
		letters |= gather(letter) << (n & 63)
		upper |= gather(letter&^(x<<2)) << (n & 63)
		others := (^(letter | mark | blank) | x) & swar.Tops
		plain := (others - 1) &^ others & swar.Tops // the bytes before the first other one
		marks += mark & plain >> 7
		commas += plain &^ ((x ^ ','*swar.Ones) + 0x7F*swar.Ones) >> 7
		stops += plain &^ ((x ^ '.'*swar.Ones) + 0x7F*swar.Ones) >> 7
		if others != 0 {
			n += bits.TrailingZeros64(others) / 8
			break
		}
		n += 8
	}
	if n < len(rest) && !splits(rest[n]) {
		n = bits.Len64(^letters & (1<<n - 1)) // without the last word
	}
	if n == 0 {
		return 0
	}
	run := uint64(1)<<n - 1
	letters &= run
	starts := letters &^ (letters << 1)
	count := func(set uint64) int32 { return int32(bits.OnesCount64(set)) }
	s.chars += int32(n)
	s.symbols += int32(marks * swar.Ones >> 56)
	s.commas += int32(commas * swar.Ones >> 56)
	s.terminators += int32(stops * swar.Ones >> 56)
	s.letters += count(letters)
	s.upper += count(upper & run)
	s.words += count(starts)
	s.capitals += count(starts & upper)
	s.short += count(starts &^ (letters >> 1 & (letters >> 2) & (letters >> 3)))
	for letters != 0 {
		start := bits.TrailingZeros64(letters)
		size := bits.TrailingZeros64(^(letters >> (start & 63)))
		letters &= letters + letters&-letters
		s.longest = max(s.longest, int32(size))
		if words.count < headWords {
			words.add(hashPlain(text, i+start, size))
		} else {
			late[words.count%tailWords] = lateWord{words.count, i + start, size}
			words.count++
		}
	}
	return n
}

// gather returns the top bits of the bytes of x.
func gather(x uint64) uint64 { return (x & swar.Tops) * 0x0002040810204081 >> 56 }

// splits reports whether b is an ASCII character that ends a word.
func splits(b byte) bool {
	return b < utf8.RuneSelf && (charClasses.ASCII[b] < classLower || charClasses.ASCII[b] > classDigit)
}

// hashPlain returns the hash of the word of n ASCII letters at i.
func hashPlain(text string, i, n int) uint32 {
	h := wordSeed
	for ; n > 8; i, n = i+8, n-8 {
		h = hashEight(h, swar.Load(text[i:])|0x20*swar.Ones)
	}
	var x uint64
	if i+8 <= len(text) {
		x = swar.Load(text[i:])
	} else {
		x = few(text[i:])
	}
	// Zeros are hashed after the last letter and then undone, so that no branch depends on n.
	zeros := uint(8 - n)
	x = (x | 0x20*swar.Ones) << (8 * zeros & 63) >> (8 * zeros & 63)
	return hashEight(h, x) * unhashed[zeros&7]
}

// hashEight adds the bytes of x to the hash h.
func hashEight(h uint32, x uint64) uint32 {
	h = (h ^ uint32(x&0xFF)) * wordPrime
	h = (h ^ uint32(x>>8&0xFF)) * wordPrime
	h = (h ^ uint32(x>>16&0xFF)) * wordPrime
	h = (h ^ uint32(x>>24&0xFF)) * wordPrime
	h = (h ^ uint32(x>>32&0xFF)) * wordPrime
	h = (h ^ uint32(x>>40&0xFF)) * wordPrime
	h = (h ^ uint32(x>>48&0xFF)) * wordPrime
	return (h ^ uint32(x>>56)) * wordPrime
}

// unhashed holds the factors that undo the hashing of zeros, by their number.
var unhashed = func() (t [8]uint32) {
	const inverse uint32 = 0x359C449B // of wordPrime
	t[0] = 1
	for n := 1; n < len(t); n++ {
		t[n] = t[n-1] * inverse
	}
	return t
}()

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

// endWord counts a word of n characters whose first character has class lead.
func (s *textStats) endWord(n int32, lead class, number int) {
	s.words++
	s.longest = max(s.longest, n)
	switch {
	case lead == classDigit:
		s.numbers++
		if n == 4 && 1900 <= number && number < 2100 {
			s.year = true
		}
	case n <= 3:
		s.short++
	}
	if lead == classUpper {
		s.capitals++
	}
}

// signs records the kind of the character r at byte i of text.
func (s *textStats) signs(text string, i int, r rune) {
	switch r {
	case '|', '｜', '¦':
		s.sign |= signBar
	case '©', '®', '™':
		s.sign |= signRight
	case '»', '›', '→', '►', '▶', '«', '‹':
		s.sign |= signArrow
	case '>':
		if i > 0 && text[i-1] == '>' {
			s.sign |= signArrow
		}
	case '[', '<', '{':
		s.sign |= signCode
	case '@':
		s.sign |= signAt
	case ':':
		if strings.HasPrefix(text[i:], "://") {
			s.sign |= signURL
		}
	case '/':
		if i > 0 && isDigit(text[i-1]) && i+1 < len(text) && isDigit(text[i+1]) {
			s.sign |= signSlash
		}
	}
}

// hashString hashes a text by multiplying eight bytes at a time.
func hashString(s string) uint64 {
	const k = 0x9E3779B97F4A7C15
	h := uint64(len(s)) * k
	if len(s) < 8 {
		return mix(h, few(s))
	}
	rest := swar.Load(s[len(s)-8:]) >> (64 - len(s)%8*8) // bytes after the last multiple of eight
	for ; len(s) >= 8; s = s[8:] {
		h = mix(h, swar.Load(s))
	}
	return mix(h, rest)
}

// few returns the bytes of s as a little-endian number. len(s) is less than eight.
func few(s string) uint64 {
	switch n := len(s); {
	case n == 0:
		return 0
	case n < 4:
		return uint64(s[0]) | uint64(s[n/2])<<(n/2*8) | uint64(s[n-1])<<((n-1)*8)
	default: // two halves that may overlap
		return four(s) | four(s[n-4:])<<((n-4)*8)
	}
}

func four(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// mix combines the hash h with the value v.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0x2545F4914F6CDD1D, v^0x9E3779B97F4A7C15)
	return hi ^ lo
}
