package recurrent

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Cell is a kind of recurrent cell.
type Cell string

// The cells.
const (
	GRU  Cell = "gru"  // gated recurrent unit
	LSTM Cell = "lstm" // long short-term memory
	None Cell = ""     // no recurrence: each item for itself
)

// gates is the number of vectors that a cell makes of its input.
func (c Cell) gates() int {
	switch c {
	case GRU:
		return 3
	case LSTM:
		return 4
	}
	return 0
}

// Shape says what a network looks like.
type Shape struct {
	// Dense is the width of the vector of an item.
	Dense int `json:"dense"`
	// Rows and Dim are the size of the table of embeddings, 0 for none.
	Rows int `json:"rows,omitempty"`
	Dim  int `json:"dim,omitempty"`
	// Project is the width of the layer (tanh) between the input and the
	// cells, 0 for none.
	Project int `json:"project,omitempty"`
	// Cell is the kind of the recurrent cells, Hidden the width of each
	// direction, Layers the number of bidirectional layers.
	Cell   Cell `json:"cell,omitempty"`
	Hidden int  `json:"hidden,omitempty"`
	Layers int  `json:"layers,omitempty"`
	// Skip lets the output see the input too, so that a logistic regression
	// is a part of the network.
	Skip bool `json:"skip,omitempty"`
}

// Limits of a shape, so that a damaged file asks for no more memory than this.
const (
	maxWidth  = 1 << 14
	maxRows   = 1 << 22
	maxTable  = 1 << 26
	maxLayers = 4
)

// Check tells what is wrong with a shape.
func (s Shape) Check() error {
	if s.Dense < 0 || s.Dense > maxWidth || s.Dense+s.Dim == 0 {
		return fmt.Errorf("recurrent: dense input of width %d, wanted 1 to %d, or embeddings", s.Dense, maxWidth)
	}
	if s.Rows < 0 || s.Rows > maxRows || s.Dim < 0 || s.Dim > maxWidth || (s.Rows == 0) != (s.Dim == 0) || s.Rows*s.Dim > maxTable {
		return fmt.Errorf("recurrent: table of %d embeddings of width %d, wanted at most %d values, or none of both", s.Rows, s.Dim, maxTable)
	}
	if s.Project < 0 || s.Project > maxWidth || s.Hidden < 0 || s.Hidden > maxWidth/4 {
		return fmt.Errorf("recurrent: projection to %d and %d hidden values, wanted at most %d and %d", s.Project, s.Hidden, maxWidth, maxWidth/4)
	}
	switch s.Cell {
	case GRU, LSTM:
		if s.Hidden < 1 || s.Layers < 1 || s.Layers > maxLayers {
			return fmt.Errorf("recurrent: %d layers of %d hidden values, wanted 1 to %d layers of at least 1", s.Layers, s.Hidden, maxLayers)
		}
	case None:
		if s.Hidden != 0 || s.Layers != 0 {
			return fmt.Errorf("recurrent: %d layers of %d hidden values without cells: name a cell, %s or %s", s.Layers, s.Hidden, GRU, LSTM)
		}
		if s.Project == 0 && !s.Skip {
			return fmt.Errorf("recurrent: the output sees nothing: take cells, a projection or the skip")
		}
	default:
		return fmt.Errorf("recurrent: cell %q, wanted %s, %s or none", s.Cell, GRU, LSTM)
	}
	return nil
}

// in is the width of an item with its pooled embeddings.
func (s Shape) in() int { return s.Dense + s.Dim }

// below is the width of what the first layer of cells sees.
func (s Shape) below() int {
	if s.Project > 0 {
		return s.Project
	}
	return s.in()
}

// top is the width of what the output sees but for the skip.
func (s Shape) top() int {
	if s.Cell == None {
		return s.Project
	}
	return 2 * s.Hidden
}

// cellWeights are those of one direction of a layer. The gates of a GRU are
// reset, update, candidate; those of an LSTM input, forget, candidate, output.
type cellWeights struct {
	in     int       // width of the input
	x      []float32 // gates*Hidden x in
	h      []float32 // gates*Hidden x Hidden
	b      []float32 // gates*Hidden
	inside []float32 // GRU: Hidden, added to the candidate's share of the state
}

// weights are views of one slice that holds all weights but the embeddings.
type weights struct {
	project     []float32 // Project x in
	projectBias []float32
	layers      [][2]cellWeights
	out         []float32 // top, then the input if there is a skip
	outBias     []float32 // one
}

// view cuts w into the weights. all calls for the number of values. Biases, of
// which decay takes nothing, are told to bias, which may be nil.
func (s Shape) view(w []float32, bias func(from, to int)) (v weights, all int) {
	take := func(n int) []float32 {
		from := all
		all += n
		if w == nil {
			return nil
		}
		return w[from:all:all]
	}
	takeBias := func(n int) []float32 {
		if bias != nil {
			bias(all, all+n)
		}
		return take(n)
	}
	v.project = take(s.Project * s.in())
	v.projectBias = takeBias(s.Project)
	width := s.below()
	for range s.Layers {
		var l [2]cellWeights
		for d := range l {
			g := s.Cell.gates() * s.Hidden
			l[d] = cellWeights{in: width, x: take(g * width), h: take(g * s.Hidden), b: takeBias(g)}
			if s.Cell == GRU {
				l[d].inside = takeBias(s.Hidden)
			}
		}
		v.layers = append(v.layers, l)
		width = 2 * s.Hidden
	}
	outs := s.top()
	if s.Skip {
		outs += s.in()
	}
	v.out = take(outs)
	v.outBias = takeBias(1)
	return v, all
}

// Net is a network. It is read-only but for [Train] and [Net.Round].
type Net struct {
	Shape
	flat  []float32 // all weights but the table
	w     weights   // views of flat
	table []float32 // Rows x Dim
}

// empty returns a network of zeros.
func empty(s Shape) (*Net, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	_, n := s.view(nil, nil)
	net := &Net{Shape: s, flat: make([]float32, n), table: make([]float32, s.Rows*s.Dim)}
	net.w, _ = s.view(net.flat, nil)
	return net, nil
}

// New returns a network with weights drawn at random: uniform with the limit
// sqrt(6/(in+out)) (Glorot and Bengio, AISTATS 2010); biases are 0 but those
// of the forget gates, which are 1, and embeddings small.
func New(s Shape, seed uint64) (*Net, error) {
	n, err := empty(s)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x6e6574))
	draw := func(w []float32, in, out int) {
		limit := math.Sqrt(6 / float64(in+out))
		for i := range w {
			w[i] = float32((float64(2*rng.Float64()) - 1) * limit)
		}
	}
	draw(n.w.project, s.in(), s.Project)
	for _, l := range n.w.layers {
		for _, c := range l {
			draw(c.x, c.in, s.Hidden)
			draw(c.h, s.Hidden, s.Hidden)
			if s.Cell == LSTM {
				for i := range s.Hidden {
					c.b[s.Hidden+i] = 1
				}
			}
		}
	}
	draw(n.w.out[:s.top()], s.top(), 1)
	const small = .05
	for i := range n.table {
		n.table[i] = float32((float64(2*rng.Float64()) - 1) * small)
	}
	return n, nil
}

// Clone returns a copy of n.
func (n *Net) Clone() *Net {
	c, _ := empty(n.Shape)
	copy(c.flat, n.flat)
	copy(c.table, n.table)
	return c
}
