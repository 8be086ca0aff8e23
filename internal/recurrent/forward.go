package recurrent

import (
	"math"
	"math/rand/v2"
)

// Sequence is a document: items with a vector each, in order.
type Sequence struct {
	// Dense holds the vectors of the items, Shape.Dense values each.
	Dense []float32
	// IDs holds the ids of all items, those of item i from Ends[i-1] to
	// Ends[i]: the rows of the table whose sum, divided by the root of their
	// number, joins the vector. An id counts modulo the rows. Both are nil
	// for a network without a table.
	IDs  []uint32
	Ends []int32
	// Target and Weight say what each item should be, 0..1, and how much it
	// counts; nil stands for weights of 1. Scoring does not look at them.
	Target, Weight []float32
	// Base, if not nil, holds log odds from elsewhere: training fits Base plus
	// Share times what the network says. Scoring does not look at it.
	Base  []float32
	Share float32
	// N is the number of items.
	N int
}

// part returns the items from a to b.
func (q *Sequence) part(s Shape, a, b int) Sequence {
	p := Sequence{N: b - a, Dense: q.Dense[a*s.Dense : b*s.Dense]}
	if s.Dim > 0 {
		p.IDs, p.Ends = q.IDs, q.Ends[a:b]
		if a > 0 {
			p.Ends = q.Ends[a-1 : b]
		}
	}
	return p
}

// trace is what a run over a sequence leaves. It is reused.
type trace struct {
	n       int
	in      []float32 // n x in
	drawn   []uint32  // the ids that were not dropped, by item
	ends    []int32
	project []float32 // n x Project, after tanh and dropout
	kept    []float32 // n x Project: the factors of dropout
	top     []float32 // n x 2*Hidden: the last layer after dropout
	keptTop []float32 // its factors
	layers  []layerTrace
	pre     []float32 // gates of one item: the share of the state
	logit   []float32

	// gradients
	dIn, dTop, dBelow           []float32
	dGates, dState, carry, cell []float32
}

// layerTrace is that of one layer; element t belongs to item t.
type layerTrace struct {
	gates [2][]float32 // n x gates*Hidden, after the nonlinearities
	state [2][]float32 // GRU: the candidate's share of the state; LSTM: the memory
	out   []float32    // n x 2*Hidden: forward, backward
}

// noise is what training does to its input; nil for scoring.
type noise struct {
	rng             *rand.PCG
	input, ids, top float64 // shares of values that are dropped
}

// drops reports true with probability p.
func (z *noise) drops(p float64) bool { return float64(z.rng.Uint64()>>11)*0x1p-53 < p }

// forward fills t.logit with the log odds of the items.
func (n *Net) forward(t *trace, q *Sequence, z *noise) {
	s := n.Shape
	t.n = q.N
	n.input(t, q, z)
	below := t.in
	if s.Project > 0 {
		t.project = grow(t.project, q.N*s.Project)
		for i := range q.N {
			row := t.project[i*s.Project : (i+1)*s.Project]
			affine(row, n.w.project, t.in[i*s.in():(i+1)*s.in()], n.w.projectBias)
			tanhs(row)
		}
		if z != nil && z.top > 0 {
			t.kept = grow(t.kept, len(t.project))
			z.drop(t.project, t.kept)
		}
		below = t.project
	}
	for len(t.layers) < s.Layers {
		t.layers = append(t.layers, layerTrace{})
	}
	t.pre = grow(t.pre, s.Cell.gates()*s.Hidden)
	for k := range s.Layers {
		l := &t.layers[k]
		l.out = grow(l.out, q.N*2*s.Hidden)
		for d := range 2 {
			n.run(t, l, &n.w.layers[k][d], d, below)
		}
		below = l.out
	}
	if z != nil && z.top > 0 && s.Layers > 0 {
		t.top = append(t.top[:0], below[:q.N*2*s.Hidden]...)
		t.keptTop = grow(t.keptTop, len(t.top))
		z.drop(t.top, t.keptTop)
		below = t.top
	}
	n.output(t, below)
}

// drop sets values to 0 and scales the others up, noting the factors.
func (z *noise) drop(v, kept []float32) {
	up := float32(1 / (1 - z.top))
	for i := range v {
		kept[i] = up
		if z.drops(z.top) {
			kept[i] = 0
		}
		v[i] *= kept[i]
	}
}

// input fills t.in: the vectors of the items and their pooled embeddings.
func (n *Net) input(t *trace, q *Sequence, z *noise) {
	s := n.Shape
	in := s.in()
	t.in = grow(t.in, q.N*in)
	t.drawn, t.ends = t.drawn[:0], t.ends[:0]
	start := int32(0)
	ends := q.Ends
	if s.Dim > 0 && len(ends) == q.N+1 { // a part: the first end is a start
		start, ends = ends[0], ends[1:]
	}
	up := float32(1)
	if z != nil && z.input > 0 {
		up = float32(1 / (1 - z.input))
	}
	for i := range q.N {
		row := t.in[i*in : (i+1)*in]
		copy(row, q.Dense[i*s.Dense:(i+1)*s.Dense])
		if z != nil && z.input > 0 {
			for k := range row[:s.Dense] {
				if row[k] *= up; z.drops(z.input) {
					row[k] = 0
				}
			}
		}
		if s.Dim == 0 {
			continue
		}
		ids := q.IDs[start:ends[i]]
		start = ends[i]
		if z != nil {
			ids = t.draw(ids, z)
		}
		n.pool(row[s.Dense:], ids)
	}
}

// draw appends the ids that are not dropped to t.drawn and returns them.
func (t *trace) draw(ids []uint32, z *noise) []uint32 {
	from := len(t.drawn)
	for _, id := range ids {
		if z.ids == 0 || !z.drops(z.ids) {
			t.drawn = append(t.drawn, id)
		}
	}
	t.ends = append(t.ends, int32(len(t.drawn)))
	return t.drawn[from:]
}

// pool sets dst to the sum of the rows of ids divided by the root of their
// number.
func (n *Net) pool(dst []float32, ids []uint32) {
	clear(dst)
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		k := int(id) % n.Rows * n.Dim
		add(dst, n.table[k:k+n.Dim])
	}
	scale := rootScale(len(ids))
	for i := range dst {
		dst[i] *= scale
	}
}

func rootScale(n int) float32 { return float32(1 / math.Sqrt(float64(n))) }

// output fills t.logit.
func (n *Net) output(t *trace, top []float32) {
	s := n.Shape
	t.logit = grow(t.logit, t.n)
	width, in := s.top(), s.in()
	for i := range t.logit {
		z := n.w.outBias[0]
		if width > 0 {
			z += dot(n.w.out[:width], top[i*width:(i+1)*width])
		}
		if s.Skip {
			z += dot(n.w.out[width:], t.in[i*in:(i+1)*in])
		}
		t.logit[i] = z
	}
}
