package blocks

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"chaffinch/clean/blocks"
	"chaffinch/internal/align"
	"chaffinch/page"
)

// Gold is the gold of a page.
type Gold struct {
	// Text is the gold text.
	Text string
	// Comments is the text of comments and replies. Commented is set if it is known for the page.
	Comments  string
	Commented bool
	// Policy is the policy of the gold text: [blocks.Text], [blocks.Main] or [blocks.Article]. Keep
	// lists its roles (see [page.ParseRoles]); "" means the roles of the policy. Convention is the
	// name of its convention, such as a set; "" for none.
	Policy, Keep, Convention string
	// Lent is set if the page was annotated by another policy and contains only a part of the text
	// of this one, such as comments. It has less weight.
	Lent bool
	// Weight is the weight of the page. Default: 1.
	Weight float64
	// Type is one of [blocks.PageTypes], "" if unknown.
	Type string
	// Roles holds the annotated role of each block; nil if the page has no annotations.
	Roles []page.Role
	// Site is the site of the page. Pages of one site are never divided between folds.
	Site string
}

// Example is a training page with the columns of its blocks.
type Example struct {
	sheet      *blocks.Sheet
	general    string     // Text, Main or Article
	convention string     // or general
	keep       page.Roles // roles in the text
	scale      float64    // of the weights
	policy     int        // index of the policy in linear models
	lent       bool
	kind       string // type of the page, "" if unknown
	site, id   uint64
	found      []align.Share // words of each block in the gold text
	words      [][]int32     // words of each block as the word F counts them
	gold       []int32       // words of the gold text
	share      []float32     // found, except for tables, which are kept or dropped as a whole
	comments   []float32     // fraction of words in comments; nil if unknown
	commented  bool          // whether there are comments
	roles      []page.Role   // annotated roles of the blocks; nil if the page is not annotated
	stated     []likelihoods // evidence of the markup for the roles of the blocks
	target     []float32     // 1 for blocks to keep
	weight     []float32
}

// leastShare is the minimum fraction of the words of a kept block that are in the gold.
const leastShare = .5

// NewExample returns the example of an extracted page. It does not retain p.
func NewExample(p *page.Page, g Gold) (*Example, error) {
	if g.Policy != blocks.Text && g.Policy != blocks.Main && g.Policy != blocks.Article {
		return nil, fmt.Errorf("blocks: policy %q: wanted %s, %s or %s", g.Policy, blocks.Text, blocks.Main, blocks.Article)
	}
	keep, err := page.ParseRoles(cmp.Or(g.Keep, g.Policy))
	if err != nil {
		return nil, fmt.Errorf("blocks: keep: %w", err)
	}
	h := fnv.New64a()
	h.Write([]byte(g.Site))
	x := &Example{sheet: new(blocks.Sheet), general: g.Policy, convention: cmp.Or(g.Convention, g.Policy), keep: keep, scale: cmp.Or(g.Weight, 1), site: h.Sum64(), kind: g.Type, lent: g.Lent}
	h.Write([]byte(g.Text))
	x.id = h.Sum64()
	if len(p.Blocks) == 0 {
		return x, nil
	}
	x.sheet = blocks.ReadSheet(x.forget(p))
	x.found = found(p, g.Text)
	x.words, x.gold = measured(p, g.Text)
	x.share = make([]float32, len(p.Blocks))
	for i, f := range x.found {
		x.share[i] = f.Fraction()
	}
	x.sheet.Settle(x.share)
	if g.Commented {
		x.comments = shares(p, g.Comments)
		x.commented = slices.ContainsFunc(x.comments, func(c float32) bool { return c >= leastShare })
	}
	x.roles = estimated(g.Roles)
	x.stated = make([]likelihoods, len(p.Blocks))
	for i := range x.stated {
		x.stated[i] = unknown
		stated(p, i, &x.stated[i])
	}
	return x, nil
}

// estimated returns roles without the ones that a model does not estimate.
func estimated(roles []page.Role) []page.Role {
	out := slices.Clone(roles)
	for i, r := range out {
		if int(r) > blocks.Roles {
			out[i] = page.NoRole
		}
	}
	return out
}

// forget returns a copy of every other page without information from its site, so that the model is
// trained with and without it.
func (x *Example) forget(p *page.Page) *page.Page {
	if x.id>>23%2 == 0 {
		return p
	}
	q := *p
	q.SitePages = 0
	return &q
}

// weigh sets target and weight. The weight of a block is the square root of its words; the weight
// of a page is the square root of the weight of its blocks, times scale.
func (x *Example) weigh(scale float64) {
	n := x.sheet.Blocks()
	x.target, x.weight = make([]float32, n), make([]float32, n)
	total := 0.
	for i := range n {
		if x.share[i] >= leastShare {
			x.target[i] = 1
		}
		x.weight[i] = float32(math.Sqrt(float64(x.sheet.Words(i))))
		total += float64(x.weight[i])
	}
	f := float32(scale * math.Sqrt(150/(total+1)))
	for i := range x.weight {
		x.weight[i] *= f
	}
}
