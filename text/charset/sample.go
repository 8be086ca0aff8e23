package charset

import (
	"math/bits"

	"chaffinch/text/charset/alphabet"
)

// Limits on the sample of the detector.
const (
	sampleHigh = 600       // bytes above 127
	sampleScan = 256 << 10 // bytes that are searched for them
	sampleGap  = 4         // ASCII bytes that separate two excerpts
)

// excerpts appends the bytes above 127 of raw to dst, each with two ASCII bytes before and
// three after, within sampleHigh and sampleScan. Each excerpt ends with a line feed. This skips
// markup: tags are ASCII, and next to text they count as white space.
func excerpts(dst, raw []byte) []byte {
	raw = raw[:min(len(raw), sampleScan)]
	high := 0
	for i := asciiPrefix(raw); i < len(raw) && high < sampleHigh; {
		from := max(i-2, 0)
		end := i
		for i < len(raw) && i-end < sampleGap && high < sampleHigh {
			if raw[i] >= 0x80 {
				end = i + 1
				high++
			}
			i++
		}
		end = min(end+3, len(raw))
		dst = append(append(dst, raw[from:end]...), '\n')
		i = max(i, end)
		i += asciiPrefix(raw[i:])
	}
	return dst
}

// A sample with fewer than sparseHigh bytes above 127 is extended by the ASCII around them as
// evidence of the language. The context has about contextBytes in total, evenly on each side
// within an element or line, and at least contextReach.
const (
	sparseHigh   = 120
	contextReach = 30
	contextBytes = 1500
)

// contexts appends the ASCII around the bytes above 127 of raw to dst. high is the number of
// such bytes in the sample. Each piece ends with a line feed.
func contexts(dst, raw []byte, high int) []byte {
	reach := max(contextBytes/(2*max(high, 1)), contextReach)
	raw = raw[:min(len(raw), sampleScan)]
	done := 0 // of raw
	for i := asciiPrefix(raw); i < len(raw) && len(dst) < contextBytes; {
		from := i
		for from > max(done, i-reach) && raw[from-1] != '>' {
			from--
		}
		dst = append(append(dst, raw[from:i]...), '\n')
		for i < len(raw) && raw[i] >= 0x80 {
			i++
		}
		from = i
		for i < min(len(raw), from+reach) && raw[i] < 0x80 && raw[i] != '<' {
			i++
		}
		dst = append(append(dst, raw[from:i]...), '\n')
		done = i
		i += asciiPrefix(raw[i:])
	}
	return dst
}

// fold maps ASCII to the classes of the model; other bytes are unchanged.
var fold = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if i < 0x80 {
			switch _, c, _ := alphabet.LetterOf(rune(i)); c {
			case alphabet.Space:
				t[i] = ' '
			case alphabet.Punct:
				t[i] = '.'
			case alphabet.Number:
				t[i] = '0'
			}
		}
	}
	return t
}()

// gram is a byte trigram with its count in a sample.
type gram struct {
	a, b, c byte
	n       int32
}

// pair is a byte bigram with the number of trigrams that end and that begin with it.
type pair struct {
	a, b            byte
	target, context int32
}

// counts holds the trigrams of a sample that contain a byte above 127, and their parts.
type counts struct {
	grams  []gram
	pairs  []pair
	bytes  []byte // bytes that occur
	target [256]int32
	contxt [256]int32
	seen   [256]bool
	n      int32 // number of trigrams

	slots  [4096]uint16 // of grams, by hash; 0 is free, otherwise number + 1
	byPair [1 << 16]uint16
}

// count counts the trigrams of text, in which a line feed ends an excerpt.
func (k *counts) count(text []byte) {
	k.reset()
	a, b := byte(' '), byte(' ')
	for _, c := range text {
		c = fold[c]
		if (a|b|c)&0x80 != 0 {
			k.add(a, b, c)
		}
		a, b = b, c
	}
	for i := range k.grams {
		g := &k.grams[i]
		g.n = damped(g.n)
		k.pair(g.b, g.c).target += g.n
		k.pair(g.a, g.b).context += g.n
		k.target[g.c] += g.n
		k.contxt[g.b] += g.n
		k.n += g.n
		for _, c := range [...]byte{g.a, g.b, g.c} {
			if !k.seen[c] {
				k.seen[c] = true
				k.bytes = append(k.bytes, c)
			}
		}
	}
}

// damped returns the effective count of a trigram that occurs n times. Repeated parts of a
// page, such as bullets and footers, are not new evidence.
func damped(n int32) int32 {
	const whole = 4
	if n <= whole {
		return n
	}
	return whole + int32(bits.Len32(uint32(n-whole)))
}

// add counts one trigram.
func (k *counts) add(a, b, c byte) {
	key := uint32(a)<<16 | uint32(b)<<8 | uint32(c)
	for i := key * 0x9E3779B1 >> 20; ; i = (i + 1) % uint32(len(k.slots)) {
		s := k.slots[i]
		if s == 0 {
			if len(k.grams) < len(k.slots)/2 {
				k.grams = append(k.grams, gram{a, b, c, 1})
				k.slots[i] = uint16(len(k.grams))
			}
			return
		}
		if g := &k.grams[s-1]; g.a == a && g.b == b && g.c == c {
			g.n++
			return
		}
	}
}

// pair returns the bigram (a, b).
func (k *counts) pair(a, b byte) *pair {
	i := int(a)<<8 | int(b)
	if k.byPair[i] == 0 {
		k.pairs = append(k.pairs, pair{a: a, b: b})
		k.byPair[i] = uint16(len(k.pairs))
	}
	return &k.pairs[k.byPair[i]-1]
}

// reset removes the last sample.
func (k *counts) reset() {
	for _, p := range k.pairs {
		k.byPair[int(p.a)<<8|int(p.b)] = 0
	}
	for _, c := range k.bytes {
		k.target[c], k.contxt[c], k.seen[c] = 0, 0, false
	}
	clear(k.slots[:])
	k.grams, k.pairs, k.bytes, k.n = k.grams[:0], k.pairs[:0], k.bytes[:0], 0
}
