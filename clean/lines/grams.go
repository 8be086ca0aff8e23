package lines

// Limits of the part of a line that n-grams are taken from.
const (
	headWords = 12
	tailWords = 4
	headChars = 100
	tailChars = 30
)

// Odd constants that distinguish the kinds of n-grams.
const (
	saltWord   = 0x9E3779B97F4A7C15
	saltPair   = 0xC2B2AE3D27D4EB4F
	salt3      = 0x165667B19E3779F9
	salt4      = 0x27D4EB2F165667C5
	salt5      = 0x85EBCA77C2B2AE63
	chars3Mask = 1<<48 - 1
)

// defaultTableBits is the base-2 logarithm of the size of the n-gram table.
const defaultTableBits = 18

// slot returns the index of a hash in a table of n-grams.
func slot(h uint64) uint32 { return uint32(h >> (64 - defaultTableBits)) }

// The hashes of n-grams: of a word, of two words, and of three to five characters. reg holds
// the last four characters and fifth the character before them.
func hashWord(w uint64) uint64       { return w * saltWord }
func hashPair(a, b uint64) uint64    { return (a<<32 | b) * saltPair }
func hash3(reg uint64) uint64        { return (reg & chars3Mask) * salt3 }
func hash4(reg uint64) uint64        { return (reg ^ reg>>31) * salt4 }
func hash5(reg, fifth uint64) uint64 { return (reg ^ reg>>29 ^ fifth*salt3) * salt5 }

// eachWords calls fn with the word ranges of a line that n-grams are taken from.
func eachWords(words []uint32, fn func(part []uint32)) {
	if len(words) <= headWords+tailWords {
		fn(words)
		return
	}
	fn(words[:headWords])
	fn(words[len(words)-tailWords:])
}

// eachChars calls fn with the character ranges of a line that n-grams are taken from.
func eachChars(codes []uint16, fn func(part []uint16)) {
	if len(codes) <= headChars+tailChars {
		fn(codes)
		return
	}
	fn(codes[:headChars])
	fn(codes[len(codes)-tailChars:])
}

// addGrams appends the n-grams of the last measured line to s.words and s.chars.
func (s *sheet) addGrams(st *stats) {
	eachWords(s.hashes[st.from:st.to], s.wordGrams)
	if st.chars > 0 {
		eachChars(s.codes, s.charGrams)
	}
}

// wordGrams appends each word and each pair of words.
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

// charGrams appends the n-grams of three to five characters, except immediate repetitions,
// so that a rule of dashes counts once.
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

// gramSum holds the sum of the n-gram weights of a line in steps and the number of n-grams.
type gramSum struct{ sum, n int32 }

// sumGrams sums the weights of the n-grams that addGrams would append.
func (s *sheet) sumGrams(st *stats) (words, chars gramSum) {
	eachWords(s.hashes[st.from:st.to], func(part []uint32) { words.addWords(part, s.wordWeights) })
	if st.chars > 0 {
		eachChars(s.codes, func(part []uint16) { chars.addChars(part, s.charWeights) })
	}
	return words, chars
}

// addWords adds the weights of the n-grams that wordGrams would append.
func (g *gramSum) addWords(words []uint32, weights *Weights) {
	if wideGrams && len(words) > 0 {
		sum, n := sumWords(&words[0], len(words), weights)
		g.sum, g.n = g.sum+sum, g.n+n
		return
	}
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

// addChars adds the weights of the n-grams that charGrams would append.
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
	if wideGrams && len(codes) > first {
		a, b := sumChars(&codes[0], len(codes), weights)
		sum, n, first = sum+a, n+b, len(codes)
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
