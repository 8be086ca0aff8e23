package blocks

import (
	"strings"

	"chaffinch/page"
)

// On many discussion pages the replies look like the comments of an article: boards without
// known class names, questions with answers, reviews. Their comments are posts.
const (
	surelyForum = 3  // minimum difference of the log odds of forum and article
	maybeForum  = -3 // the same for a page with little text beside its comments
	littleText  = .4 // maximum ratio of the words of a body to the words of comments
	muchText    = 3  // the same for a page of the software of a board
	moreReplies = 2  // minimum ratio of the words of comments to the words of posts
)

// boardClasses lists parts of the class attributes of posts in the software of boards: bbPress,
// Discourse, Invision, XenForo, Flarum, vBulletin.
var boardClasses = []string{"bbp-reply-content", "bbp-topic-content", "crawler-post", "ipsComment_content", "ipsEntry__post", "js-selectToQuote", "Post-body", "postbitlegacy"}

// boardID begins the id attributes of posts in Discuz.
const boardID = "postmessage_"

// isPost reports whether e is a post in the software of a board.
func isPost(e *page.Element) bool {
	if strings.HasPrefix(e.ID, boardID) {
		return true
	}
	for _, c := range boardClasses {
		if len(e.Class) >= len(c) && strings.Contains(e.Class, c) {
			return true
		}
	}
	return false
}

// boardPosts sets whether each element is inside a post in the software of a board.
func (s *scratch) boardPosts(p *page.Page) {
	s.boards = grow(s.boards, len(p.Elements)+1)
	s.boards[0] = false
	for i := range p.Elements {
		e := &p.Elements[i]
		s.boards[i+1] = s.boards[e.Parent+1] || isPost(e)
	}
}

// settleThread turns the comments of a discussion page into posts. A page whose posts have
// comments, such as a page of questions and answers, keeps both. The log odds are 0 if the model
// was trained without page types. On other pages only comments in elements of boards are posts. p may
// be nil.
func (s *scratch) settleThread(p *page.Page) {
	forum, article := s.sheet.col(colPageForum)[0], s.sheet.col(colPageArticle)[0]
	if forum == 0 {
		return
	}
	var comments, posts, body float64
	for i := range s.sheet.blocks {
		r, w := s.rolesOf(i), float64(s.sheet.blocks[i].words)
		comments += float64(w * float64(r[page.RoleComment-1]))
		posts += float64(w * float64(r[page.RolePost-1]))
		body += float64(w * float64(r[page.RoleBody-1]))
	}
	if comments < moreReplies*posts {
		return
	}
	sure := forum-article >= surelyForum
	maybe := forum-article >= maybeForum && body <= littleText*comments
	if !sure && !maybe {
		if p == nil || body > muchText*comments {
			return
		}
		s.boardPosts(p)
	}
	for i := range s.sheet.blocks {
		if !sure && !maybe && !s.boards[s.sheet.blocks[i].element] {
			continue
		}
		r := s.rolesOf(i)
		r[page.RolePost-1] += r[page.RoleComment-1]
		r[page.RoleComment-1] = 0
	}
}
