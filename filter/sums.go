package filter

import "encoding/binary"

// Hashes of n-grams are differences of sums over all tokens. A sum is a polynomial in
// base modulo 2^64, so that the hash of a stretch follows from the sums at its ends:
// hash(ab) = hash(a)*base^len(b) + hash(b).
const base = 0x0f3a8d2c5b719e65

// powers are those of base.
var powers = func() (p [1 << 12]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = p[i] * base
	}
	return p
}()

func power(n int) uint64 {
	if n < len(powers) {
		return powers[n]
	}
	h := power(n / 2)
	return h * h * powers[n%2]
}

// sums holds what is found of all tokens before each one, and of all.
type sums struct {
	at   []sum
	glue []byte // the tokens with nothing between them
}

type sum struct {
	bytes, order uint64 // hashes of the bytes of the tokens, and of the tokens as wholes
	size, chars  int32  // as many bytes and characters
}

// sum finds the sums of the tokens of text.
func (s *sums) sum(text string, tokens []word) {
	s.at, s.glue = append(s.at[:0], sum{}), s.glue[:0]
	var at sum
	for i := range tokens {
		w := &tokens[i]
		before := at.bytes
		for j := w.start; j < w.end; j++ {
			at.bytes = at.bytes*base + uint64(text[j]) + 1
		}
		size := w.end - w.start
		h := at.bytes - before*power(int(size))
		h = (h ^ h>>32) * 0x9e3779b97f4a7c15
		at.order = at.order*base + (h ^ h>>29)
		at.size += size
		at.chars += w.chars
		s.at = append(s.at, at)
		s.glue = append(s.glue, text[w.start:w.end]...)
	}
}

func (s *sums) tokens() int { return len(s.at) - 1 }

// characters is a hash of the characters of the n tokens from i on.
func (s *sums) characters(i, n int) uint64 {
	a, b := &s.at[i], &s.at[i+n]
	return b.bytes - a.bytes*power(int(b.size-a.size))
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
