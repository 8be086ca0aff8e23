package nontext

import "math/bits"

// Seeds that separate the hashes of different kinds of n-grams.
const (
	seedWord     = 0x9e3779b9
	seedPair     = 0x85ebca6b
	seedFrame    = 0xc2b2ae35
	seedFrame3   = 0x27d4eb2f
	seedChars    = 0x165667b1
	seedShape    = 0x7feb352d
	seedShape2   = 0x846ca68b
	seedShape3   = 0x1b873593
	seedShape4   = 0xcc9e2d51
	charsInAGram = 4
	gramsOfWord  = 4 // per word, at the beginning of the list
)

// mix combines two hashes; the order matters.
func mix(a, b uint32) uint32 {
	h := (a ^ bits.RotateLeft32(b, 17)) * 0x2c1b3c6d
	return (h ^ h>>13) * 0x297a2d39
}

// slot returns the index of a hash in a table of 1<<size entries.
func slot(h uint32, size int) uint32 { return (h ^ h>>16) * slotPrime >> (32 - size) }

const slotPrime = 0x9e3779b1

// frame returns a hash of a word as part of a sentence frame. It represents short words
// completely and longer words by their ending, together with the following mark. Frames model
// whether word sequences are plausible, regardless of topic.
func (w *word) frame() uint32 {
	h := w.hash
	switch {
	case w.form == formNumber:
		h = 0x0a11d161
	case w.form == formTitle && w.chars > 4:
		h = 0x71713cae
	case w.chars > 4:
		h = w.tail*hashPrime + 0x5bd1e995
	}
	return h + uint32(w.gap)*0x3c6ef372
}

// shape returns the shape of a word: length, form, and the following mark.
func (w *word) shape() uint32 {
	return uint32(min(w.chars, 12)) | uint32(w.form)<<4 | uint32(w.gap)<<8
}

// ngrams appends the slots of the n-grams of a window.
func ngrams(dst []uint32, text string, words []word, cfg *Config) []uint32 {
	if cfg.Words {
		return lexical(dst, text, words, cfg.Bits)
	}
	return shapes(dst, words, cfg.Bits)
}

// lexical appends words, pairs of words, pairs and triples of frames, and n-grams of
// characters.
func lexical(dst []uint32, text string, words []word, size int) []uint32 {
	var h1, f1, f2 uint32
	for i := range words {
		w := &words[i]
		f := w.frame()
		dst = append(dst, slot(mix(seedWord, w.hash), size), slot(mix(mix(seedPair, h1), w.hash), size),
			slot(mix(mix(seedFrame, f1), f), size), slot(mix(mix(mix(seedFrame3, f2), f1), f), size))
		h1, f2, f1 = w.hash, f1, f
	}
	if len(words) == 0 {
		return dst
	}
	piece := text[words[0].start:words[len(words)-1].end]
	var gram uint32
	for i := range len(piece) {
		gram = gram<<8 | uint32(piece[i])
		if i >= charsInAGram-1 {
			dst = append(dst, slot(mix(seedChars, gram), size))
		}
	}
	return dst
}

// add returns the sum of the weights of the n-grams of a window and their number. It processes
// the same n-grams as [ngrams] without building a list.
func (m *Model) add(text string, words []word) (sum int32, n int) {
	if m.cfg.Words {
		return m.addLexical(text, words)
	}
	return m.addShapes(words), gramsOfWord * len(words)
}

// addLexical returns the sum of the weights of the n-grams of [lexical], and their number.
func (m *Model) addLexical(text string, words []word) (sum int32, n int) {
	if len(words) == 0 {
		return 0, 0
	}
	weights, shift := m.weights, uint(32-m.cfg.Bits)&31
	at := func(h uint32) int32 { return int32(weights[(h^h>>16)*slotPrime>>shift]) }
	var h1, f1, f2 uint32
	for i := range words {
		w := &words[i]
		f := w.frame()
		sum += at(mix(seedWord, w.hash)) + at(mix(mix(seedPair, h1), w.hash)) + at(mix(mix(seedFrame, f1), f)) + at(mix(mix(mix(seedFrame3, f2), f1), f))
		h1, f2, f1 = w.hash, f1, f
	}
	piece := text[words[0].start:words[len(words)-1].end]
	var gram uint32
	for i := range len(piece) {
		gram = gram<<8 | uint32(piece[i])
		if i >= charsInAGram-1 {
			sum += at(mix(seedChars, gram))
		}
	}
	return sum, gramsOfWord*len(words) + max(0, len(piece)-charsInAGram+1)
}

// addShapes returns the sum of the weights of the n-grams of [shapes].
func (m *Model) addShapes(words []word) (sum int32) {
	weights, shift := m.weights, uint(32-m.cfg.Bits)&31
	at := func(h uint32) int32 { return int32(weights[(h^h>>16)*slotPrime>>shift]) }
	var s1, s2, s3 uint32
	for i := range words {
		s := words[i].shape()
		h2 := mix(s, s1+seedShape2)
		h3 := mix(seedShape3, h2)
		sum += at(mix(seedShape, s)) + at(h2) + at(mix(h3, s2)) + at(mix(mix(mix(seedShape4, h2), s2), s3))
		s3, s2, s1 = s2, s1, s
	}
	return sum
}

// shapes appends n-grams of shapes of up to four words.
func shapes(dst []uint32, words []word, size int) []uint32 {
	var s1, s2, s3 uint32
	for i := range words {
		s := words[i].shape()
		h2 := mix(s, s1+seedShape2)
		dst = append(dst, slot(mix(seedShape, s), size), slot(h2, size), slot(mix(mix(seedShape3, h2), s2), size),
			slot(mix(mix(mix(seedShape4, h2), s2), s3), size))
		s3, s2, s1 = s2, s1, s
	}
	return dst
}
