package structure

// Node is a node of a tree of structure, such as a table, row or cell.
type Node struct {
	Tag  string
	Text string
	Kids []*Node
}

// change returns the cost of changing a into b without their children: 1 if their tags differ, else
// the edit distance of their texts divided by the length of the longer text.
func change(a, b *Node) float64 {
	if a.Tag != b.Tag {
		return 1
	}
	return distance(a.Text, b.Text)
}

// similarity returns 1 - d/n, where d is the edit distance of two sequences of trees and n the
// number of nodes of the larger one. Inserting or deleting a node costs 1, changing a node at most
// 1. Two empty sequences have the similarity 1.
func similarity(a, b []*Node) float64 {
	x, y := index(a), index(b)
	n := max(len(x.nodes), len(y.nodes))
	if n == 0 {
		return 1
	}
	return clamp(1 - x.distance(y)/float64(n))
}

// budget is the maximum number of pairs of nodes for which the tree edit distance is computed. A
// larger pair gets the edit distance of its nodes in document order, which is a lower bound.
const budget = 4_000_000

// forest is a sequence of trees in postorder.
type forest struct {
	nodes []*Node
	first []int // for each node, the index of the first leaf of its tree
	keys  []int // the last node of each set of nodes with the same first leaf
	order []*Node
}

func index(trees []*Node) *forest {
	f := &forest{}
	var walk func(n *Node) int
	walk = func(n *Node) int {
		f.order = append(f.order, n)
		first := -1
		for _, k := range n.Kids {
			if leaf := walk(k); first < 0 {
				first = leaf
			}
		}
		if first < 0 {
			first = len(f.nodes)
		}
		f.nodes, f.first = append(f.nodes, n), append(f.first, first)
		return first
	}
	for _, t := range trees {
		walk(t)
	}
	last := map[int]int{}
	for i, l := range f.first {
		last[l] = i
	}
	for i, l := range f.first {
		if last[l] == i {
			f.keys = append(f.keys, i)
		}
	}
	return f
}

// distance returns the edit distance of two forests by the algorithm of Zhang and Shasha, Simple
// fast algorithms for the editing distance between trees, 1989. Both forests get a common root,
// which costs nothing.
func (f *forest) distance(g *forest) float64 {
	n, m := len(f.nodes), len(g.nodes)
	if n*m > budget {
		return sequenceDistance(f.order, g.order)
	}
	costs := make([]float32, n*m)
	known := map[[2]string]float32{}
	for i, a := range f.nodes {
		for j, b := range g.nodes {
			switch {
			case a.Tag != b.Tag:
				costs[i*m+j] = 1
			case a.Text != b.Text:
				key := [2]string{a.Text, b.Text}
				c, ok := known[key]
				if !ok {
					c = float32(change(a, b))
					known[key] = c
				}
				costs[i*m+j] = c
			}
		}
	}
	trees := make([]float32, n*m) // distances of the trees at two nodes
	rows := make([]float32, (n+1)*(m+1))
	at := func(i, j int) *float32 { return &rows[i*(m+1)+j] }
	// pair fills rows with the distances of the forests from the first leaves l and k up to each
	// pair of nodes before the ends.
	pair := func(l, end, k, stop int) float32 {
		*at(0, 0) = 0
		for i := l; i < end; i++ {
			*at(i-l+1, 0) = *at(i-l, 0) + 1
		}
		for j := k; j < stop; j++ {
			*at(0, j-k+1) = *at(0, j-k) + 1
		}
		for i := l; i < end; i++ {
			for j := k; j < stop; j++ {
				d := min(*at(i-l, j-k+1), *at(i-l+1, j-k)) + 1
				if f.first[i] == l && g.first[j] == k {
					d = min(d, *at(i-l, j-k)+costs[i*m+j])
					trees[i*m+j] = d
				} else {
					d = min(d, *at(f.first[i]-l, g.first[j]-k)+trees[i*m+j])
				}
				*at(i-l+1, j-k+1) = d
			}
		}
		return *at(end-l, stop-k)
	}
	for _, x := range f.keys {
		for _, y := range g.keys {
			pair(f.first[x], x+1, g.first[y], y+1)
		}
	}
	// The last pair is the whole forests. All their trees are known.
	whole := make([]float64, (n+1)*(m+1))
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			var d float64
			switch {
			case i == 0 || j == 0:
				d = float64(i + j)
			default:
				d = min(whole[(i-1)*(m+1)+j], whole[i*(m+1)+j-1]) + 1
				d = min(d, whole[f.first[i-1]*(m+1)+g.first[j-1]]+float64(trees[(i-1)*m+j-1]))
			}
			whole[i*(m+1)+j] = d
		}
	}
	return whole[len(whole)-1]
}

// sequenceDistance returns the edit distance of two sequences of nodes, in which texts are equal or
// not.
func sequenceDistance(a, b []*Node) float64 {
	row := make([]float64, len(b)+1)
	for j := range row {
		row[j] = float64(j)
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = float64(i + 1)
		for j, y := range b {
			cost := 1.0
			if x.Tag == y.Tag && x.Text == y.Text {
				cost = 0
			}
			d := min(row[j], row[j+1], diagonal+cost-1) + 1
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
