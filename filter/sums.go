package filter

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/swar"
	"chaffinch/text/token"
)

// Hashes of n-grams of tokens are differences of prefix sums. A sum is a polynomial in base
// modulo 2^64, so that the hash of a span follows from the sums at its ends: hash(ab) =
// hash(a)*base^len(b) + hash(b).
const base = 0x0f3a8d2c5b719e65

// powers are the powers of base.
var powers = func() (p [lastDuplicate + 1]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = p[i] * base
	}
	return p
}()

// sums holds prefix sums over the tokens, before each token and of all tokens.
type sums struct {
	at     []sum
	orders []uint64 // prefix hashes of the tokens, set by [sums.order]
	glue   []byte   // the concatenated tokens
	// pairs holds the number of characters of all pairs of tokens with the same hash, and of
	// others that share its place.
	pairs [pairPlaces]uint32
}

type sum struct{ size, chars int32 } // bytes and characters

// pairPlaces is the number of places in pairs, a power of two.
const pairPlaces = 1 << 10

// sum computes the sums of the tokens of text, except for orders.
func (s *sums) sum(text string, tokens []token.Token) {
	s.at = slices.Grow(s.at[:0], len(tokens)+1)[:len(tokens)+1]
	s.at[0] = sum{}
	s.glue = slices.Grow(s.glue[:0], len(text)+8)
	s.pairs = [pairPlaces]uint32{}
	glue, sums, pairs := s.glue[:len(text)+8], s.at[1:], &s.pairs // local, so that the loop does not load them again
	var at sum
	var before uint64
	var chars int32 // of the token before
	for i := range tokens {
		w := &tokens[i]
		n, k := int(w.End-w.Start), int(at.size)
		at.size += int32(n)
		at.chars += w.Chars
		sums[i] = at
		var h uint64
		if from := int(w.Start); from <= len(text)-8 {
			h = swar.Load(text[from:])
		} else {
			h = first(text, from)
		}
		binary.LittleEndian.PutUint64(glue[k:], h)
		if n > 8 {
			copy(glue[k+8:], text[w.Start+8:w.End])
		}
		h = h<<(64-8*min(n, 8)) ^ uint64(n)
		h = (h ^ h>>32) * 0x9e3779b97f4a7c15
		if i > 0 {
			pairs[(before<<1^h)*base>>54%pairPlaces] += uint32(chars + w.Chars + 1)
		}
		before, chars = h, w.Chars
	}
	s.glue = glue[:at.size]
}

// topBounds returns, for each length of n-grams, the maximum number of characters in all
// occurrences of the most frequent n-gram, including blanks. The bounds follow from its pairs.
func (s *sums) topBounds() (bounds [lastTop + 1]int) {
	most := 0
	for _, n := range s.pairs {
		most = max(most, int(n))
	}
	if s.at[len(s.at)-1].chars > 1<<30 {
		most = math.MaxInt32 // the sums may overflow
	}
	// two pairs that share a token, or two with a blank between them, of at least three characters each
	return [lastTop + 1]int{2: most, 3: 2 * most, 4: 2*most + most/3}
}

// order computes the prefix hashes of the tokens.
func (s *sums) order(text string, tokens []token.Token) {
	s.orders = append(s.orders[:0], 0)
	h := uint64(0)
	for i := range tokens {
		h = h*base + hashToken(text, int(tokens[i].Start), int(tokens[i].End))
		s.orders = append(s.orders, h)
	}
}

// hashToken returns a hash of a part of text. Up to eight bytes are hashed as one number, which
// is loaded together with the following bytes.
func hashToken(text string, start, end int) uint64 {
	n := end - start
	if n > 8 {
		return xxh3.HashString(text[start:end])
	}
	h := first(text, start)<<(64-8*n) ^ uint64(n)
	h = (h ^ h>>32) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// first loads eight bytes of text from a position as a number, or fewer at the end of text.
func first(text string, start int) uint64 {
	if start+8 <= len(text) {
		return swar.Load(text[start:])
	}
	var last [8]byte
	copy(last[:], text[start:])
	return binary.LittleEndian.Uint64(last[:])
}

func (s *sums) tokens() int { return len(s.at) - 1 }

// characters returns a hash of the characters of the n tokens from i on.
func (s *sums) characters(i, n int) uint64 {
	return xxh3.Hash(s.glue[s.at[i].size:s.at[i+n].size])
}

// sequence returns a hash of the sequence of n tokens from i on, including token boundaries.
// power is powers[n].
func (s *sums) sequence(i, n int, power uint64) uint64 {
	return s.orders[i+n] - s.orders[i]*power
}

// length returns the number of characters of the n tokens from i on, size the number of their
// bytes.
func (s *sums) length(i, n int) int { return int(s.at[i+n].chars - s.at[i].chars) }

func (s *sums) size(i, n int) int { return int(s.at[i+n].size - s.at[i].size) }
