package filter

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"chaffinch/text/token"
)

// gopherQuality computes the scores of the group gopher_quality.
func gopherQuality(s *Scorer, d *doc, out []float64) {
	tokens := s.tokens(d)
	words, chars, alphabetic := 0, 0, 0
	for i := range tokens {
		w := &tokens[i]
		class := classOfToken(d.text, w)
		word := int(class / isWord) // 1 or 0
		words += word
		chars += int(w.Chars) * word
		alphabetic += int(class / isAlpha & 1)
	}
	out[0] = float64(words)
	if words > 0 {
		out[1] = float64(chars) / float64(words)
	}
	if n := float64(len(tokens)); n > 0 {
		out[2] = float64(strings.Count(d.text, "#")) / n
		// Ellipses are at most a third of the full stops, and the first bytes of the character.
		if !s.harmless(3, float64(strings.Count(d.text, ".")/3+strings.Count(d.text, "…"[:1]))/n) {
			out[3] = float64(strings.Count(d.text, "...")+strings.Count(d.text, "…")) / n
		}
		out[6] = float64(alphabetic) / n
	}
	lines, bullets, ellipses := 0, 0, 0
	for rest := d.text; rest != ""; lines++ {
		line, n := d.cutLine(rest)
		rest = rest[n:]
		if b := trimLeft(line); strings.HasPrefix(b, "•") || strings.HasPrefix(b, "-") {
			bullets++
		}
		if e := trimRight(line); strings.HasSuffix(e, "...") || strings.HasSuffix(e, "…") {
			ellipses++
		}
	}
	if lines > 0 {
		out[4] = float64(bullets) / float64(lines)
		out[5] = float64(ellipses) / float64(lines)
	}
	if list := d.rules.stop; list != nil {
		out[7] = float64(s.stopWords(d, tokens, list))
	}
}

// stopWords counts the different words of a list that occur in d.
func (s *Scorer) stopWords(d *doc, tokens []token.Token, list *wordList) int {
	s.found = append(s.found[:0], make([]bool, len(list.index))...)
	n := 0
	for i := range tokens {
		w := &tokens[i]
		if n := int(w.End - w.Start); n > list.longest || list.lengths[d.text[w.Start]]>>min(n, 63)&1 == 0 {
			continue
		}
		if k, ok := list.index[d.text[w.Start:w.End]]; ok && !s.found[k] {
			s.found[k] = true
			if n++; n == len(list.index) || s.reached(7, float64(n)) {
				break
			}
		}
	}
	return n
}

// wordList is a set of words.
type wordList struct {
	index   map[string]int
	longest int // in bytes
	// lengths holds, for each first byte, the set of word lengths as bits. Lengths above 63
	// count as 63.
	lengths [256]uint64
}

func newWordList(words []string) *wordList {
	l := &wordList{index: map[string]int{}}
	for _, w := range words {
		if _, twice := l.index[w]; !twice {
			l.index[w] = len(l.index)
		}
		l.longest = max(l.longest, len(w))
		if w != "" {
			l.lengths[w[0]] |= 1 << min(len(w), 63)
		}
	}
	return l
}

// gopherRepetition computes the scores of the group gopher_repetition.
func gopherRepetition(s *Scorer, d *doc, out []float64) {
	clear(out)
	all := float64(d.measure().chars)
	if out[0] = all; all == 0 {
		return
	}
	if d.measure().gaps {
		units, again, chars := s.duplicates(trim(d.text), 2)
		out[1], out[2] = float64(again)/float64(units), float64(chars)/all
	}
	units, again, chars := s.duplicates(d.text, 1)
	out[3], out[4] = float64(again)/float64(units), float64(chars)/all
	if s.broken(out[:5]) {
		return
	}
	s.sums.sum(d.text, s.tokens(d))
	at := 5
	bounds, ordered := s.sums.topBounds(), false
	for n := firstTop; n <= lastTop; n++ {
		if !s.harmless(at, float64(bounds[n])/all) {
			if !ordered {
				ordered = true
				s.sums.order(d.text, s.tokens(d))
				s.findPairs()
			}
			out[at] = float64(s.topGram(n)) / all
		}
		at++
	}
	s.findOpenings()
	for n := firstDuplicate; n <= lastDuplicate; n++ {
		s.candidates(n)
		if !s.harmless(at, float64(s.mostDuplicate(n))/all) {
			out[at] = float64(s.duplicateGrams(n)) / all
		}
		at++
	}
}

