package blocks

import (
	"strings"

	"chaffinch/page"
)

// articleStats holds the statistics of an outermost article element.
type articleStats struct {
	words int32 // words in the article
	good  int32 // words in its good blocks
	head  bool
}

// articles collects the articles of the page and sets their columns.
func (s *sheet) articles() {
	s.article = grow(s.article, len(s.elems))
	s.article[0] = 0
	s.articleStats = append(s.articleStats[:0], articleStats{}) // index 0: outside all articles
	for e := 1; e < len(s.elems); e++ {
		x := &s.elems[e]
		at := s.article[x.parent]
		if at == 0 && x.words >= goodWords && s.alikes[x.alike].article {
			at = int32(len(s.articleStats))
			s.articleStats = append(s.articleStats, articleStats{})
		}
		s.article[e] = at
	}
	all := int32(0)
	for i := range s.blocks {
		b := &s.blocks[i]
		a := &s.articleStats[s.article[b.element]]
		// An article has a head if its first or second block is a heading.
		a.head = a.head || a.good == 0 && b.kind == page.Heading
		a.words += b.words
		if b.good {
			a.good += b.words
		}
		if s.article[b.element] > 0 {
			all += b.words
		}
	}
	const most = 20
	s.fill(colArticles, float64(min(len(s.articleStats)-1, most)))
	bs, of, stats := s.blocks, s.article, s.articleStats
	each(s.want(colArticle), func(i int) float64 { return float64(min(of[bs[i].element], most)) })
	each(s.want(colArticleShare), func(i int) float64 {
		if of[bs[i].element] == 0 {
			return 0
		}
		return ratio(float64(stats[of[bs[i].element]].words), float64(all))
	})
}

// isArticle reports whether e is an article element, or has a class of articles in hAtom.
func isArticle(e *page.Element) bool {
	return e.Name == "article" || strings.Contains(e.Class, "hentry")
}

// articleWords is the minimum number of words in good blocks of an article with text.
// Shorter articles are teasers.
const articleWords = 60

// settleArticles overrides the roles of blocks in articles where the page is unambiguous,
// and sets the probabilities that they are wanted. If one article is wanted, articles after
// the one that the page names are related content, as on pages with infinite scrolling. Both
// must have articleWords in good blocks, and the later one a heading. An article in the footer of another article is a
// comment, according to HTML.
func (s *scratch) settleArticles(want page.Roles, one bool) {
	sh := &s.sheet
	own := int32(0)
	if sh.named >= 0 && one {
		own = sh.article[sh.blocks[sh.named].element]
	}
	further := own > 0 && sh.articleStats[own].good >= articleWords
	for i := range sh.blocks {
		e := sh.blocks[i].element
		at := sh.article[e]
		switch a := &sh.articleStats[at]; {
		case at == 0:
		case sh.elems[e].replies:
			s.move(i, readers&^page.RolesOf(page.RoleComment), page.RoleComment, want)
		case further && at > own && a.head && a.good >= articleWords:
			s.move(i, generals[Article], page.RoleRelated, want)
		}
	}
}

// move moves the probability of the roles from of block i to the role to.
func (s *scratch) move(i int, from page.Roles, to page.Role, want page.Roles) {
	p := s.rolesOf(i)
	for r := range p {
		if from.Has(page.Role(r + 1)) {
			p[to-1] += p[r]
			p[r] = 0
		}
	}
	s.keep[i] = Probability(p, want)
}
