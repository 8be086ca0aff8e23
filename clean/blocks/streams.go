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
// text. A page whose article would have fewer than leastArticle words has no stream.
func (s *scratch) settleStreams(want page.Roles) {
	sh := &s.sheet
	if sh.named < 0 {
		return
	}
	own := sh.record[sh.blocks[sh.named].element]
	s.streams = s.streams[:0]
	left := 0.
	for i := range sh.blocks {
		at := sh.record[sh.blocks[i].element]
		if at > 0 && (own == 0 || sh.elems[at].group != sh.elems[own].group) && sh.recordStats[sh.elems[at].group].isStream(sh.named) {
			s.streams = append(s.streams, int32(i))
		} else if sh.blocks[i].good {
			left += float64(float64(sh.blocks[i].words) * float64(s.keep[i]))
		}
	}
	if left < leastArticle {
		return
	}
	for _, i := range s.streams {
		s.move(int(i), generals[Article]|page.RolesOf(page.RolePost), page.RoleRelated, want)
	}
}

// isStream reports whether the records can be a stream after block title.
func (r *recordStats) isStream(title int) bool {
	return r.runs >= minStream && float64(r.heads) >= streamLinked*float64(r.runs) && r.first > title
}
