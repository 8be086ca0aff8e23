package blocks

// commentSure is the probability below which a block that is taken for a
// comment is never kept under the policies that want the main content. Chosen
// on the development pages; .7 to .9 do about as well.
const commentSure = .8

// demoteComments lowers the probabilities of comments below least, the one
// that a block needs to be kept, where the main content is wanted.
func (l *Labeller) demoteComments(s *scratch) {
	forum, docs := s.sheet.col(colPageForum), s.sheet.col(colPageDocumentation)
	if l.model.policies[l.policy] == Text || forum[0] > 0 || docs[0] > 0 {
		return
	}
	for i, c := range s.comment[:s.sheet.n] {
		if c >= .5 && s.keep[i] < commentSure {
			s.keep[i] = min(s.keep[i], l.rule.least*(1-c))
		}
	}
}
