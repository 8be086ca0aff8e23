package blocks

import (
	"math"

	"chaffinch/page"
)

// Records of one kind are all comments or none is: by their blocks alone some comments
// look like text, and where these are many they drag the text of the page down with them.
// As with pages (kinds.go), the blocks of all records of a kind vote what it is. If they
// are comments, body, standfirst and post are lowered to a share; if they are not, comment is.
const (
	rareRemark   = .1  // of the probability of a role that the records hardly have
	recordCounts = .05 // of the logarithm of a likelihood, for a block of one word
)

// running are the roles of running text. A page that has some never comes out
// empty where one of them is wanted.
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
		was := [page.RoleCount]float32(p)
		for r := range was {
			p[r] *= float32(text + remark)
		}
		for _, r := range runningRoles {
			p[r-1] = was[r-1] * float32(text+float64(rareRemark*remark))
		}
		p[page.RoleComment-1] = was[page.RoleComment-1] * float32(float64(rareRemark*text)+remark)
	}
}

// recordLikelihoods returns how likely the block with those probabilities of roles
// stands in records that are no comments, and in records that are.
func recordLikelihoods(p []float32) (text, remark float64) {
	return 1 - float64((1-rareRemark)*float64(p[page.RoleComment-1])), 1 - float64((1-rareRemark)*float64(Probability(p, running)))
}
