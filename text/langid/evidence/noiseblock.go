package evidence

import (
	"math/bits"

	"chaffinch/internal/swar"
)

// blockBytes is the number of bytes of a text that are examined at once, as bits of a word.
const blockBytes = 64

// Classes of bytes, as bits. ASCII characters of kindPoint are in none.
const (
	isSpace  = iota
	isLetter // kindLower and kindUpper
	isUpper  // kindUpper
	isMore   // kindMore
	isVowel  // vowels, and letters that are not ASCII
	isOdd    // digits, symbols and signs that are not ASCII
	isWide   // the first bytes of letters that are not ASCII
	byteClasses
)

// flags holds the classes of each byte.
var flags = makeFlags()

func makeFlags() *[256]uint8 {
	f := new([256]uint8)
	for c := range f {
		wide := c >= 0x80
		switch kinds[c] {
		case kindSpace:
			f[c] = 1 << isSpace
		case kindLower, kindUpper:
			f[c] = 1 << isLetter
			if kinds[c] == kindUpper {
				f[c] |= 1 << isUpper
			}
			if wide {
				f[c] |= 1<<isVowel | 1<<isWide
			} else if 1<<(c&31)&vowels != 0 {
				f[c] |= 1 << isVowel
			}
		case kindMore:
			f[c] = 1 << isMore
		case kindPoint:
			if wide {
				f[c] = 1 << isOdd
			}
		default:
			f[c] = 1 << isOdd
		}
	}
	return f
}

// block holds a bit for each byte of a class, by class.
type block [byteClasses]uint64

// readGo is read for any processor.
func (b *block) readGo(text string) {
	*b = block{}
	n := min(len(text), blockBytes)
	for i := 0; i < n; i += 8 {
		x := uint64(0)
		if len(text)-i >= 8 {
			x = swar.Load(text[i:])
		} else {
			for k := len(text) - 1; k >= i; k-- {
				x = x<<8 | uint64(text[k])
			}
		}
		f := uint64(flags[x&0xff]) | uint64(flags[x>>8&0xff])<<8 | uint64(flags[x>>16&0xff])<<16 | uint64(flags[x>>24&0xff])<<24 |
			uint64(flags[x>>32&0xff])<<32 | uint64(flags[x>>40&0xff])<<40 | uint64(flags[x>>48&0xff])<<48 | uint64(flags[x>>56])<<56
		// Transpose the eight by eight bits.
		t := (f ^ f>>7) & 0x00aa00aa00aa00aa
		f ^= t ^ t<<7
		t = (f ^ f>>14) & 0x0000cccc0000cccc
		f ^= t ^ t<<14
		t = (f ^ f>>28) & 0x00000000f0f0f0f0
		f ^= t ^ t<<28
		b[0] |= f & 0xff << i
		b[1] |= f >> 8 & 0xff << i
		b[2] |= f >> 16 & 0xff << i
		b[3] |= f >> 24 & 0xff << i
		b[4] |= f >> 32 & 0xff << i
		b[5] |= f >> 40 & 0xff << i
		b[6] |= f >> 48 & 0xff << i
	}
	b[isSpace] |= ^uint64(0) << n
}

// look counts the characters and tokens of text.
func (s *shape) look(text string) {
	var b block
	for i := 0; i < len(text); {
		b.read(text[i:])
		if b[isSpace] == 0 { // a long token
			i = s.token(text, i)
			continue
		}
		s.block(&b, text, i)
		i += bits.Len64(b[isSpace])
	}
}

// block counts the tokens of text from byte from on that end before the last space in b. Most tokens
// are words of one capital or small letter and further small letters, possibly between two ASCII
// separators. They have a vowel. They are counted together, the others one by one.
func (s *shape) block(b *block, text string, from int) {
	tokens := ^b[isSpace] & (1<<(bits.Len64(b[isSpace])-1) - 1)
	starts, ends := tokens&^(tokens<<1), tokens<<1&^tokens // ends are the spaces after tokens
	letters := b[isLetter]
	points := tokens &^ (letters | b[isMore] | b[isOdd])
	opening := starts & points << 1 // the characters after a separator that begins a token
	odd := b[isOdd] | b[isUpper]&^(starts|opening) | (letters|b[isMore])&(points<<1)&^opening | b[isMore]&opening
	// Adding bits of tokens carries to the ends of these tokens.
	plain := (tokens + b[isVowel]&tokens) & ends &^ (tokens + odd&tokens)
	long := tokens & (tokens << 1)
	long &= long << 2
	long &= long << 4
	long &= long << 8
	if long &= long << 10; long != 0 { // 26 bytes
		plain &^= (tokens + long) & (tokens + letters&^b[isWide]&tokens)
	}
	for rest := ends &^ plain; rest != 0; rest &= rest - 1 {
		end := bits.TrailingZeros64(rest)
		start := bits.Len64(starts&(1<<end-1)) - 1
		s.token(text, from+start)
		tokens &^= 1<<end - 1<<start
	}
	n := bits.OnesCount64(plain)
	s.tokens += n
	s.worded += n
	s.capitals += bits.OnesCount64(b[isUpper] & starts & tokens)
	s.letters += bits.OnesCount64(letters & tokens)
	s.chars += bits.OnesCount64(tokens &^ b[isMore])
}
