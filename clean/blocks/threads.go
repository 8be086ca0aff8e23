package blocks

import "chaffinch/page"

// On many discussion pages the replies look like the comments of an article: boards without
// known class names, questions with answers, reviews. Their comments are posts.
const (
	maybeForum  = -3 // minimum log odds that the page is a forum
	moreReplies = 2  // minimum ratio of the words of comments to the words of posts
)

// settleThread turns the comments of a discussion page into posts. A page whose posts have
// comments, such as a page of questions and answers, keeps both. The log odds are 0 if the model
// was trained without page types.
func (s *scratch) settleThread() {
	if z := s.sheet.col(colPageForum)[0]; z == 0 || !(z > maybeForum) {
		return
	}
	var comments, posts float64
	for i := range s.sheet.blocks {
		p, w := s.rolesOf(i), float64(s.sheet.blocks[i].words)
		comments += float64(w * float64(p[page.RoleComment-1]))
		posts += float64(w * float64(p[page.RolePost-1]))
	}
	if comments < moreReplies*posts {
		return
	}
	for i := range s.sheet.blocks {
		p := s.rolesOf(i)
		p[page.RolePost-1] += p[page.RoleComment-1]
		p[page.RoleComment-1] = 0
	}
}
