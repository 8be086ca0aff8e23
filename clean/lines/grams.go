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

// slot returns the place of a hash in a table of 1<<bits n-grams.
func slot(h uint64, bits uint) uint32 { return uint32(h >> (64 - bits)) }

// addGrams appends the n-grams of the line that was measured last: of words to
// s.words, of characters to s.chars.
func (s *sheet) addGrams(st *stats) {
	words := s.hashes[st.from:st.to]
	if len(words) <= headWords+tailWords {
		s.wordGrams(words)
	} else {
		s.wordGrams(words[:headWords])
		s.wordGrams(words[len(words)-tailWords:])
	}
	if st.chars == 0 {
		return
	}
	if len(s.codes) <= headChars+tailChars {
		s.charGrams(s.codes)
	} else {
		s.charGrams(s.codes[:headChars])
		s.charGrams(s.codes[len(s.codes)-tailChars:])
	}
}

// wordGrams appends each word, and each pair of words.
func (s *sheet) wordGrams(words []uint32) {
	prev := uint64(0)
	for _, w := range words {
		h := uint64(w)
		s.words = append(s.words, slot(h*saltWord, s.bits))
		if prev != 0 {
			s.words = append(s.words, slot((prev<<32|h)*saltPair, s.bits))
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
		out = append(out, slot((reg&chars3Mask)*salt3, s.bits))
		if i > 2 {
			out = append(out, slot((reg^reg>>31)*salt4, s.bits))
		}
		if i > 3 {
			out = append(out, slot((reg^reg>>29^fifth*salt3)*salt5, s.bits))
		}
	}
	s.chars = out
}
