package blocks

import "chaffinch/page"

// On many discussion pages the replies look like the comments of an article: boards without
// known class names, questions with answers, reviews. Their comments are posts.
const (
	surelyForum = 3  // minimum difference of the log odds of forum and article
	maybeForum  = -3 // the same for a page with little text beside its comments
	littleText  = .4 // maximum ratio of the words of a body to the words of comments
	moreReplies = 2  // minimum ratio of the words of comments to the words of posts
)

// settleThread turns the comments of a discussion page into posts. A page whose posts have
// comments, such as a page of questions and answers, keeps both. The log odds are 0 if the model
// was trained without page types.
func (s *scratch) settleThread() {
	forum, article := s.sheet.col(colPageForum)[0], s.sheet.col(colPageArticle)[0]
	if forum == 0 || forum-article < maybeForum {
		return
	}
	var comments, posts, body float64
	for i := range s.sheet.blocks {
		p, w := s.rolesOf(i), float64(s.sheet.blocks[i].words)
		comments += float64(w * float64(p[page.RoleComment-1]))
		posts += float64(w * float64(p[page.RolePost-1]))
		body += float64(w * float64(p[page.RoleBody-1]))
	}
	if comments < moreReplies*posts || forum-article < surelyForum && body > littleText*comments {
		return
	}
	for i := range s.sheet.blocks {
		p := s.rolesOf(i)
		p[page.RolePost-1] += p[page.RoleComment-1]
		p[page.RoleComment-1] = 0
	}
}
