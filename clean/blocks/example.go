package blocks

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"chaffinch/internal/align"
	"chaffinch/page"
)

// Gold is what people say of a page.
type Gold struct {
	// Text is what should be kept.
	Text string
	// Comments is what is a comment or reply; Commented tells whether that is
	// known of the page.
	Comments  string
	Commented bool
	// Policy is [Text], [Main] or [Article]: what the text was meant to be. Keep lists the
	// roles that it holds (see [page.ParseRoles]), "" for those of the policy. Convention
	// names those whose habits it follows beyond that, such as a set; "" for
	// none.
	Policy, Keep, Convention string
	// Lent tells that the page comes from people with another policy, and shows
	// only a part of what this one keeps, such as comments: it counts less.
	Lent bool
	// Weight is how much the page counts, 0 for 1.
	Weight float64
	// Type is one of [PageTypes], "" if not known.
	Type string
	// Roles holds the annotated role of each block; nil if the page has no annotations.
	Roles []page.Role
	// Site names where the page is from. Pages of one site never stand on both
	// sides of a split.
	Site string
}

// Example is a page to learn from, with the columns of its blocks.
type Example struct {
	sheet      *sheet
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
	slots      elementSlots
}

// elementSlots are the slots of the elements of a page, and those of the names
// around its blocks.
type elementSlots struct {
	any, near         []uint32
	anyEnds, nearEnds []int32 // by element
	tags              []uint32
	tagEnds           []int32 // by block
}

// leastShare is the share of its words that makes a block one to keep.
const leastShare = .5

// NewExample reads an extracted page. The example does not refer to it.
func NewExample(p *page.Page, g Gold) (*Example, error) {
	if g.Policy != Text && g.Policy != Main && g.Policy != Article {
		return nil, fmt.Errorf("blocks: policy %q: wanted %s, %s or %s", g.Policy, Text, Main, Article)
	}
	keep, err := page.ParseRoles(cmp.Or(g.Keep, g.Policy))
	if err != nil {
		return nil, fmt.Errorf("blocks: keep: %w", err)
	}
	h := fnv.New64a()
	h.Write([]byte(g.Site))
	x := &Example{sheet: new(sheet), general: g.Policy, convention: cmp.Or(g.Convention, g.Policy), keep: keep, scale: cmp.Or(g.Weight, 1), site: h.Sum64(), kind: g.Type, lent: g.Lent}
	h.Write([]byte(g.Text))
	x.id = h.Sum64()
	if len(p.Blocks) == 0 {
		return x, nil
	}
	s := x.sheet
	s.read(x.forget(p))
	x.found, x.reach = found(p, g.Text)
	x.share = make([]float32, s.n)
	for i, f := range x.found {
		x.share[i] = f.Of()
	}
	s.settle(x.share, 0)
	if g.Commented {
		x.comments = shares(p, g.Comments)
		x.commented = slices.ContainsFunc(x.comments, func(c float32) bool { return c >= leastShare })
	}
	x.roles = g.Roles
	x.stated = make([]likelihoods, s.n)
	for i := range x.stated {
		x.stated[i] = unknown
		stated(p, i, &x.stated[i])
	}
	x.readSlots()
	s.page, s.metadata = nil, nil
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
	n := x.sheet.n
	x.target, x.weight = make([]float32, n), make([]float32, n)
	total := 0.
	for i := range n {
		if x.share[i] >= leastShare {
			x.target[i] = 1
		}
		x.weight[i] = float32(math.Sqrt(float64(x.sheet.blocks[i].words)))
		total += float64(x.weight[i])
	}
	f := float32(scale * math.Sqrt(150/(total+1)))
	for i := range x.weight {
		x.weight[i] *= f
	}
}

// readSlots notes the slots of the page.
func (x *Example) readSlots() {
	s, k := x.sheet, &x.slots
	k.anyEnds, k.nearEnds, k.tagEnds = append(k.anyEnds, 0), append(k.nearEnds, 0), append(k.tagEnds, 0)
	for e := int32(1); e < int32(len(s.elems)); e++ {
		k.any, k.near = s.appendSlots(e, k.any, k.near)
		k.anyEnds = append(k.anyEnds, int32(len(k.any)))
		k.nearEnds = append(k.nearEnds, int32(len(k.near)))
	}
	for i := range s.blocks {
		k.tags = s.appendTagSlots(k.tags, s.blocks[i].element)
		k.tagEnds = append(k.tagEnds, int32(len(k.tags)))
	}
}

// attrSlots appends the slots of class, id and tag tokens of block i.
func attrSlots(x *Example, i int, dst []uint32) []uint32 {
	k := &x.slots
	dst = append(dst, k.tags[k.tagEnds[i]:k.tagEnds[i+1]]...)
	for e, n := x.sheet.blocks[i].element, 0; e > 0; e, n = x.sheet.elems[e].parent, n+1 {
		dst = append(dst, k.any[k.anyEnds[e-1]:k.anyEnds[e]]...)
		if n < maxNear {
			dst = append(dst, k.near[k.nearEnds[e-1]:k.nearEnds[e]]...)
		}
	}
	return dst
}

// wordSlots appends the slots of the words of block i.
func wordSlots(x *Example, i int, dst []uint32) []uint32 {
	return x.sheet.hashes[i].appendWordSlots(dst)
}

// linearColumns sets the columns that need the models of attributes, words and
// whole pages.
func (x *Example) linearColumns(pages *pageModel, l *linears) {
	x.sheet.linearColumns(pages, l, x.attributes)
}

// attributes sums up the weights of the class and id tokens of the elements.
func (x *Example) attributes(l *linears) {
	k := &x.slots
	var own elementSums
	x.sheet.elementSums(func(e int32) *elementSums {
		own = elementSums{}
		l.attr.add(&own.any, k.any[k.anyEnds[e-1]:k.anyEnds[e]])
		l.attr.add(&own.near, k.near[k.nearEnds[e-1]:k.nearEnds[e]])
		return &own
	})
}
