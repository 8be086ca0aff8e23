package plagiarism

import (
	"cmp"
	"slices"
)

// hit is a fingerprint that a section of the suspicious document shares with a section
// of the sources.
type hit struct {
	section int32
	s, r    int32 // places in words
}

// maxHits is the maximum number of postings read for one fingerprint. Fingerprints with
// more postings carry little information.
const maxHits = 32

// candidates returns the sections of the sources to compare with a section, the most
// promising first. They have at least Hits fingerprints of different words near each
// other on both sides.
func (s *Searcher) candidates(sec *section) []int {
	if s.x.Sections() == 1 {
		return []int{0}
	}
	s.hits = s.hits[:0]
	s.prints.each(&sec.words, s.x.common, &s.x.Config, func(f uint64, place int) {
		s.x.find(f, maxHits, func(section, at int) {
			s.hits = append(s.hits, hit{int32(section), int32(place), int32(at)})
		})
	})
	slices.SortFunc(s.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.s, b.s), cmp.Compare(a.r, b.r))
	})
	type candidate struct{ section, hits, all int }
	var out []candidate
	for from := 0; from < len(s.hits); {
		to := from + 1
		for to < len(s.hits) && s.hits[to].section == s.hits[from].section {
			to++
		}
		if n := densest(s.hits[from:to], int32(s.cfg.Near)); n >= s.cfg.Hits {
			out = append(out, candidate{int(s.hits[from].section), n, to - from})
		}
		from = to
	}
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Or(b.hits-a.hits, b.all-a.all, a.section-b.section) })
	var nums []int
	for _, c := range out[:min(len(out), s.cfg.Candidates)] {
		nums = append(nums, c.section)
	}
	return nums
}

// Limits on the work for repetitive texts. A place with enough hits is not counted
// further, and of very many hits only the last ones are used.
const (
	enoughHits = 40
	lastHits   = 256
)

// densest returns the largest number of hits within near words on both sides of a hit.
// Only hits of different words of the suspicious section count.
func densest(hits []hit, near int32) int {
	best, lo := 0, 0
	for i, h := range hits {
		for hits[lo].s < h.s-near {
			lo++
		}
		lo = max(lo, i-lastHits)
		n := 0
		last := int32(-1)
		for _, g := range hits[lo : i+1] {
			if abs(g.r-h.r) <= near && g.s != last {
				n++
				last = g.s
			}
		}
		if best = max(best, n); best >= enoughHits {
			break
		}
	}
	return best
}

// cache holds the most recently compared sections of sources.
type cache struct {
	held  map[int]*source
	order []int
	words int
}

// source is a section with the table of its words.
type source struct {
	section
	table *numbers
}

// cacheWords is the maximum number of cached words, about 40 bytes each.
const cacheWords = 1 << 20

func (c *cache) get(x *Index, n int) *source {
	if s := c.held[n]; s != nil {
		return s
	}
	if c.held == nil {
		c.held = map[int]*source{}
	}
	doc, from := x.section(n)
	s := &source{}
	s.text = x.Text(doc)
	s.reset(from)
	s.cut(s.text, from, sectionWords)
	s.number()
	s.table = newNumbers(s.types)
	c.held[n] = s
	c.order = append(c.order, n)
	c.words += s.len()
	for c.words > cacheWords && len(c.order) > 1 {
		c.words -= c.held[c.order[0]].len()
		delete(c.held, c.order[0])
		c.order = c.order[1:]
	}
	return s
}
