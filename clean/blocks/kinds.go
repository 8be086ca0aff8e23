package blocks

import (
	"math"

	"chaffinch/internal/boost"
	"chaffinch/page"
)

// A page that has posts has no body, and one whose text is a body has no posts: what
// readers say there are comments. So posts are told from comments by the page as a
// whole, by what kind it is. Each kind has roles that its pages hardly ever have.
//
// With p the probabilities of the roles of a block, and f those with the rare roles of
// a kind lowered to a share, the likelihood of the kind by the block is the sum of f;
// that of the page is the product over its blocks. A block counts by the root of its words,
// and less than one, since blocks of a page say much of the same. The
// probabilities of a block are then f, made to sum up to 1, mixed by those of the
// kinds; but that of the body stays, which is wanted wherever posts are.
const (
	rareRole    = .03 // of the probability of a role on pages of a kind that hardly has it
	blockCounts = .3  // of the logarithm of a likelihood, for a block of one word
)

// pageKind is a kind of page, by its running text.
type pageKind int

const (
	anArticle   pageKind = iota // body, perhaps with comments
	aThread                     // posts
	aDiscussion                 // posts, each with comments, as on pages of questions and answers
	pageKinds
)

// kindOdds are the logarithms of how frequent the kinds are, up to a sum.
var kindOdds = [pageKinds]float64{aDiscussion: -12}

// probabilities makes those of the roles of a page's blocks of their scores.
func probabilities(roles []float32, blocks []blockStats) {
	const k = page.RoleCount
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

// kindLikelihoods returns those of the kinds by the probabilities of the roles of a
// block.
func kindLikelihoods(p *[page.RoleCount]float32) [pageKinds]float64 {
	body, post, comment := float64(p[page.RoleBody-1]), float64(p[page.RolePost-1]), float64(p[page.RoleComment-1])
	return [pageKinds]float64{
		anArticle:   1 - float64((1-rareRole)*post),
		aThread:     1 - float64((1-rareRole)*(body+comment)),
		aDiscussion: 1 - float64((1-rareRole)*body),
	}
}
