package evidence

import (
	"math"
	"strings"
	"unicode/utf8"
)

// noiseBytes is the number of bytes of a text that are examined for signs of non-language.
const noiseBytes = 1 << 10

// The signs by which addresses, code, numbers, menus and random keystrokes differ from
// language. Each is a share or a small number.
const (
	SignBias       = iota
	signLetters    // share of letters among the characters
	signDigits     // share of digits among the characters
	signSymbols    // share of code symbols among the characters
	signJoined     // letters of tokens with digits, symbols or inner full stops
	signCamel      // small letters before capitals, by token
	signCapitals   // tokens that begin with a capital
	signSeparators // tokens that are a separator, such as "|"
	signLong       // letters of tokens with more than 25 letters
	signConsonants // tokens of consonants
	signUnknown    // letters of words that are not in the model
	signWeak       // weakness of the evidence for the best language, per row
	signShort      // 1/(1+tokens)
	signRepeats    // letters that equal the two before them
	signBroken     // tokens with symbols other than ASCII between letters, as in wrongly decoded text
	signUnusual    // weakness of the evidence beyond the usual one of the best language
	signNew        // unknown words beyond the usual share of the best language
	signSteady     // signUnusual, by the amount of text
	signSteadyNew  // signNew, by the amount of text
	Signs
)

// Kinds of bytes.
const (
	kindSpace = iota
	kindLower
	kindUpper
	kindDigit
	kindSymbol
	kindPoint
	kindSeparator
	kindMore // a continuation byte
)

var kinds = makeKinds()

func makeKinds() *[256]uint8 {
	k := new([256]uint8)
	for c := range k {
		switch {
		case c <= ' ':
			k[c] = kindSpace
		case c >= 'a' && c <= 'z':
			k[c] = kindLower
		case c >= 'A' && c <= 'Z':
			k[c] = kindUpper
		case c >= '0' && c <= '9':
			k[c] = kindDigit
		case c >= 0x80 && c < 0xc0:
			k[c] = kindMore
		case c == 0xc2 || c == 0xe2: // Latin-1 symbols, general punctuation
			k[c] = kindPoint
		case c >= 0xc0:
			k[c] = kindLower
		default:
			k[c] = kindPoint
		}
	}
	for _, c := range "{}[]<>=;_/\\#$%&*+@~^`" {
		k[c] = kindSymbol
	}
	k['|'] = kindSeparator
	return k
}

// shape holds the counts from which the signs are computed.
type shape struct {
	chars, letters, digits, symbols  int
	joined, camel, long, consonants  int
	tokens, worded, capitals, single int
	broken                           int
}

// The counts of a byte, packed into one number: characters, letters, ASCII letters, digits and
// symbols, each up to 4095, and a bit for a vowel. Every non-ASCII letter counts as a vowel.
const (
	countBits = 12
	countMask = 1<<countBits - 1
	oneChar   = 1
	oneLetter = 1 << countBits
	oneASCII  = 1 << (2 * countBits)
	oneDigit  = 1 << (3 * countBits)
	oneSymbol = 1 << (4 * countBits)
	aVowel    = 1 << 63
)

// vowels is a bit set, indexed by the number of the letter.
const vowels = 1<<('a'&31) | 1<<('e'&31) | 1<<('i'&31) | 1<<('o'&31) | 1<<('u'&31) | 1<<('y'&31)

// threeBytes is the first byte of characters of three bytes, such as Chinese ones.
const threeBytes = 0xe0

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

var counts = makeCounts()

func makeCounts() *[256]uint64 {
	n := new([256]uint64)
	for c := range n {
		switch kinds[c] {
		case kindLower, kindUpper:
			n[c] = oneChar + oneLetter
			if c < 0x80 {
				n[c] += oneASCII
			}
			if c >= 0x80 || strings.IndexByte("aeiouy", byte(c|0x20)) >= 0 {
				n[c] += aVowel
			}
		case kindDigit:
			n[c] = oneChar + oneDigit
		case kindSymbol, kindSeparator:
			n[c] = oneChar + oneSymbol
		case kindPoint:
			n[c] = oneChar
		}
	}
	return n
}

