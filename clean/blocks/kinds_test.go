package blocks

import (
	"math"
	"testing"

	"chaffinch/page"
)

// TestKindsTellPostsFromComments takes pages on which some blocks look like posts and
// others like comments.
func TestKindsTellPostsFromComments(t *testing.T) {
	type row struct {
		words               int
		body, post, comment float64
	}
	said := []row{{24, .01, .64, .32}, {1, 0, .9, .01}, {23, .01, .56, .41}, {26, 0, .37, .6}, {21, .01, .35, .59}, {40, 0, .3, .6}}
	post, comment := page.RolePost, page.RoleComment
	for name, c := range map[string]struct {
		rows []row
		want []page.Role // of the last blocks; 0 for any
	}{
		"comments under an article": {append([]row{{26, .66, .3, 0}, {36, .66, .31, 0}}, said...), []page.Role{comment, 0, comment, comment, comment, comment}},
		"a thread":                  {[]row{{200, .02, .8, .1}, {90, .05, .7, .2}, {24, .01, .64, .32}, {23, .01, .56, .41}, {40, 0, .45, .5}}, []page.Role{post, post, post}},
		// A page of questions and answers: both are sure, and there is no body.
		"posts with comments": {[]row{{200, .01, .97, .01}, {150, .01, .97, .01}, {40, .01, .01, .97}, {300, .01, .97, .01}, {50, .01, .01, .97}}, []page.Role{post, post, comment, post, comment}},
	} {
		var scores []float32
		var blocks []blockStats
		for _, r := range c.rows {
			blocks = append(blocks, blockStats{textStats: textStats{words: int32(r.words)}})
			rest := (1 - r.body - r.post - r.comment) / float64(Roles-3)
			for k := range Roles {
				p := rest
				switch page.Role(k + 1) {
				case page.RoleBody:
					p = r.body
				case post:
					p = r.post
				case comment:
					p = r.comment
				}
				scores = append(scores, float32(math.Log(p+1e-6)))
			}
		}
		probabilities(scores, blocks)
		for i := range blocks {
			p := scores[i*Roles:][:Roles]
			best, sum := 0, 0.
			for k, v := range p {
				sum += float64(v)
				if v > p[best] {
					best = k
				}
			}
			if math.Abs(sum-1) > 1e-4 {
				t.Errorf("%s: block %d: probabilities sum up to %v", name, i, sum)
			}
			from := len(blocks) - len(c.want)
			if i >= from && c.want[i-from] != 0 && c.want[i-from] != page.Role(best+1) {
				t.Errorf("%s: block %d is %v (post %.2f, comment %.2f), wanted %v", name, i, page.Role(best+1), p[post-1], p[comment-1], c.want[i-from])
			}
		}
	}
}
