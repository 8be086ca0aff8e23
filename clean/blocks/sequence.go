package blocks

import "chaffinch/page"

// windows are the numbers of blocks on each side over which columns sum.
var windows = [...]int{2, 4, 8, 16}

// sequence sets the columns of neighbours and place.
func (s *sheet) sequence() {
	s.sum()
	largest := 0
	for i := range s.blocks {
		if s.blocks[i].words > s.blocks[largest].words {
			largest = i
		}
	}
	all := s.sums[s.n]
	lastGood := -1
	for i := range s.blocks {
		b := &s.blocks[i]
		if i > 0 {
			up, down := s.steps(s.blocks[i-1].element, b.element)
			s.set(colUpPrev, i, float64(up))
			s.set(colDownPrev, i, float64(down))
			s.set(colUpNext, i-1, float64(up))
			s.set(colDownNext, i-1, float64(down))
			same := flag(s.blocks[i-1].path == b.path)
			s.set(colSamePrev, i, same)
			s.set(colSameNext, i-1, same)
		} else {
			s.set(colUpPrev, i, 99)
			s.set(colDownPrev, i, 99)
			s.set(colSamePrev, i, 0)
		}
		s.set(colPlace, i, float64(i)/float64(s.n))
		s.set(colWordPlace, i, ratio(s.sums[i].words, all.words))
		s.set(colIndex, i, float64(i))
		s.set(colToLargest, i, float64(i-largest))
		before := 99
		if lastGood >= 0 {
			before = min(i-lastGood, 99)
		}
		s.set(colToGoodBefore, i, float64(before))
		s.set(colGoodBefore, i, log1(s.sums[i].good))
		if b.good {
			lastGood = i
		}
		c := colWin2Words
		for _, w := range windows {
			from, to := s.sums[max(0, i-w)], s.sums[min(s.n, i+w+1)]
			words := to.words - from.words
			n := float64(min(s.n, i+w+1) - max(0, i-w))
			s.set(c, i, words/n)
			s.set(c+1, i, ratio(to.linkWords-from.linkWords, words))
			s.set(c+2, i, float64(to.good-from.good)/n)
			c += 3
		}
	}
	s.set(colUpNext, s.n-1, 99)
	s.set(colDownNext, s.n-1, 99)
	s.set(colSameNext, s.n-1, 0)
	nextGood := -1
	for i := s.n - 1; i >= 0; i-- {
		after := 99
		if nextGood >= 0 {
			after = min(nextGood-i, 99)
		}
		s.set(colToGoodAfter, i, float64(after))
		s.set(colGoodAfter, i, log1(all.good-s.sums[i+1].good))
		if s.blocks[i].good {
			nextGood = i
		}
	}
}

// sum adds up the blocks before each.
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

// steps returns the number of elements from a up to the element around both
// and from there down to b.
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

// whole sets the columns of the page.
func (s *sheet) whole() {
	all := s.sums[s.n]
	largest, paragraphs, items, marked := 0, 0, 0, 0
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
		if s.page.Blocks[i].Kind == page.Item {
			items += b.words
		}
	}
	best := 0.
	for i := range s.elems {
		best = max(best, s.elems[i].score)
	}
	s.fill(colPageBlocks, log1(s.n))
	s.fill(colPageWords, log1(int(all.words)))
	s.fill(colPageLinks, ratio(all.linkWords, all.words))
	s.fill(colPageGood, log1(all.good))
	s.fill(colPageLargest, log1(largest))
	s.fill(colPageDensity, ratio(6*all.words, float64(len(s.page.HTML))))
	s.fill(colPageMarked, ratio(float64(marked), all.words))
	s.fill(colPageParagraphs, ratio(float64(paragraphs), all.words))
	s.fill(colPageItems, ratio(float64(items), all.words))
	s.fill(colPageTop, ratio(best, all.words))
}