// token counts the token of text that begins at byte i and returns its end.
func (s *shape) token(text string, i int) int {
	start, prev := i, uint8(kindSpace)
	sum, seen := uint64(0), uint64(0)
	camel, inner := 0, 0
	// Most tokens begin with small letters, possibly after one capital. Of these, only their
	// number and the presence of a vowel matter.
	if c := text[i]; 'A' <= c && c <= 'Z' {
		prev, sum, seen = kindUpper, counts[c], counts[c]
		i++
	}
	if i < len(text) && isSmall(text[i]) {
		from, letters := i, uint32(0)
		for ; i < len(text) && isSmall(text[i]); i++ {
			letters |= 1 << (text[i] & 31)
		}
		prev = kindLower
		sum += uint64(i-from) * (oneChar + oneLetter + oneASCII)
		if letters&vowels != 0 {
			seen |= aVowel
		}
	}
	broken := false
	for ; i < len(text); i++ {
		c := text[i]
		k := kinds[c]
		if k == kindSpace {
			break
		}
		sum += counts[c]
		seen |= counts[c]
		if k <= kindUpper && c < threeBytes && prev == kindPoint && text[i-1] >= 0x80 && text[i-1] < 0xc0 && sum>>countBits&countMask > 1 {
			broken = broken || !joins(text[start:i])
		}
		if k == prev || k == kindMore {
			continue
		}
		switch {
		case k > kindUpper:
		case prev == kindPoint:
			if sum>>countBits&countMask > 1 && text[i-1] != '\'' && text[i-1] != '-' && text[i-1] < 0x80 {
				inner++
			}
		case k == kindUpper && prev == kindLower:
			camel++
		}
		prev = k
	}
	chars, letters, ascii := int(sum&countMask), int(sum>>countBits&countMask), int(sum>>(2*countBits)&countMask)
	digits, symbols := int(sum>>(3*countBits)&countMask), int(sum>>(4*countBits)&countMask)
	s.digits += digits
	s.symbols += symbols
	s.chars += chars
	s.tokens++
	s.letters += letters
	if letters == 0 {
		if chars == 1 && kinds[text[start]] >= kindSymbol || kinds[text[start]] == kindPoint && text[start] >= 0x80 && i-start <= 3 {
			s.single++
		}
		return i
	}
	s.worded++
	if broken {
		s.broken++
	}
	s.camel += camel
	if kinds[text[start]] == kindUpper {
		s.capitals++
	}
	if digits+symbols+inner > 0 {
		s.joined += ascii
	}
	if ascii > 25 {
		s.long += ascii
	}
	if seen&aVowel == 0 && letters >= 4 {
		s.consonants++
	}
	return i
}

// repeatsGo counts, from byte i of text on, the letters that equal the two letters before them.
func repeatsGo(text string, i int) int {
	n := 0
	for ; i < len(text); i++ {
		c := text[i]
		if c != text[i-2] || kinds[c] == kindSpace {
			continue
		}
		if c < 0x80 {
			if c == text[i-1] && kinds[c] <= kindUpper {
				n++
			}
		} else if i >= 5 && c < 0xc0 && c == text[i-4] && text[i-1] == text[i-3] && text[i-1] == text[i-5] {
			n++
		}
	}
	return n
}

// joins reports whether text ends in a symbol that may be between letters, such as an apostrophe, a
// dash or a no-break space.
func joins(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune("’‘‐‑–—·\u00a0\u00ad\u2009\u200b\u200c\u200d\u202f", r)
}

