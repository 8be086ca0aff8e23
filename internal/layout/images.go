package layout

import "chaffinch/page"

// images chooses the images that stand alone and belong to what is kept: the
// shown blocks before and after are both kept, or it stands in a row of such
// images. An image beside a left-out block is mostly a teaser's, a logo or an
// advertisement.
func (b *builder) images() {
	if b.cfg.Without.Has(page.FeatureImages) {
		return
	}
	for i := range b.p.Images {
		at := b.p.Images[i].Before
		if at > len(b.p.Blocks) {
			continue
		}
		if b.cfg.All || b.shownKept(at-1, -1) && b.shownKept(at, 1) {
			b.kept = append(b.kept, i)
		}
	}
}

// shownKept reports whether the nearest block that the page shows, from index
// i in steps, is kept.
func (b *builder) shownKept(i, step int) bool {
	for ; i >= 0 && i < len(b.p.Blocks); i += step {
		if k := &b.p.Blocks[i]; !k.Hidden || k.Label.Keep() {
			return b.takes(k)
		}
	}
	return false
}

// lang returns the programming language of the pre at element e, as classes
// of it, of a code element in it, or of the element around it say it.
func (b *builder) lang(e int32) string {
	// The block's innermost element may be a code element inside the pre.
	inner := int32(-1)
	for i := int(e) + 1; i < len(b.p.Elements) && i <= int(e)+2; i++ {
		if el := &b.p.Elements[i]; el.Parent == e && el.Name == "code" {
			inner = int32(i)
		}
	}
	for _, at := range [...]int32{inner, e, b.p.Elements[e].Parent} {
		if at >= 0 {
			if l := langOf(b.p.Elements[at].Class); l != "" {
				return l
			}
		}
	}
	return ""
}

// block returns the block of a Text node.
func block(p *page.Page, n *Node) *page.Block { return &p.Blocks[n.Index] }
