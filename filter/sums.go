package filter

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// Hashes of n-grams of tokens are differences of sums over all tokens. A sum is a
// polynomial in base modulo 2^64, so that the hash of a stretch follows from the sums
// at its ends: hash(ab) = hash(a)*base^len(b) + hash(b).
const base = 0x0f3a8d2c5b719e65

// powers are those of base.
var powers = func() (p [lastDuplicate + 1]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = p[i] * base
	}
	return p
}()

// sums holds what is found of all tokens before each one, and of all.
type sums struct {
	at   []sum
	glue []byte // the tokens with nothing between them
}

type sum struct {
	order       uint64 // hash of the tokens
	size, chars int32  // as many bytes and characters
}

// sum finds the sums of the tokens of text.
func (s *sums) sum(text string, tokens []word) {
	s.at, s.glue = append(s.at[:0], sum{}), s.glue[:0]
	var at sum
	for i := range tokens {
		w := &tokens[i]
		at.order = at.order*base + hashToken(text, int(w.start), int(w.end))
		at.size += w.end - w.start
		at.chars += w.chars
		s.at = append(s.at, at)
		s.glue = append(s.glue, text[w.start:w.end]...)
	}
}

// hashToken is a hash of a part of text. That of up to eight bytes is made of one
// number, which is read with what follows them.
func hashToken(text string, start, end int) uint64 {
	n := end - start
	var h uint64
	switch {
	case n > 8:
		return xxh3.HashString(text[start:end])
	case start+8 <= len(text):
		h = load(text[start:])
	default:
		var last [8]byte
		copy(last[:], text[start:])
		h = load(string(last[:]))
	}
	h = h<<(64-8*n) ^ uint64(n)
	h = (h ^ h>>32) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// load reads the first eight bytes of text as a number.
func load(text string) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

func (s *sums) tokens() int { return len(s.at) - 1 }

// characters is a hash of the characters of the n tokens from i on.
func (s *sums) characters(i, n int) uint64 {
	return xxh3.Hash(s.glue[s.at[i].size:s.at[i+n].size])
}

// sequence is a hash of the n tokens from i on, one by one: where one ends counts.
// power is that of n.
func (s *sums) sequence(i, n int, power uint64) uint64 {
	return s.at[i+n].order - s.at[i].order*power
}

// length is the number of characters of the n tokens from i on, size that of their
// bytes.
func (s *sums) length(i, n int) int { return int(s.at[i+n].chars - s.at[i].chars) }

func (s *sums) size(i, n int) int { return int(s.at[i+n].size - s.at[i].size) }

// opening is a number of bytes by which n-grams are told apart first.
const opening = 16

// opening is a hash of the bytes from token i on; false if fewer follow.
func (s *sums) opening(i int) (uint64, bool) {
	at := s.at[i].size
	if int(at)+opening > len(s.glue) {
		return 0, false
	}
	b := s.glue[at : at+opening]
	h := (binary.LittleEndian.Uint64(b) ^ base) * 0x9e3779b97f4a7c15
	return (h^h>>32)*base ^ binary.LittleEndian.Uint64(b[8:]), true
}
