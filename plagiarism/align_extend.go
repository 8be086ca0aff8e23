package plagiarism

import (
	"math"
	"strings"
	"unicode/utf8"
)

// piece is a passage in words, ends exclusive.
type piece struct {
	i1, i2, j1, j2   int
	evidence, shared float64
}

// piece converts a cluster of seeds to a passage. On each side, the passage is the
// run of words with the largest log-likelihood ratio, and so most probably derived
// from the other side. The two sides are computed alternately.
func (a *aligner) piece(part []point) (p piece, ok bool) {
	p.i1, p.j1 = int(part[0].i), int(part[0].j)
	for _, q := range part {
		p.i1, p.i2 = min(p.i1, int(q.i)), max(p.i2, int(q.i)+1)
		p.j1, p.j2 = min(p.j1, int(q.j)), max(p.j2, int(q.j)+1)
	}
	for range 3 {
		old := p
		var e1, e2 float64
		p.i1, p.i2, e1 = a.side(a.s, a.r, a.to, a.rare, p.i1, p.i2, p.j1, p.j2)
		p.j1, p.j2, e2 = a.side(a.r, a.s, a.back, a.rareR, p.j1, p.j2, p.i1, p.i2)
		p.evidence = min(e1, e2)
		if p.i1 >= p.i2 || p.j1 >= p.j2 {
			return p, false
		}
		if old.i1 == p.i1 && old.i2 == p.i2 && old.j1 == p.j1 && old.j2 == p.j2 {
			break
		}
	}
	a.exact(&p)
	p.shared = a.share(&p)
	return p, true
}

// side returns the best run of words of x around x1 to x2, given y1 to y2 of y, and
// its log-likelihood ratio. The ratio compares two models: each word is taken from y
// with probability q, or occurs there by chance. q is estimated from x1 to x2. It is
// close to 1 for a copy, and decreases with the amount of change.
func (a *aligner) side(x, y *section, to []int32, rare []float64, x1, x2, y1, y2 int) (from, end int, best float64) {
	lo, hi := max(x1-a.cfg.Reach, 0), min(x2+a.cfg.Reach, x.len())
	a.in, a.gain = resize(a.in, hi-lo), resize(a.gain, hi-lo)
	n := y2 - y1
	hits, by, left := 0.0, 0.0, 0.0
	for i := lo; i < hi; i++ {
		k := x.id[i]
		in := to[k] >= 0 && within(y.places(to[k]), y1, y2)
		c := chance(rare[k], n)
		a.in[i-lo], a.gain[i-lo] = in, c
		if i >= x1 && i < x2 {
			if in {
				hits++
			}
			by += c
			left += 1 - c
		}
	}
	q := 0.5
	if left > 0 {
		q = (hits - by) / left
	}
	q = min(max(q, 0.3), 0.97)
	for i, in := range a.in {
		c := min(a.gain[i], 0.999)
		there := q + float64((1-q)*c)
		if in {
			a.gain[i] = math.Log(there / c)
		} else {
			a.gain[i] = math.Log((1 - there) / (1 - c))
		}
	}
	return a.row(x, lo, x1, x2)
}

// row returns the run of words with the largest sum of gains. The run may not
// include a loss of more than Drop outside x1 to x2.
func (a *aligner) row(x *section, lo, x1, x2 int) (from, end int, best float64) {
	// Within the cluster: Kadane's maximum, which drops stray seeds at the ends.
	sum, at := 0.0, x1
	from, end = x1, x1
	for i := x1; i < x2; i++ {
		if sum <= 0 {
			sum, at = 0, i
		}
		if sum += a.gain[i-lo]; sum > best {
			from, end, best = at, i+1, sum
		}
	}
	if end == from {
		return from, end, best
	}
	// Extend outwards and inwards from there. A border at a sentence boundary is
	// more probable than one within a sentence.
	first, last := from, end
	from = a.border(x, first, -1, lo, last)
	end = a.border(x, last, 1, lo, from)
	best = 0
	for _, g := range a.gain[from-lo : end-lo] {
		best += g
	}
	return from, end, best
}

// inward is the maximum number of words by which a border may move inwards to a
// sentence boundary.
const inward = 24