// harmless reports whether a score of the current group need not be computed, because it is at
// most bound and therefore within its limit.
func (s *Scorer) harmless(score int, bound float64) bool {
	return s.limits != nil && s.limits[score].Min == nil && (s.limits[score].Max == nil || bound <= *s.limits[score].Max)
}

// broken reports whether one of the first scores of the current group exceeds its limit, so that no
// other score needs to be computed.
func (s *Scorer) broken(scores []float64) bool {
	for i, v := range scores {
		if s.limits == nil {
			return false
		}
		if _, _, bad := s.limits[i].broken(v); bad {
			return true
		}
	}
	return false
}

// reached reports whether a score of the current group need not be counted further: it grows only,
// and is within its limit from now on.
func (s *Scorer) reached(score int, n float64) bool {
	return s.limits != nil && s.limits[score].Max == nil && (s.limits[score].Min == nil || n >= *s.limits[score].Min)
}

// duplicates splits text at runs of at least breaks line breaks. It counts the pieces, the
// pieces that occurred before, and their characters.
func (s *Scorer) duplicates(text string, breaks int) (units, again, chars int) {
	s.seen.reset(strings.Count(text, "\n") + 1)
	piece := func(p string) {
		units++
		if _, count := s.seen.add(xxh3.HashString(p)); count > 1 {
			again++
			chars += utf8.RuneCountInString(p)
		}
	}
	start := 0
	for i := 0; i < len(text); {
		k := strings.IndexByte(text[i:], '\n')
		if k < 0 {
			break
		}
		i += k
		end := i
		for i < len(text) && text[i] == '\n' {
			i++
		}
		if i-end >= breaks {
			piece(text[start:end])
			start = i
		}
	}
	if units == 0 {
		return 1, 0, 0
	}
	piece(text[start:])
	return units, again, chars
}

// findPairs sets s.again to the tokens at which a repeated n-gram of firstTop tokens begins. It
// may include a few more tokens.
func (s *Scorer) findPairs() {
	s.hashes, s.again = s.hashes[:0], s.again[:0]
	n := s.sums.tokens() - firstTop + 1
	s.sieve.reset(max(n, 0))
	for i := range n {
		h := s.sums.sequence(i, firstTop, powers[firstTop])
		s.sieve.add(h)
		s.hashes = append(s.hashes, h)
	}
	for i, h := range s.hashes {
		if s.sieve.again(h) {
			s.again = append(s.again, int32(i))
		}
	}
}

// topGram returns the number of characters of all occurrences of the most frequent n-gram,
// including blanks. Among equally frequent n-grams it takes the first.
//
// An n-gram that occurs once also occurs once with one more token, so it is not counted again.
// n must not decrease from one call to the next.
func (s *Scorer) topGram(n int) int {
	last := s.sums.tokens() - n
	if last < 0 {
		return 0
	}
	power := powers[n]
	s.seen.reset(len(s.again))
	s.slots = s.slots[:0]
	most := uint32(1)
	for _, i := range s.again {
		if int(i) > last {
			break
		}
		slot, count := s.seen.add(s.sums.sequence(int(i), n, power))
		s.slots = append(s.slots, slot)
		most = max(most, count)
	}
	first, left := -1, s.again[:0]
	for k, slot := range s.slots {
		count := s.seen.slots[slot].n
		if count > 1 {
			left = append(left, s.again[k])
		}
		if count == most && first < 0 {
			first = int(s.again[k])
		}
	}
	s.again = left
	if most == 1 {
		first = 0
	}
	return int(most) * (s.sums.length(first, n) + n - 1)
}

// Openings of n-grams are compared in steps: first by their first bytes. Openings that occur
// more than once are then compared by more and more bytes.
const (
	firstOpening = 12
	openingStep  = 8
	lastOpening  = 60

	// short marks a token from which firstDuplicate tokens have fewer bytes than firstOpening.
	short = 1
)

