package plagiarism

import (
	"cmp"
	"slices"

	"chaffinch/dedup/shingle"
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
func (s *Searcher) candidates(sec *section) ([]int, error) {
	if s.x.Sections() == 1 {
		return []int{0}, nil
	}
	if err := s.findHits(sec); err != nil {
		return nil, err
	}
	type candidate struct{ section, hits, all int }
	var out []candidate
	s.groups.each(s.hits, s.cfg.Hits, s.cfg.Near, func(hits []hit) {
		if n := densest(hits, int32(s.cfg.Near)); n >= s.cfg.Hits {
			out = append(out, candidate{int(hits[0].section), n, len(hits)})
		}
	})
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Or(b.hits-a.hits, b.all-a.all, a.section-b.section) })
	var nums []int
	for _, c := range out[:min(len(out), s.cfg.Candidates)] {
		nums = append(nums, c.section)
	}
	return nums, nil
}

// ahead is the number of fingerprints that are looked up together, so that the processor loads their
// postings at the same time.
const ahead = 32

// findHits finds the hits of a section, in the order of their places in it.
func (s *Searcher) findHits(sec *section) (err error) {
	x := s.x
	s.prints.compute(&sec.words, x.common, &x.Config)
	x.dropUnknown(&s.prints)
	s.hits = s.hits[:0]
	var lo, n [ahead]int
	for from := 0; from < len(s.prints.f); from += ahead {
		fs := s.prints.f[from:min(from+ahead, len(s.prints.f))]
		for i, f := range fs {
			if lo[i], n[i], err = x.bucket(f); err != nil {
				return err
			}
		}
		for i, f := range fs {
			if n[i] > 0 {
				s.touched ^= x.head(lo[i] + guess(x.low(f), n[i]))
			}
		}
		for i, f := range fs {
			s.hits = x.find(s.hits, f, lo[i], n[i], maxHits, s.prints.at[from+i])
		}
	}
	return nil
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
	held  map[int]*section
	order []int
	size  int // in words

	words  words // buffer
	sorter shingle.Sorter
}

// cacheWords is the maximum number of cached words, about 40 bytes each.
const cacheWords = 1 << 20

// get returns section n of the index, which has this text from byte from on.
func (c *cache) get(n int, text string, from int) *section {
	if s := c.held[n]; s != nil {
		return s
	}
	if c.held == nil {
		c.held = map[int]*section{}
	}
	w := &c.words
	w.reset(from)
	w.cut(text, from, sectionWords)
	s := &section{text: text, words: words{slices.Clone(w.hash), slices.Clone(w.place), from}}
	s.number(&c.sorter)
	c.held[n] = s
	c.order = append(c.order, n)
	c.size += s.len()
	for c.size > cacheWords && len(c.order) > 1 {
		c.size -= c.held[c.order[0]].len()
		delete(c.held, c.order[0])
		c.order = c.order[1:]
	}
	return s
}
