package close

import (
	"unicode"
	"unicode/utf8"

	"chaffinch/text/langid/evidence"
)

// Kinds of features. The kind is part of the hash of a feature.
const (
	word = iota // also two Chinese characters in sequence
	pair        // of adjacent words
	gram        // characters of a word, with its boundaries; also a Chinese character
)

// maxGram is the maximum number of characters of an n-gram, minGram the minimum. A boundary of a
// word counts as a character.
const (
	minGram = 2
	maxGram = 5
)

// Features calls fn with the hash of each feature of text: the words in script, pairs of adjacent
// words, and the n-grams of words. Capitalised words within a sentence are omitted: most of them
// are names, which indicate the topic of a text instead of its language.
func Features(script evidence.Script, text string, fn func(hash uint32)) {
	r := newReader(script, text)
	for r.next() {
		for _, h := range r.found[:r.n] {
			fn(h)
		}
	}
}

// reader reads the features of a text word by word.
type reader struct {
	script evidence.Script
	text   string
	at     int // bytes read
	word   evidence.Word
	prev   uint64 // hash of the word before in the same sentence, 0 for none
	start  bool   // of a sentence

	found [maxFound]uint32 // features of the last word
	n     int              // number of elements of found
}

// maxFound is an upper bound on the number of features of a word: the word, a pair, and the n-grams
// that end at each character.
const maxFound = 2 + (maxGram-minGram+1)*(len(evidence.Word{}.Code)+1)

// newReader returns a reader of text.
func newReader(script evidence.Script, text string) reader {
	return reader{script: script, text: text, start: true}
}

// next reads up to the next word with features. It reports whether there is one.
func (r *reader) next() bool {
	w, text := &r.word, r.text
	for r.at < len(text) {
		c, size := rune(text[r.at]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[r.at:])
		}
		if !unicode.IsLetter(c) {
			if endsSentence(c) {
				r.start, r.prev = true, 0
			}
			r.at += size
			continue
		}
		name := !r.start && unicode.IsUpper(c)
		r.start = false
		next := w.Next(text, r.at)
		if next <= r.at || w.N == 0 {
			r.at += size
			continue
		}
		// The byte after a word is also consumed, and may end the sentence.
		if last := text[next-1]; endsSentence(rune(last)) {
			r.start = true
		}
		r.at = next
		if w.Script != r.script {
			r.prev = 0
			continue
		}
		r.n = 0
		if w.Script == evidence.Hani {
			r.han(w.Code[:w.N])
			return true
		}
		if name {
			r.prev = 0
			continue
		}
		r.add(w.Hash, word)
		if r.prev != 0 {
			r.add(r.prev*31^w.Hash, pair)
		}
		r.grams(w.Code[:w.N])
		r.prev = w.Hash
		if r.start {
			r.prev = 0
		}
		return true
	}
	return false
}

// add adds a feature.
func (r *reader) add(key uint64, kind int) {
	r.found[r.n] = hash(key, kind)
	r.n++
}

// endsSentence reports whether a capitalised word after r may begin a sentence.
func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', ':', '\n', '"', '«', '„', '“', '”', '(', '-', '–', '•', '/', '|':
		return true
	}
	return false
}

// grams adds the n-grams of a word.
func (r *reader) grams(codes []uint16) {
	// The hashes of the last one to four characters.
	one, two, three, four := uint64(boundary+1), uint64(0), uint64(0), uint64(0)
	one *= spread
	n := r.n
	for i := range len(codes) + 1 {
		c := uint64(boundary)
		if i < len(codes) {
			c = uint64(codes[i])
		}
		five := (four + c) * spread
		one, two, three, four = (c+1)*spread, (one+c)*spread, (two+c)*spread, (three+c)*spread
		found := r.found[n : n+4]
		found[0], found[1], found[2], found[3] = hash(two, gram), hash(three, gram), hash(four, gram), hash(five, gram)
		n += min(i+1, maxGram-minGram+1) // n-grams of more characters begin before the word
	}
	r.n = n
}

// han adds the characters and pairs of a run of Chinese characters.
func (r *reader) han(codes []uint16) {
	prev := uint64(0)
	for _, c := range codes {
		r.add(uint64(c), gram)
		if prev != 0 {
			r.add(prev<<16|uint64(c), word)
		}
		prev = uint64(c)
	}
}

const (
	boundary = 1 // represents the edge of a word in n-grams
	spread   = 0x9e3779b97f4a7c15
)

// HashBits is the number of bits of the hash of a feature.
const HashBits = 24

// hash returns the hash of a feature.
func hash(key uint64, kind int) uint32 {
	return uint32(evidence.Mix(key^key>>29^uint64(kind+1)*0xd6e8feb86659fd93) >> (64 - HashBits))
}