// findOpenings computes, in steps, how many bytes from each token on also occur from another
// token on. It sets s.again to the tokens at which a repeated n-gram may begin. It may
// overestimate by a few bytes and tokens.
func (s *Scorer) findOpenings() {
	n := max(s.sums.tokens()-firstDuplicate+1, 0)
	s.sieve.reset(n)
	s.shared = append(s.shared[:0], make([]uint8, n)...)
	s.hashes, s.again = slices.Grow(s.hashes[:0], n)[:n], slices.Grow(s.again[:0], n)[:n]
	// Local variables, so that the loops do not load them again.
	glue, starts, ends, hashes, again, shared, seen := s.sums.glue, s.sums.at[:n], s.sums.at[s.sums.tokens()+1-n:], s.hashes, s.again, s.shared, s.sieve
	k := 0
	for i := range starts {
		at := int(starts[i].size)
		if int(ends[i].size)-at < firstOpening {
			shared[i] = short
		}
		if at+firstOpening > len(glue) {
			continue
		}
		h := (binary.LittleEndian.Uint64(glue[at:]) ^ base) * 0x9e3779b97f4a7c15
		h = openingHash(h, uint64(binary.LittleEndian.Uint32(glue[at+8:])))
		seen.add(h)
		hashes[i] = h
		k++
	}
	left := 0
	for i, h := range hashes[:k] {
		hashes[left], again[left] = h, int32(i)
		left += seen.more(h) | int(shared[i])
	}
	s.again, s.longer, s.hashes = again[:left], s.longer[:0], hashes[:0]
	for m, i := range s.again {
		if h := hashes[m]; seen.again(h) {
			shared[i] = firstOpening
			s.longer, s.hashes = append(s.longer, i), append(s.hashes, h)
		}
	}
	for i := k; i < n; i++ { // short, too near to the end for a hash
		s.again = append(s.again, int32(i))
	}
	for size := firstOpening; len(s.longer) > 0 && size < lastOpening; size += openingStep {
		s.sieve.reset(len(s.longer))
		k := 0
		for m, i := range s.longer {
			at := int(s.sums.at[i].size) + size
			if at+openingStep > len(glue) {
				continue
			}
			h := openingHash(s.hashes[m], binary.LittleEndian.Uint64(glue[at:]))
			s.sieve.add(h)
			s.longer[k], s.hashes[k] = i, h
			k++
		}
		left := 0
		for m, i := range s.longer[:k] {
			if h := s.hashes[m]; s.sieve.again(h) {
				s.shared[i] = uint8(size + openingStep)
				s.longer[left], s.hashes[left] = i, h
				left++
			}
		}
		s.longer, s.hashes = s.longer[:left], s.hashes[:left]
	}
}

func openingHash(h, next uint64) uint64 { return (h ^ h>>32 ^ bits.RotateLeft64(next, 7)) * base }

// candidates removes the tokens from s.again at which no repeated n-gram can begin. It is
// called for each n in ascending order, because a longer n-gram adds no candidates.
func (s *Scorer) candidates(n int) {
	k, last := 0, s.sums.tokens()-n
	for _, i := range s.again {
		if int(i) > last {
			break
		}
		if shared := int(s.shared[i]); shared == lastOpening || s.sums.size(int(i), n) < max(firstOpening, shared+openingStep) {
			s.again[k] = i
			k++
		}
	}
	s.again = s.again[:k]
}

// mostDuplicate returns an upper bound of [Scorer.duplicateGrams]: the number of characters of
// all n-grams at s.again.
func (s *Scorer) mostDuplicate(n int) (chars int) {
	end := 0
	for _, i := range s.again {
		from := max(int(i), end)
		end = int(i) + n
		chars += s.sums.length(from, end-from)
	}
	return chars
}

// duplicateGrams returns the number of characters of n-grams at s.again that occurred before.
// N-grams do not overlap, so that no character counts twice. N-grams are equal if their
// characters are, regardless of token boundaries.
func (s *Scorer) duplicateGrams(n int) (chars int) {
	s.seen.reset(len(s.again))
	next := 0
	for _, i := range s.again {
		if int(i) < next {
			continue
		}
		if _, count := s.seen.add(s.sums.characters(int(i), n)); count > 1 {
			chars += s.sums.length(int(i), n)
			next = int(i) + n
		}
	}
	return chars
}
