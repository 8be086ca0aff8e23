package blocks

import (
	"math"

	"chaffinch/page"
)

// Records of one kind are either all comments or all not. Single comments can look like
// text, and many of them lower the scores of the page's text. As for pages (kinds.go), the
// blocks of all records of a kind vote on the kind. If the records are comments, the
// probabilities of body, standfirst and post are reduced to a share. If not, the probability
// of comment is reduced.
const (
	rareRemark   = .1  // share that remains of the probability of a role that is rare in the records
	recordCounts = .05 // weight of a log-likelihood, for a block of one word
)

// running holds the roles of running text. If one of them is wanted, a page with running
// text is never left empty.
var running = page.RolesOf(runningRoles[:]...)

var runningRoles = [...]page.Role{page.RoleBody, page.RolePost, page.RoleStandfirst}

// settleRemarks decides which records are comments.
func (s *scratch) settleRemarks() {
	sh := &s.sheet
	s.remarks = grow(s.remarks, len(sh.recordStats))
	clear(s.remarks)
	for i := range sh.blocks {
		if at := sh.record[sh.blocks[i].element]; at > 0 {
			text, remark := recordLikelihoods(s.rolesOf(i))
			s.remarks[sh.elems[at].group] += float64(recordCounts * math.Sqrt(float64(sh.blocks[i].words)) * math.Log(remark/text))
		}
	}
	for kind, odds := range s.remarks {
		s.remarks[kind] = 1 / (1 + math.Exp(-odds))
	}
	for i := range sh.blocks {
		at := sh.record[sh.blocks[i].element]
		if at == 0 {
			continue
		}
		p := s.rolesOf(i)
		likelyText, likelyRemark := recordLikelihoods(p)
		remark := s.remarks[sh.elems[at].group] / likelyRemark
		text := (1 - s.remarks[sh.elems[at].group]) / likelyText
		was := [Roles]float32(p)
		for r := range was {
			p[r] *= float32(text + remark)
		}
		for _, r := range runningRoles {
			p[r-1] = was[r-1] * float32(text+float64(rareRemark*remark))
		}
		p[page.RoleComment-1] = was[page.RoleComment-1] * float32(float64(rareRemark*text)+remark)
	}
}

// recordLikelihoods returns the likelihoods that a block with role probabilities p is in
// records that are not comments and in records that are.
func recordLikelihoods(p []float32) (text, remark float64) {
	return 1 - float64((1-rareRemark)*float64(p[page.RoleComment-1])), 1 - float64((1-rareRemark)*float64(Probability(p, running)))
}