// border returns the best place for a border of a run of words: b, or another place
// in direction step or against it. Gains are indexed from word lo. The result is at
// least one word away from far, the other border.
func (a *aligner) border(x *section, b, step, lo, far int) int {
	// The word between borders i and i+step is i for step 1, i-1 for step -1.
	word := func(i int) int {
		if step > 0 {
			return i - lo
		}
		return i - 1 - lo
	}
	at, best := b, a.bonus(x, b)
	sum, top := 0.0, 0.0
	for i := b; ; {
		k := word(i)
		if k < 0 || k >= len(a.gain) || sum <= top-a.cfg.Drop {
			break
		}
		i += step
		sum += a.gain[k]
		top = max(top, sum)
		if v := sum + a.bonus(x, i); v > best {
			at, best = i, v
		}
	}
	sum = 0
	for i := b; abs(int32(i-b)) < inward; {
		i -= step
		if i == far {
			break
		}
		sum -= a.gain[word(i)]
		if sum < -a.cfg.Sentence-a.cfg.Paragraph {
			break
		}
		if v := sum + a.bonus(x, i); v > best {
			at, best = i, v
		}
	}
	return at
}

// bonus returns the bonus for a border before word i of x, in nats, if a sentence or
// paragraph begins there.
func (a *aligner) bonus(x *section, i int) float64 {
	sentence, paragraph := x.begins(i)
	switch {
	case paragraph:
		return a.cfg.Sentence + a.cfg.Paragraph
	case sentence:
		return a.cfg.Sentence
	}
	return 0
}

// within reports whether one of the ascending places is in the range from a to b.
func within(places []int32, a, b int) bool {
	if len(places) > 16 {
		lo, hi := 0, len(places)
		for lo < hi {
			m := (lo + hi) / 2
			if int(places[m]) < a {
				lo = m + 1
			} else {
				hi = m
			}
		}
		return lo < len(places) && int(places[lo]) < b
	}
	for _, p := range places {
		if int(p) >= a {
			return int(p) < b
		}
	}
	return false
}

// exact extends borders within sentences over words that are equal on both sides,
// regardless of their information.
func (a *aligner) exact(p *piece) {
	s, r := a.s, a.r
	inside := func(i, j int) bool { return a.bonus(s, i) == 0 && a.bonus(r, j) == 0 }
	if s.hash[p.i1] == r.hash[p.j1] {
		for p.i1 > 0 && p.j1 > 0 && inside(p.i1, p.j1) && s.hash[p.i1-1] == r.hash[p.j1-1] {
			p.i1, p.j1 = p.i1-1, p.j1-1
		}
	}
	if s.hash[p.i2-1] == r.hash[p.j2-1] {
		for p.i2 < s.len() && p.j2 < r.len() && inside(p.i2, p.j2) && s.hash[p.i2] == r.hash[p.j2] {
			p.i2, p.j2 = p.i2+1, p.j2+1
		}
	}
}

// share returns the share of the words of both pieces that occur in both. Each word
// counts with its lower frequency (Dice's coefficient).
func (a *aligner) share(p *piece) float64 {
	count := map[uint64]int{}
	for _, h := range a.s.hash[p.i1:p.i2] {
		count[h]++
	}
	n := 0
	for _, h := range a.r.hash[p.j1:p.j2] {
		if count[h] > 0 {
			count[h]--
			n++
		}
	}
	return 2 * float64(n) / float64(p.i2-p.i1+p.j2-p.j1)
}

// begins reports whether a sentence, and whether a paragraph, begins at word i. Both
// begin at the first word and after the last word of the section.
func (s *section) begins(i int) (sentence, paragraph bool) {
	if i == 0 || i == s.len() {
		return true, true
	}
	if s.place[i].start-s.place[i-1].end < 2 { // negative if pairs of characters overlap
		return false, false
	}
	gap := s.text[s.base+int(s.place[i-1].end) : s.base+int(s.place[i].start)]
	if lines := strings.Count(gap, "\n"); lines > 1 {
		return true, true
	}
	return strings.ContainsAny(gap, "。！？") || strings.ContainsAny(gap, ".!?…؟।") && strings.ContainsAny(gap, " \n\t"), false
}

// Marks directly before or after a passage that belong to it.
const (
	openers = "\"'“‘„«‹([{¿¡「『（【《"
	closers = "\"'”’»›)]}.,;:!?…。！？、，；：」』）】》؟،।"
)

// bytes returns the byte range of the words from to end, including the surrounding
// marks.
func (s *section) bytes(from, end int) (int, int) {
	b, e := s.base+int(s.place[from].start), s.base+int(s.place[end-1].end)
	for b > 0 {
		r, n := utf8.DecodeLastRuneInString(s.text[:b])
		if !strings.ContainsRune(openers, r) {
			break
		}
		b -= n
	}
	for e < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[e:])
		if !strings.ContainsRune(closers, r) {
			break
		}
		e += n
	}
	return b, e
}