// signsOf computes x. best is the score of the best language, and c the language, or nil.
func signsOf(x *[Signs]float64, text string, t *Tally, best int32, unit float64, c *ClassSettings) {
	if len(text) > noiseBytes {
		text = text[:noiseBytes]
	}
	var s shape
	s.look(text)
	share := func(a, b int) float64 { return float64(a) / float64(max(1, b)) }
	x[SignBias] = 1
	x[signLetters] = share(s.letters, s.chars)
	x[signDigits] = share(s.digits, s.chars)
	x[signSymbols] = share(s.symbols, s.chars)
	x[signJoined] = share(s.joined, s.letters)
	x[signCamel] = min(1, share(s.camel, s.worded))
	x[signCapitals] = share(s.capitals, s.worded)
	x[signSeparators] = min(1, share(s.single, s.worded))
	x[signLong] = share(s.long, s.letters)
	x[signConsonants] = share(s.consonants, s.worded)
	x[signUnknown] = share(int(t.told-t.known), int(t.told))
	x[signWeak] = 0
	if t.Rows > 0 {
		x[signWeak] = max(0, 1-float64(best)*unit/float64(t.Rows))
	}
	x[signShort] = 1 / float64(1+s.tokens)
	x[signRepeats] = share(repeats(text), s.letters)
	x[signBroken] = share(s.broken, s.worded)
	x[signUnusual], x[signNew], x[signSteady], x[signSteadyNew] = 0, 0, 0, 0
	if c != nil && c.Evidence > 0 && t.Rows > 0 {
		steady := min(1, float64(t.Rows)/steadyRows)
		x[signUnusual] = max(-1, 1-float64(best)*unit/float64(t.Rows)/c.Evidence)
		x[signNew] = x[signUnknown] - c.Unknown
		x[signSteady], x[signSteadyNew] = x[signUnusual]*steady, x[signNew]*steady
	}
}

// manyLangs is the number of languages of a script from which a text may be in an unknown one. In
// other scripts nearly all languages are in the model.
const manyLangs = 8

// steadyRows is the number of rows at which the mean of the evidence is steady.
const steadyRows = 60

// logistic returns the probability of a logistic regression. Weights of earlier models have no
// weights for later signs.
func logistic(weights []float64, x *[Signs]float64) float64 {
	sum := 0.0
	for i, w := range weights {
		sum += float64(w * x[i])
	}
	return 1 / (1 + math.Exp(-sum))
}

// Noise returns the probability that text is not language, and the probability that language is
// in no language of the model. best is the best class of all in the script of the text.
func (m *Model) Noise(text string, t *Tally, best int) (noise, strange float64) {
	if n := len(m.Settings.Noise); n == 0 || n > Signs || len(m.Settings.Strange) > Signs {
		return 0, 0
	}
	var x [Signs]float64
	signsOf(&x, text, t, t.Score[best], m.Settings.Unit, &m.Settings.Classes[best])
	if len(m.Settings.Strange) > 0 && t.Rows > 0 && len(m.ByScript[m.Classes[best].Script]) >= manyLangs {
		strange = logistic(m.Settings.Strange, &x)
	}
	return logistic(m.Settings.Noise, &x), strange
}

// OnlySigns returns the noise of text without letters of a known language: 1 if text has
// visible characters but no letters, otherwise 0.
func OnlySigns(text string, t *Tally) float64 {
	for i := range t.Letters {
		if t.Letters[i] > 0 {
			return 0 // letters of an unknown language
		}
	}
	for i := range len(text) {
		if kinds[text[i]] > kindSpace && text[i] < 0x80 {
			return 1
		}
	}
	return 0
}

// Signs returns the signs of a piece that is read as text in script s.
func (m *Model) Signs(piece string, y *Tally, s Script) (x [Signs]float64) {
	best, of := int32(math.MinInt32), (*ClassSettings)(nil)
	for _, c := range m.ByScript[s] {
		if y.Score[c] > best {
			best, of = y.Score[c], &m.Settings.Classes[c]
		}
	}
	signsOf(&x, piece, y, max(best, 0), m.Settings.Unit, of)
	return x
}

// Fit returns the evidence per row for class c and the share of unknown words of a text that was
// read; ok is false if it has no rows.
func (m *Model) Fit(y *Tally, c int) (evidence, unknown float64, ok bool) {
	if y.Rows == 0 {
		return 0, 0, false
	}
	return float64(y.Score[c]) * m.Settings.Unit / float64(y.Rows), float64(y.told-y.known) / float64(max(1, y.told)), true
}
