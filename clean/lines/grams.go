package lines

// How much of a line its n-grams are taken from.
const (
	headWords = 12
	tailWords = 4
	headChars = 100
	tailChars = 30
)

// Odd constants that tell the kinds of n-grams apart.
const (
	saltWord   = 0x9E3779B97F4A7C15
	saltPair   = 0xC2B2AE3D27D4EB4F
	salt3      = 0x165667B19E3779F9
	salt4      = 0x27D4EB2F165667C5
	salt5      = 0x85EBCA77C2B2AE63
	chars3Mask = 1<<48 - 1
)

// defaultTableBits is the size of the table of n-grams, as a power of two.
const defaultTableBits = 18

// slot returns the place of a hash in a table of n-grams.
func slot(h uint64) uint32 { return uint32(h >> (64 - defaultTableBits)) }

// The hashes of n-grams: of a word, of two words, of three to five characters, of which reg
// holds the last four and fifth the one before.
func hashWord(w uint64) uint64       { return w * saltWord }
func hashPair(a, b uint64) uint64    { return (a<<32 | b) * saltPair }
func hash3(reg uint64) uint64        { return (reg & chars3Mask) * salt3 }
func hash4(reg uint64) uint64        { return (reg ^ reg>>31) * salt4 }
func hash5(reg, fifth uint64) uint64 { return (reg ^ reg>>29 ^ fifth*salt3) * salt5 }

// eachWords calls fn with the parts of the words of a line that n-grams are taken from.
func eachWords(words []uint32, fn func(part []uint32)) {
	if len(words) <= headWords+tailWords {
		fn(words)
		return
	}
	fn(words[:headWords])
	fn(words[len(words)-tailWords:])
}

// eachChars calls fn with the parts of the characters of a line that n-grams are taken from.
func eachChars(codes []uint16, fn func(part []uint16)) {
	if len(codes) <= headChars+tailChars {
		fn(codes)
		return
	}
	fn(codes[:headChars])
	fn(codes[len(codes)-tailChars:])
}

// addGrams appends the n-grams of the line that was measured last: of words to
// s.words, of characters to s.chars.
func (s *sheet) addGrams(st *stats) {
	eachWords(s.hashes[st.from:st.to], s.wordGrams)
	if st.chars > 0 {
		eachChars(s.codes, s.charGrams)
	}
}

// wordGrams appends each word, and each pair of words.
func (s *sheet) wordGrams(words []uint32) {
	prev := uint64(0)
	for _, w := range words {
		h := uint64(w)
		s.words = append(s.words, slot(hashWord(h)))
		if prev != 0 {
			s.words = append(s.words, slot(hashPair(prev, h)))
		}
		prev = h
	}
}

// charGrams appends the n-grams of three to five characters, but not one that
// is the same as the one before, so that a rule of dashes counts once.
func (s *sheet) charGrams(codes []uint16) {
	reg, fifth := uint64(0), uint64(0)
	last := uint64(0)
	out := s.chars
	for i, c := range codes {
		fifth = reg >> 48
		reg = reg<<16 | uint64(c)
		if i < 2 || reg == last {
			continue
		}
		last = reg
		out = append(out, slot(hash3(reg)))
		if i > 2 {
			out = append(out, slot(hash4(reg)))
		}
		if i > 3 {
			out = append(out, slot(hash5(reg, fifth)))
		}
	}
	s.chars = out
}

// gramSum is the sum of the weights of the n-grams of a line, in steps, and their number.
type gramSum struct{ sum, n int32 }

// sumGrams adds up the weights of what addGrams would append.
func (s *sheet) sumGrams(st *stats) (words, chars gramSum) {
	eachWords(s.hashes[st.from:st.to], func(part []uint32) { words.addWords(part, s.wordWeights) })
	if st.chars > 0 {
		eachChars(s.codes, func(part []uint16) { chars.addChars(part, s.charWeights) })
	}
	return words, chars
}

// addWords adds the weights of what wordGrams appends.
func (g *gramSum) addWords(words []uint32, weights *Weights) {
	prev, sum, n := uint64(0), int32(0), int32(len(words))
	for _, w := range words {
		h := uint64(w)
		sum += int32(weights[slot(hashWord(h))])
		if prev != 0 {
			sum += int32(weights[slot(hashPair(prev, h))])
			n++
		}
		prev = h
	}
	g.sum, g.n = g.sum+sum, g.n+n
}

// addChars adds the weights of what charGrams appends.
func (g *gramSum) addChars(codes []uint16, weights *Weights) {
	reg, last := uint64(0), uint64(0)
	sum, n := int32(0), int32(0)
	first := min(4, len(codes))
	for i, c := range codes[:first] {
		reg = reg<<16 | uint64(c)
		if i < 2 || reg == last {
			continue
		}
		last = reg
		sum += int32(weights[slot(hash3(reg))])
		n++
		if i > 2 {
			sum += int32(weights[slot(hash4(reg))])
			n++
		}
	}
	for _, c := range codes[first:] {
		fifth := reg >> 48
		if reg = reg<<16 | uint64(c); reg == last {
			continue
		}
		last = reg
		sum += int32(weights[slot(hash3(reg))]) + int32(weights[slot(hash4(reg))]) + int32(weights[slot(hash5(reg, fifth))])
		n += 3
	}
	g.sum, g.n = g.sum+sum, g.n+n
}
