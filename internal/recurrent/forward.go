package recurrent

import "math"

// Sequence is a document: a sequence of items with a vector each.
type Sequence struct {
	// Dense holds the vectors of the items, Shape.Dense values each.
	Dense []float32
	// IDs holds the ids of all items; IDs[Ends[i-1]:Ends[i]] belong to item i. Ids are rows of
	// the table, modulo its size. Their sum, divided by the square root of their number, is
	// appended to the vector. Both are nil for a network without a table.
	IDs  []uint32
	Ends []int32
	// N is the number of items.
	N int
}

// Part returns items a to b-1 of a sequence for networks of a shape.
func (q *Sequence) Part(s Shape, a, b int) Sequence {
	p := Sequence{N: b - a, Dense: q.Dense[a*s.Dense : b*s.Dense]}
	if s.Dim > 0 {
		p.IDs, p.Ends = q.IDs, q.Ends[a:b]
		if a > 0 {
			p.Ends = q.Ends[a-1 : b]
		}
	}
	return p
}

// Trace holds the intermediate values of a run over a sequence. It can be reused.
type Trace struct {
	N       int
	In      []float32 // n x in
	Project []float32 // n x Project, after tanh and noise
	Layers  []LayerTrace
	LogOdds []float32

	pre         []float32 // gates of one item: the contribution of the state
	carry, cell []float32 // the state before the first item
}

// LayerTrace holds the values of one layer; element t belongs to item t.
type LayerTrace struct {
	Gates [2][]float32 // n x gates*Hidden, after the nonlinearities
	State [2][]float32 // GRU: the candidate's contribution of the state; LSTM: the memory
	Out   []float32    // n x 2*Hidden: forward, backward
}

// Noise modifies values inside a network during training (dropout).
type Noise interface {
	// Input modifies the vector of the next item, without embeddings.
	Input(row []float32)
	// Pick returns the ids of the next item that are used.
	Pick(ids []uint32) []uint32
	// Projected modifies the projections of all items.
	Projected(v []float32)
	// Last returns the values to use for the states of the last layer.
	Last(v []float32) []float32
}

// Forward sets t.LogOdds to the log odds of the items. z may be nil.
func (n *Net) Forward(t *Trace, q *Sequence, z Noise) {
	s := n.Shape
	t.N = q.N
	n.input(t, q, z)
	below := t.In
	if s.Project > 0 {
		t.Project = grow(t.Project, q.N*s.Project)
		for i := range q.N {
			row := t.Project[i*s.Project : (i+1)*s.Project]
			affine(row, n.W.Project, t.In[i*s.Width():(i+1)*s.Width()], n.W.ProjectBias)
			tanhs(row)
		}
		if z != nil {
			z.Projected(t.Project)
		}
		below = t.Project
	}
	for len(t.Layers) < s.Layers {
		t.Layers = append(t.Layers, LayerTrace{})
	}
	t.pre = grow(t.pre, s.Cell.Gates()*s.Hidden)
	for k := range s.Layers {
		l := &t.Layers[k]
		l.Out = grow(l.Out, q.N*2*s.Hidden)
		for d := range 2 {
			n.run(t, l, &n.W.Layers[k][d], d, below)
		}
		below = l.Out
	}
	if z != nil && s.Layers > 0 {
		below = z.Last(below[:q.N*2*s.Hidden])
	}
	n.output(t, below)
}

// input sets t.In: the vectors of the items and their pooled embeddings.
func (n *Net) input(t *Trace, q *Sequence, z Noise) {
	s := n.Shape
	in := s.Width()
	t.In = grow(t.In, q.N*in)
	start := int32(0)
	ends := q.Ends
	if s.Dim > 0 && len(ends) == q.N+1 { // a part: the first end is a start
		start, ends = ends[0], ends[1:]
	}
	for i := range q.N {
		row := t.In[i*in : (i+1)*in]
		copy(row, q.Dense[i*s.Dense:(i+1)*s.Dense])
		if z != nil {
			z.Input(row[:s.Dense])
		}
		if s.Dim == 0 {
			continue
		}
		ids := q.IDs[start:ends[i]]
		start = ends[i]
		if z != nil {
			ids = z.Pick(ids)
		}
		n.pool(row[s.Dense:], ids)
	}
}

// pool sets dst to the sum of the rows of ids divided by the square root of their number.
func (n *Net) pool(dst []float32, ids []uint32) {
	clear(dst)
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		k := int(id) % n.Rows * n.Dim
		Add(dst, n.Table[k:k+n.Dim])
	}
	scale := RootScale(len(ids))
	for i := range dst {
		dst[i] *= scale
	}
}

// RootScale returns the factor of the sum of the embeddings of n ids: 1/sqrt(n).
func RootScale(n int) float32 { return float32(1 / math.Sqrt(float64(n))) }

// output sets t.LogOdds.
func (n *Net) output(t *Trace, top []float32) {
	s := n.Shape
	t.LogOdds = grow(t.LogOdds, t.N)
	width, in := s.Top(), s.Width()
	for i := range t.LogOdds {
		z := n.W.OutBias[0]
		if width > 0 {
			z += dot(n.W.Out[:width], top[i*width:(i+1)*width])
		}
		if s.Skip {
			z += dot(n.W.Out[width:], t.In[i*in:(i+1)*in])
		}
		t.LogOdds[i] = z
	}
}
