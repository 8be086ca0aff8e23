package blocks

import (
	"chaffinch/clean/blocks"
	"chaffinch/lab/train/trees"
	"chaffinch/page"
)

// likelihoods are those of what was seen of a block, by role: element r-1 is that
// for role r.
type likelihoods [page.RoleCount]float32

// unknown are the likelihoods of what tells nothing.
var unknown = func() (l likelihoods) {
	for r := range l {
		l[r] = 1
	}
	return l
}()

// only lowers the likelihoods of other roles than those of a set to a share.
func (l *likelihoods) only(roles page.Roles, share float32) {
	for r := range l {
		if !roles.Has(page.Role(r + 1)) {
			l[r] *= share
		}
	}
}

// How much is believed.
const (
	annotatedDoubt = .01 // that an annotated block has another role
	commentDoubt   = .03 // that what stands in the gold of comments is none
	noCommentDoubt = .1  // that what does not is one
	noPostDoubt    = .1  // that a block is a post where people tell comments from the text
	priorWeight    = 30  // of what is expected of a convention, in weights of blocks
	policyDoubt    = .15 // that people keep a role that their policy does not, or the other way round
)

// conventions estimates for each convention how likely its people keep a block
// of a role, from pages that are annotated too; where these are few, from what
// all conventions of the policy have in common.
func conventions(examples []*Example) map[string]likelihoods {
	type counts struct{ kept, all likelihoods }
	own, common := map[string]*counts{}, map[string]*counts{}
	general := map[string]string{}
	for _, x := range examples {
		if own[x.convention] == nil {
			own[x.convention] = new(counts)
			general[x.convention] = x.general
		}
		if common[x.general] == nil {
			common[x.general] = new(counts)
		}
		if x.lent {
			continue
		}
		for i, r := range x.roles {
			if r == page.NoRole {
				continue
			}
			for _, c := range []*counts{own[x.convention], common[x.general]} {
				c.all[r-1] += x.weight[i]
				if x.share[i] >= leastShare {
					c.kept[r-1] += x.weight[i]
				}
			}
		}
	}
	out := map[string]likelihoods{}
	for name, c := range own {
		all := common[general[name]]
		var q likelihoods
		roles, _ := page.ParseRoles(general[name]) // NewExample has checked it
		for r := range q {
			expected := float32(policyDoubt)
			if roles.Has(page.Role(r + 1)) {
				expected = 1 - policyDoubt
			}
			shared := (all.kept[r] + float32(priorWeight*expected)) / (all.all[r] + priorWeight)
			const least = .02
			q[r] = min(max((c.kept[r]+float32(priorWeight*shared))/(c.all[r]+priorWeight), least), 1-least)
		}
		out[name] = q
	}
	return out
}

// evidence returns what is known of the role of each row, as an index in a list,
// and sets the weights of the rows.
func (t *table) evidence(examples []*Example) (of []uint32, list []trees.Evidence) {
	keeps := conventions(examples)
	ids := map[likelihoods]uint32{}
	of = make([]uint32, t.matrix.Rows)
	number := func(l likelihoods) uint32 {
		id, ok := ids[l]
		if !ok {
			id = uint32(len(list))
			ids[l] = id
			list = append(list, append(trees.Evidence(nil), l[:]...))
		}
		return id
	}
	number(unknown) // of the rows between the pages
	for i, x := range examples {
		weight := t.weight[t.starts[i]:][:x.sheet.Blocks()]
		for k := range weight {
			of[t.starts[i]+k] = number(x.evidence(k, keeps[x.convention]))
		}
	}
	return of, list
}

// evidence returns what is known of the role of block i where people keep so much
// of each role.
func (x *Example) evidence(i int, keeps likelihoods) likelihoods {
	l := x.stated[i]
	kept := x.share[i] >= leastShare
	for r := range l {
		switch {
		case kept:
			l[r] *= keeps[r]
		case !x.lent: // else it shows only a part of what is kept
			l[r] *= 1 - keeps[r]
		}
	}
	if x.comments != nil {
		if x.comments[i] >= leastShare && (!kept || x.general == blocks.Text) {
			l = unknown
			l.only(page.RolesOf(page.RoleComment), commentDoubt)
		} else {
			l[page.RoleComment-1] *= noCommentDoubt
		}
		if x.commented {
			l[page.RolePost-1] *= noPostDoubt
		}
	}
	if x.roles != nil && x.roles[i] != page.NoRole {
		l = unknown
		l.only(page.RolesOf(x.roles[i]), annotatedDoubt)
	}
	return l
}

// tasks are the questions by which the trees are grown: for the policies, and
// for each role.
func tasks() (out trees.Tasks) {
	add := func(s page.Roles) {
		task := make([]bool, page.RoleCount)
		for r := range task {
			task[r] = s.Has(page.Role(r + 1))
		}
		out = append(out, task)
	}
	const times = 4 // that of a policy for one of each role
	for _, p := range page.Policies() {
		for range times {
			add(p.Roles)
		}
	}
	for r := range page.RoleCount {
		add(page.RolesOf(page.Role(r + 1)))
	}
	return out
}
