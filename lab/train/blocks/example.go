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
	// Text is what should be kept.
	Text string
	// Comments is what is a comment or reply; Commented tells whether that is
	// known of the page.
	Comments  string
	Commented bool
	// Policy is [blocks.Text], [blocks.Main] or [blocks.Article]: the policy by which the text was marked. Keep lists the
	// roles that it holds (see [page.ParseRoles]), "" for those of the policy. Convention
	// names those whose habits it follows beyond that, such as a set; "" for
	// none.
	Policy, Keep, Convention string
	// Lent tells that the page comes from people with another policy, and shows
	// only a part of what this one keeps, such as comments: it counts less.
	Lent bool
	// Weight is how much the page counts, 0 for 1.
	Weight float64
	// Type is one of [blocks.PageTypes], "" if not known.
	Type string
	// Roles holds the annotated role of each block; nil if the page has no annotations.
	Roles []page.Role
	// Site names where the page is from. Pages of one site never stand on both
	// sides of a split.
	Site string
}

// Example is a page to learn from, with the columns of its blocks.
type Example struct {
	sheet      *blocks.Sheet
	general    string     // Text, Main or Article
	convention string     // or general
	keep       page.Roles // that the text holds
	scale      float64    // of the weights
	policy     int        // index of the one that it stands for
	lent       bool
	kind       string // type of the page, "" if not known
	site, id   uint64
	found      []align.Share // words of each block that the gold text contains
	reach      float32       // share of the words of the gold that stand in a block
	share      []float32     // found, but for tables, which stay or go as a whole
	comments   []float32     // of those that stand in comments; nil if not known
	commented  bool          // some do
	roles      []page.Role   // of the blocks, by annotators; nil if nobody annotated the page
	stated     []likelihoods // what the markup says of the roles of the blocks
	target     []float32     // 1 for blocks to keep
	weight     []float32
}

// leastShare is the share of its words that makes a block one to keep.
const leastShare = .5

// NewExample reads an extracted page. The example does not refer to it.
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
	x.found, x.reach = found(p, g.Text)
	x.share = make([]float32, len(p.Blocks))
	for i, f := range x.found {
		x.share[i] = f.Of()
	}
	x.sheet.Settle(x.share)
	if g.Commented {
		x.comments = shares(p, g.Comments)
		x.commented = slices.ContainsFunc(x.comments, func(c float32) bool { return c >= leastShare })
	}
	x.roles = g.Roles
	x.stated = make([]likelihoods, len(p.Blocks))
	for i := range x.stated {
		x.stated[i] = unknown
		stated(p, i, &x.stated[i])
	}
	return x, nil
}

// forget returns p as if its site were not known, for every other page: so the model
// learns to do with it and without.
func (x *Example) forget(p *page.Page) *page.Page {
	if x.id>>23%2 == 0 {
		return p
	}
	q := *p
	q.SitePages = 0
	return &q
}

// weigh sets target and weight. A block weighs the root of its words; a page
// the root of what its blocks weigh, times scale.
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
