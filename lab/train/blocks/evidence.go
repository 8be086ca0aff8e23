package blocks

import (
	"chaffinch/clean/blocks"
	"chaffinch/lab/train/trees"
	"chaffinch/page"
)

// likelihoods holds the likelihood of an observation of a block by role: element r-1 is for role r.
type likelihoods [blocks.Roles]float32

// unknown holds the likelihoods of an uninformative observation.
var unknown = func() (l likelihoods) {
	for r := range l {
		l[r] = 1
	}
	return l
}()

// only multiplies the likelihoods of roles outside of a set by share.
func (l *likelihoods) only(roles page.Roles, share float32) {
	for r := range l {
		if !roles.Has(page.Role(r + 1)) {
			l[r] *= share
		}
	}
}

// Parameters of the evidence.
const (
	annotatedDoubt = .01 // probability that an annotated block has another role
	commentDoubt   = .03 // probability that a block in the gold of comments is not a comment
	noCommentDoubt = .1  // probability that a block outside of it is a comment
	noPostDoubt    = .1  // probability that a block is a post if comments are annotated separately from the text
	priorWeight    = 30  // of the prior of a convention, in weights of blocks
	policyDoubt    = .15 // probability that a role is kept against the policy, or the reverse
)

// conventions estimates for each convention the probability that a block of a role is kept, from
// pages that are also annotated. If there are few, the estimate is pooled over all conventions of
// the policy.
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
		roles, _ := page.ParseRoles(general[name]) // NewExample has validated it
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

// evidence returns the evidence for the role of each row, as an index in list, and sets the weights
// of the rows.
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
	number(unknown) // for the rows between the pages
	for i, x := range examples {
		weight := t.weight[t.starts[i]:][:x.sheet.Blocks()]
		for k := range weight {
			of[t.starts[i]+k] = number(x.evidence(k, keeps[x.convention]))
		}
	}
	return of, list
}

// evidence returns the likelihoods of the role of block i, given the probability keeps of keeping
// each role.
func (x *Example) evidence(i int, keeps likelihoods) likelihoods {
	l := x.stated[i]
	kept := x.share[i] >= leastShare
	for r := range l {
		switch {
		case kept:
			l[r] *= keeps[r]
		case !x.lent: // a lent page contains only a part of the kept text
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

// tasks returns the binary tasks for which trees are grown: one for each of four policies and one
// for each role. The policy news is close to article and body.
func tasks() (out trees.Tasks) {
	add := func(s page.Roles) {
		task := make([]bool, blocks.Roles)
		for r := range task {
			task[r] = s.Has(page.Role(r + 1))
		}
		out = append(out, task)
	}
	const times = 4 // weight of a policy relative to a role
	for _, p := range page.Policies() {
		if p.Name == "news" {
			continue
		}
		for range times {
			add(p.Roles)
		}
	}
	for r := range blocks.Roles {
		add(page.RolesOf(page.Role(r + 1)))
	}
	return out
}
