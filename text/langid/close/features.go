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

// MaxGram is the maximum number of characters of an n-gram, MinGram the minimum. A boundary of a
// word counts as a character.
const (
	MinGram = 2
	MaxGram = 5
)

// Features calls fn with the hash of each feature of text: the words in script, pairs of adjacent
// words, and the n-grams of words. Capitalised words within a sentence are omitted: most of them
// are names, which indicate the topic of a text instead of its language.
func Features(script evidence.Script, text string, fn func(hash uint32)) {
	var w evidence.Word
	prev := uint64(0)
	start := true // of a sentence
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if !unicode.IsLetter(r) {
			if endsSentence(r) {
				start, prev = true, 0
			}
			i += size
			continue
		}
		name := !start && unicode.IsUpper(r)
		start = false
		next := w.Next(text, i)
		if next <= i || w.N == 0 {
			i += size
			continue
		}
		// The byte after a word is also consumed, and may end the sentence.
		if last := text[next-1]; endsSentence(rune(last)) {
			start = true
		}
		i = next
		if w.Script != script {
			prev = 0
			continue
		}
		if w.Script == evidence.Hani {
			han(w.Code[:w.N], fn)
			continue
		}
		if name {
			prev = 0
			continue
		}
		fn(hash(w.Hash, word))
		if prev != 0 {
			fn(hash(prev*31^w.Hash, pair))
		}
		grams(w.Code[:w.N], fn)
		prev = w.Hash
		if start {
			prev = 0
		}
	}
}

// endsSentence reports whether a capitalised word after r may begin a sentence.
func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', ':', '\n', '"', '«', '„', '“', '”', '(', '-', '–', '•', '/', '|':
		return true
	}
	return false
}

// grams calls fn for the n-grams of a word.
func grams(codes []uint16, fn func(uint32)) {
	var h [MaxGram + 1]uint64 // by number of characters: hash of the last ones
	seen := 0
	push := func(c uint64) {
		if seen < MaxGram {
			seen++
		}
		for n := seen; n > 1; n-- {
			h[n] = (h[n-1] + c) * spread
		}
		h[1] = (c + 1) * spread
	}
	push(boundary)
	for i := range len(codes) + 1 {
		c := uint64(boundary)
		if i < len(codes) {
			c = uint64(codes[i])
		}
		push(c)
		for n := MinGram; n <= seen; n++ {
			fn(hash(h[n], gram))
		}
	}
}

// han calls fn for the characters and pairs of a run of Chinese characters.
func han(codes []uint16, fn func(uint32)) {
	prev := uint64(0)
	for _, c := range codes {
		fn(hash(uint64(c), gram))
		if prev != 0 {
			fn(hash(prev<<16|uint64(c), word))
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
