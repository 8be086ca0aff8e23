package blocks

import (
	"math"

	"chaffinch/internal/boost"
	"chaffinch/page"
)

// A page with posts has no body. If its text is a body, it has no posts, and contributions
// of readers are comments. The kind of the whole page therefore separates posts from
// comments. Each kind has roles that are rare on its pages.
//
// Let p be the role probabilities of a block, and f the same with the rare roles of a kind
// reduced to a share. The likelihood of the kind for the block is the sum of f. For the page
// it is the product over its blocks. A block counts by the square root of its words and a
// factor below one, since the blocks of a page are correlated. The probabilities of a block
// are then f, normalised to a sum of 1, averaged over the kinds. The body keeps its
// probability, since it is wanted wherever posts are.
const (
	rareRole    = .03 // share that remains of the probability of a rare role
	blockCounts = .3  // weight of a log-likelihood, for a block of one word
)

// pageKind is a kind of page, defined by its running text.
type pageKind int

const (
	anArticle   pageKind = iota // body, possibly with comments
	aThread                     // posts
	aDiscussion                 // posts, each with comments, as on question-and-answer pages
	pageKinds
)

// kindOdds holds the log prior odds of the kinds, up to a constant.
var kindOdds = [pageKinds]float64{aDiscussion: -12}

// probabilities converts the scores of the roles of a page's blocks to probabilities.
func probabilities(roles []float32, blocks []blockStats) {
	const k = Roles
	odds := kindOdds
	boost.Softmaxes(roles[:len(blocks)*k], k)
	for i := range blocks {
		p := (*[k]float32)(roles[i*k:])
		w := blockCounts * math.Sqrt(float64(blocks[i].words))
		for d, l := range kindLikelihoods(p) {
			odds[d] += float64(w * math.Log(l))
		}
	}
	high, sum := max(odds[anArticle], odds[aThread], odds[aDiscussion]), 0.
	for d, v := range odds {
		odds[d] = math.Exp(v - high)
		sum += odds[d]
	}
	article, thread, discussion := odds[anArticle]/sum, odds[aThread]/sum, odds[aDiscussion]/sum
	for i := range blocks {
		p := (*[k]float32)(roles[i*k:])
		post, comment := float64(p[page.RolePost-1]), float64(p[page.RoleComment-1])
		a, t := article/(1-float64((1-rareRole)*post)), thread/(1-float64((1-rareRole)*comment))
		all := float32(a + t + discussion)
		for r := range p {
			p[r] *= all
		}
		p[page.RolePost-1] = float32(post * (float64(rareRole*a) + t + discussion))
		p[page.RoleComment-1] = float32(comment * (a + float64(rareRole*t) + discussion))
	}
}

// kindLikelihoods returns the likelihood of each kind, given the role probabilities of a
// block.
func kindLikelihoods(p *[Roles]float32) [pageKinds]float64 {
	body, post, comment := float64(p[page.RoleBody-1]), float64(p[page.RolePost-1]), float64(p[page.RoleComment-1])
	return [pageKinds]float64{
		anArticle:   1 - float64((1-rareRole)*post),
		aThread:     1 - float64((1-rareRole)*(body+comment)),
		aDiscussion: 1 - float64((1-rareRole)*body),
	}
}
