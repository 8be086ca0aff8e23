package blocks

import (
	"chaffinch/internal/truth"
	"chaffinch/page"
)

// noSite is the value of the site columns if the site of the page is unknown.
const noSite = -1

// siteColumns sets the columns of text that repeats on other pages of the site, or sets them
// to noSite if the site is unknown.
func (s *sheet) siteColumns() {
	pages := s.page.SitePages
	if pages == 0 || s.isCopy() {
		for c := colSitePages; c <= colSitePageNew; c++ {
			s.fill(c, noSite)
		}
		return
	}
	s.fill(colSitePages, log1(count32(pages)))
	share := func(n uint16) float64 { return float64(n) / float64(pages) }
	var all, seen, good, fresh float64 // words
	s.running = append(s.running[:0], 0)
	for i := range s.blocks {
		b, r := &s.blocks[i], &s.page.Blocks[i].Repeats
		words := float64(b.words)
		s.set(colSiteText, i, share(r.Text))
		s.set(colSitePath, i, share(r.Path))
		s.set(colSiteBoth, i, share(r.Both))
		s.set(colSiteSame, i, ratio(float64(r.Both), float64(r.Path)))
		s.set(colSiteTimes, i, log1(int32(r.Text)))
		if r.Text > 0 {
			seen += words
		}
		if b.good {
			good += words
			if r.Text == 0 {
				fresh += words
			}
		}
		all += words
		s.running = append(s.running, s.running[i]+repeated(b, r))
	}
	win := func(i, w int) float64 {
		from, to := max(0, i-w), min(s.n, i+w+1)
		return ratio(s.running[to]-s.running[from], s.sums[to].words-s.sums[from].words)
	}
	each(s.want(colSiteWin2), func(i int) float64 { return win(i, 2) })
	each(s.want(colSiteWin8), func(i int) float64 { return win(i, 8) })
	each(s.want(colSiteLess), func(i int) float64 {
		return truth.Float64(s.page.Blocks[i].Repeats.Text > 0) - float64(float32(win(i, 8)))
	})
	s.meanPaths(colSiteTwin)
	s.fill(colSitePage, ratio(seen, all))
	s.fill(colSitePageNew, ratio(fresh, good))
}

// leastNew is the minimum share of running text that is unique to the page. A page with less
// may be a second address or a print version of another page, and its repeats are
// uninformative. In the training sets, half of the kept text of such pages repeats, compared
// to a thirtieth on other pages.
const leastNew = .2

// isCopy reports whether nearly all running text of the page is on other pages.
func (s *sheet) isCopy() bool {
	var good, fresh int32
	for i := range s.blocks {
		if b := &s.blocks[i]; b.good {
			good += b.words
			if s.page.Blocks[i].Repeats.Text == 0 {
				fresh += b.words
			}
		}
	}
	return float64(fresh) < leastNew*float64(good)
}

// repeated returns the words of a block if its text is on other pages, else 0.
func repeated(b *blockStats, r *page.Repeats) float64 {
	if r.Text == 0 {
		return 0
	}
	return float64(b.words)
}

// meanPaths sets column c to the share of words that are on other pages too, over all blocks
// with the same ancestors.
func (s *sheet) meanPaths(c column) {
	sums := make([]float64, len(s.twins.list))
	for i := range s.blocks {
		b := &s.blocks[i]
		sums[b.twin] += repeated(b, &s.page.Blocks[i].Repeats)
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		s.set(c, i, ratio(sums[b.twin], float64(s.twins.list[b.twin].words)))
	}
}
