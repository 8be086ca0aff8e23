package layout

import "chaffinch/page"

// images selects the images outside of text that belong to kept text. The shown blocks before and
// after the image are both kept, or one of them is kept and shares a deeper element with the image
// than the other block does. An image beside a dropped block is usually part of a teaser, a logo or
// an advertisement.
func (b *builder) images() {
	if b.cfg.Without.Has(page.FeatureImages) {
		return
	}
	for i := range b.p.Images {
		im := &b.p.Images[i]
		if im.Before > len(b.p.Blocks) {
			continue
		}
		if b.cfg.All || b.belongs(im) {
			b.kept = append(b.kept, i)
		}
	}
}

func (b *builder) belongs(im *page.Image) bool {
	before, after := b.nextShown(im.Before-1, -1), b.nextShown(im.Before, 1)
	keptBefore, keptAfter := before != nil && b.takes(before), after != nil && b.takes(after)
	if keptBefore == keptAfter {
		return keptBefore
	}
	shareBefore, shareAfter := b.shared(im, before), b.shared(im, after)
	return keptBefore && shareBefore > shareAfter || keptAfter && shareAfter > shareBefore
}

// nextShown returns the nearest shown or kept block from index i in the direction of step, or nil
// if there is none.
func (b *builder) nextShown(i, step int) *page.Block {
	for ; i >= 0 && i < len(b.p.Blocks); i += step {
		if k := &b.p.Blocks[i]; !k.Hidden || k.Label.Keep() || k.By == Cut {
			return k
		}
	}
	return nil
}

// shared returns the number of elements that contain both the image and the block.
func (b *builder) shared(im *page.Image, k *page.Block) int {
	if k == nil {
		return 0
	}
	x, y := im.Element, k.Element
	dx, dy := b.depth(x), b.depth(y)
	for ; dx > dy; dx-- {
		x = elementAt(b.p, x).Parent
	}
	for ; dy > dx; dy-- {
		y = elementAt(b.p, y).Parent
	}
	for ; x != y; dx-- {
		x, y = elementAt(b.p, x).Parent, elementAt(b.p, y).Parent
	}
	return dx
}

// depth returns the number of elements around e, including e.
func (b *builder) depth(e int32) (n int) {
	for ; e >= 0 && int(e) < len(b.makes); e = elementAt(b.p, e).Parent {
		n++
	}
	return n
}

// lang returns the programming language of the pre at element e, from its classes, the classes of a
// code element in it, or the classes of its parent.
func (b *builder) lang(e int32) string {
	// The block's innermost element may be a code element inside the pre.
	inner := int32(-1)
	for i := int(e) + 1; i < len(b.makes) && i <= int(e)+2; i++ {
		if el := elementAt(b.p, int32(i)); el.Parent == e && el.Name == "code" {
			inner = int32(i)
		}
	}
	for _, at := range [...]int32{inner, e, elementAt(b.p, e).Parent} {
		if at >= 0 {
			if l := langOf(elementAt(b.p, at).Class); l != "" {
				return l
			}
		}
	}
	return ""
}

// block returns the block of a Text node.
func block(p *page.Page, n *Node) *page.Block { return &p.Blocks[n.Index] }
