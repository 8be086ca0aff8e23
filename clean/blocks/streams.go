package blocks

import "chaffinch/page"

// Limits of a stream, a list of other articles after the article of the page.
const (
	minStream    = 3
	streamLinked = .8 // minimum share of its records that begin with a link
)

// settleStreams overrides the roles of blocks in streams, and sets the probabilities that they
// are wanted. The records of a stream begin with a link, or have a linked heading: the title of
// another article. They are after the block that the page names, which is not in a record of
// the stream. The text of such a record can be as long as an article, so its blocks look like
// text.
func (s *scratch) settleStreams(want page.Roles) {
	sh := &s.sheet
	if sh.named < 0 {
		return
	}
	own := sh.elems[sh.record[sh.blocks[sh.named].element]].group
	inRecord := sh.record[sh.blocks[sh.named].element] > 0
	for i := sh.named + 1; i < sh.n; i++ {
		at := sh.record[sh.blocks[i].element]
		if at == 0 {
			continue
		}
		g := sh.elems[at].group
		r := &sh.recordStats[g]
		if r.runs < minStream || float64(r.heads) < streamLinked*float64(r.runs) || r.first < sh.named || inRecord && g == own {
			continue
		}
		s.move(i, generals[Article]|page.RolesOf(page.RolePost), page.RoleRelated, want)
	}
}
