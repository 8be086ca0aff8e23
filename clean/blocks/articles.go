package blocks

import (
	"strings"

	"chaffinch/page"
)

// articleStats is an article element of the page that stands in no other.
type articleStats struct {
	words int32 // in it
	good  int32 // in good blocks of it
	head  bool
}

// articles notes the articles of the page, and sets their columns.
func (s *sheet) articles() {
	s.article = grow(s.article, len(s.elems))
	s.article[0] = 0
	s.articleStats = append(s.articleStats[:0], articleStats{}) // of what stands in none
	for i := range s.page.Elements {
		e := &s.page.Elements[i]
		at := s.article[e.Parent+1]
		if at == 0 && s.elems[i+1].words >= goodWords && (e.Name == "article" || strings.Contains(e.Class, "hentry")) {
			at = int32(len(s.articleStats))
			s.articleStats = append(s.articleStats, articleStats{})
		}
		s.article[i+1] = at
	}
	all := int32(0)
	for i := range s.blocks {
		b := &s.blocks[i]
		a := &s.articleStats[s.article[b.element]]
		// Its head is a heading that is the first or second block.
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

// articleWords is the number of words in good blocks that make an article one with
// a text, not the teaser of one.
const articleWords = 60

// settleArticles says of blocks what their articles are, where the page leaves no
// doubt, and sets the probabilities that they are wanted. For one who reads a page for one article, the articles behind the one
// that the page names are related content, whatever their blocks are in them;
// they must have a heading and a text of their own, as on pages that go on when they are
// scrolled. An article in the footer of another is a comment on it, by HTML.
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

// move gives the probability of some roles of block i to another.
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
