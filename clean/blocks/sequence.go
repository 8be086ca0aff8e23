package blocks

import (
	"chaffinch/internal/truth"
	"chaffinch/page"
)

// windows holds the numbers of blocks on each side that columns sum over.
var windows = [...]int{2, 4, 8, 16}

// far is the distance to a missing block.
const far = 99

// sequence sets the columns of neighbours and position.
func (s *sheet) sequence() {
	s.sum()
	largest := 0
	for i := range s.blocks {
		if s.blocks[i].words > s.blocks[largest].words {
			largest = i
		}
	}
	if s.wants(colUpPrev, colSameNext) {
		s.neighbours()
	}
	n, sums, all := s.n, s.sums, s.sums[s.n]
	each(s.want(colPlace), func(i int) float64 { return float64(i) / float64(n) })
	each(s.want(colWordPlace), func(i int) float64 { return ratio(sums[i].words, all.words) })
	each(s.want(colIndex), func(i int) float64 { return float64(i) })
	each(s.want(colToLargest), func(i int) float64 { return float64(i - largest) })
	s.toGood()
	each(s.want(colGoodBefore), func(i int) float64 { return log1(sums[i].good) })
	each(s.want(colGoodAfter), func(i int) float64 { return log1(all.good - sums[i+1].good) })
	c := colWin2Words
	for _, w := range windows {
		from := func(i int) *windowSum { return &sums[max(0, i-w)] }
		to := func(i int) *windowSum { return &sums[min(n, i+w+1)] }
		size := func(i int) float64 { return float64(min(n, i+w+1) - max(0, i-w)) }
		each(s.want(c), func(i int) float64 { return (to(i).words - from(i).words) / size(i) })
		each(s.want(c+1), func(i int) float64 {
			return ratio(to(i).linkWords-from(i).linkWords, to(i).words-from(i).words)
		})
		each(s.want(c+2), func(i int) float64 { return float64(to(i).good-from(i).good) / size(i) })
		c += 3
	}
}

// neighbours sets the columns of the paths to the blocks before and after.
func (s *sheet) neighbours() {
	for i := range s.blocks {
		if i == 0 {
			s.set(colUpPrev, i, far)
			s.set(colDownPrev, i, far)
			s.set(colSamePrev, i, 0)
			continue
		}
		up, down := s.steps(s.blocks[i-1].element, s.blocks[i].element)
		s.set(colUpPrev, i, float64(up))
		s.set(colDownPrev, i, float64(down))
		s.set(colUpNext, i-1, float64(up))
		s.set(colDownNext, i-1, float64(down))
		same := truth.Float64(s.blocks[i-1].path == s.blocks[i].path)
		s.set(colSamePrev, i, same)
		s.set(colSameNext, i-1, same)
	}
	s.set(colUpNext, s.n-1, far)
	s.set(colDownNext, s.n-1, far)
	s.set(colSameNext, s.n-1, 0)
}

// toGood sets the columns of the distances to good blocks.
func (s *sheet) toGood() {
	last := -1
	for i := range s.want(colToGoodBefore) {
		before := far
		if last >= 0 {
			before = min(i-last, far)
		}
		s.set(colToGoodBefore, i, float64(before))
		if s.blocks[i].good {
			last = i
		}
	}
	next := -1
	for i := len(s.want(colToGoodAfter)) - 1; i >= 0; i-- {
		after := far
		if next >= 0 {
			after = min(next-i, far)
		}
		s.set(colToGoodAfter, i, float64(after))
		if s.blocks[i].good {
			next = i
		}
	}
}

// sum computes the sums over the blocks before each block.
func (s *sheet) sum() {
	if cap(s.sums) < s.n+1 {
		s.sums = make([]windowSum, s.n+1)
	}
	s.sums = s.sums[:s.n+1]
	var w windowSum
	for i := range s.blocks {
		s.sums[i] = w
		b := &s.blocks[i]
		w.words += float64(b.words)
		w.linkWords += b.linkWords
		if b.good {
			w.good++
		}
	}
	s.sums[s.n] = w
}

// steps returns the number of elements from a up to the nearest common ancestor and from
// there down to b.
func (s *sheet) steps(a, b int32) (up, down int) {
	for a != b {
		if s.elems[a].depth >= s.elems[b].depth {
			a = s.elems[a].parent
			up++
		} else {
			b = s.elems[b].parent
			down++
		}
	}
	return up, down
}

// whole sets the columns of the whole page.
func (s *sheet) whole() {
	all := s.sums[s.n]
	var largest, paragraphs, items, marked int32
	for i := range s.blocks {
		b := &s.blocks[i]
		largest = max(largest, b.words)
		x := &s.elems[b.element]
		if x.counts[groupP] > 0 {
			paragraphs += b.words
		}
		if x.counts[groupArticle] > 0 || x.counts[groupMain] > 0 {
			marked += b.words
		}
		if b.kind == page.Item {
			items += b.words
		}
	}
	best := 0.
	for i := range s.elems {
		best = max(best, s.elems[i].score)
	}
	s.fill(colPageBlocks, log1(int32(s.n)))
	s.fill(colPageWords, log1(int32(all.words)))
	s.fill(colPageLinks, ratio(all.linkWords, all.words))
	s.fill(colPageGood, log1(all.good))
	s.fill(colPageLargest, log1(largest))
	s.fill(colPageDensity, ratio(6*all.words, float64(len(s.page.HTML))))
	s.fill(colPageMarked, ratio(float64(marked), all.words))
	s.fill(colPageParagraphs, ratio(float64(paragraphs), all.words))
	s.fill(colPageItems, ratio(float64(items), all.words))
	s.fill(colPageTop, ratio(best, all.words))
}
