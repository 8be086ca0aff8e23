package plagiarism

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// slowCandidates is [Searcher.candidates] without hash tables: it reads all postings of a bucket
// and sorts all hits.
func slowCandidates(t *testing.T, s *Searcher, sec *section) (nums []int) {
	x := s.x
	var hits []hit
	var p prints
	p.compute(&sec.words, x.common, &x.Config)
	for i, f := range p.f {
		lo, n, err := x.bucket(f)
		must.Succeed(t, err)
		left := maxHits
		for at := lo; at < lo+n && left > 0; at++ {
			if b := x.postings[at*postingSize:]; x.head(at) == x.low(f) {
				hits = append(hits, hit{int32(binary.LittleEndian.Uint32(b[4:])), p.at[i], int32(binary.LittleEndian.Uint16(b[8:]))})
				left--
			}
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.s, b.s), cmp.Compare(a.r, b.r))
	})
	type candidate struct{ section, hits, all int }
	var out []candidate
	for len(hits) > 0 {
		n := 1
		for n < len(hits) && hits[n].section == hits[0].section {
			n++
		}
		if d := densest(hits[:n], int32(s.cfg.Near)); d >= s.cfg.Hits {
			out = append(out, candidate{int(hits[0].section), d, n})
		}
		hits = hits[n:]
	}
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Or(b.hits-a.hits, b.all-a.all, a.section-b.section) })
	for _, c := range out[:min(len(out), s.cfg.Candidates)] {
		nums = append(nums, c.section)
	}
	return nums
}

// TestCandidates compares the candidates of texts of few words, which have many hits, with
// slowCandidates.
func TestCandidates(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	var texts []string
	for range 200 {
		var b strings.Builder
		for range 50 + rnd.IntN(400) {
			fmt.Fprintf(&b, "w%d ", int(rnd.ExpFloat64()*40))
		}
		if len(texts) > 0 && rnd.IntN(3) == 0 {
			other := texts[rnd.IntN(len(texts))]
			b.WriteString(other[:strings.LastIndexByte(other[:len(other)/2], ' ')])
		}
		texts = append(texts, b.String())
	}
	for _, sample := range []int{1, 2, 3} {
		cfg := DefaultIndex
		cfg.Sample = sample
		b := must.Get(NewIndexBuilder("", cfg, 0, ""))(t)
		for i, text := range texts[:150] {
			must.Succeed(t, b.Add(fmt.Sprint(i), text))
		}
		x := must.Get(b.Index())(t)
		s := must.Get(NewSearcher(x, DefaultSearch))(t)
		some := 0
		for i, text := range texts {
			var sec section
			sec.each(text, func() {
				want := slowCandidates(t, s, &sec)
				some += len(want)
				for _, filter := range [][]byte{x.filter, nil} {
					without := *x
					without.filter, s.x = filter, &without
					if got, err := s.candidates(&sec); err != nil || !slices.Equal(got, want) {
						t.Errorf("sample %d, text %d: %d candidates, want %d: %v, %v: %v", sample, i, len(got), len(want), got, want, err)
					}
				}
			})
		}
		if some < 100 {
			t.Errorf("sample %d: %d candidates", sample, some)
		}
	}
}
