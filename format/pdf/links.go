package pdf

import (
	"cmp"
	"slices"

	"chaffinch/format/pdf/internal/wire"
)

// linkTree finds the first link at a point of a page. It is a binary tree of boxes, since a page may have
// 200,000 characters and 5,000 links.
type linkTree struct {
	nodes []linkNode // the root is the first
	same  []int      // by index of a link: the first link with its URL
}

type linkNode struct {
	box         wire.Box // of all links below
	first       int      // least index of a link below
	left, right int      // nodes; 0 for a leaf
}

// newLinkTree returns a tree of links; nil if there are none.
func newLinkTree(links []wire.Link) *linkTree {
	t := &linkTree{same: make([]int, len(links))}
	byURL := map[string]int{}
	var list []int
	for i, l := range links {
		if _, ok := byURL[l.URL]; !ok {
			byURL[l.URL] = i
		}
		t.same[i] = byURL[l.URL]
		if b := l.Box; b.X0 <= b.X1 && b.Y0 <= b.Y1 { // others contain no point
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	t.add(links, list)
	return t
}

// add adds a tree of some links and returns the index of its root.
func (t *linkTree) add(links []wire.Link, list []int) int {
	at := len(t.nodes)
	box := links[list[0]].Box
	for _, i := range list {
		box = box.Union(links[i].Box)
	}
	t.nodes = append(t.nodes, linkNode{box: box, first: slices.Min(list)})
	if len(list) == 1 {
		return at
	}
	middle := func(i int) float32 { return links[i].Box.Y0 + links[i].Box.Y1 }
	if box.X1-box.X0 > box.Y1-box.Y0 {
		middle = func(i int) float32 { return links[i].Box.X0 + links[i].Box.X1 }
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(middle(a), middle(b)), cmp.Compare(a, b)) })
	half := len(list) / 2
	left := t.add(links, list[:half])
	right := t.add(links, list[half:])
	t.nodes[at].left, t.nodes[at].right = left, right
	return at
}

// find returns the index of the first link at a point, -1 if there is none.
func (t *linkTree) find(x, y float32) int {
	if t == nil {
		return -1
	}
	if at := t.search(0, x, y, len(t.same)); at < len(t.same) {
		return at
	}
	return -1
}

// search returns the lesser of best and the index of the first link at a point below a node.
func (t *linkTree) search(node int, x, y float32, best int) int {
	n := &t.nodes[node]
	if b := &n.box; n.first >= best || !(x >= b.X0 && x <= b.X1 && y >= b.Y0 && y <= b.Y1) {
		return best
	}
	if n.left == 0 {
		return n.first
	}
	a, b := n.left, n.right
	if t.nodes[b].first < t.nodes[a].first {
		a, b = b, a
	}
	return t.search(b, x, y, t.search(a, x, y, best))
}
