package recurrent

import "fmt"

// Cell is a kind of recurrent cell.
type Cell string

// The kinds of cells.
const (
	GRU  Cell = "gru"  // gated recurrent unit
	LSTM Cell = "lstm" // long short-term memory
	None Cell = ""     // no recurrence: items are independent
)

// Gates returns the number of gates of a cell: vectors of the hidden width that are computed from
// its input.
func (c Cell) Gates() int {
	switch c {
	case GRU:
		return 3
	case LSTM:
		return 4
	}
	return 0
}

// Shape describes the layers of a network.
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
	// Skip adds the input to the input of the output layer, so that the network contains a logistic
	// regression.
	Skip bool `json:"skip,omitempty"`
}

// Limits of a shape, which bound the memory that a damaged file can request.
const (
	maxWidth  = 1 << 14
	maxRows   = 1 << 22
	maxTable  = 1 << 26
	maxLayers = 4
)

// Check returns an error if the shape is invalid.
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

// Width returns the width of an item with its pooled embeddings.
func (s Shape) Width() int { return s.Dense + s.Dim }

// below returns the width of the input of the first layer of cells.
func (s Shape) below() int {
	if s.Project > 0 {
		return s.Project
	}
	return s.Width()
}

// Top returns the width of the input of the output layer, without the skip.
func (s Shape) Top() int {
	if s.Cell == None {
		return s.Project
	}
	return 2 * s.Hidden
}

// CellWeights holds the weights of one direction of a layer. The gates of a GRU are reset, update
// and candidate; the gates of an LSTM are input, forget, candidate and output.
type CellWeights struct {
	In     int       // width of the input
	X      []float32 // gates*Hidden x in
	H      []float32 // gates*Hidden x Hidden
	B      []float32 // gates*Hidden
	Inside []float32 // GRU: Hidden, added to the candidate's contribution of the state
}

// Weights holds views of a slice with all weights except the embeddings.
type Weights struct {
	Project     []float32 // Project x in
	ProjectBias []float32
	Layers      [][2]CellWeights
	Out         []float32 // top, then the input with Skip
	OutBias     []float32 // one value
}

// View returns views of w, which may be nil, and the total number of weights. It calls bias, if not
// nil, with the range of each bias vector: training excludes biases from weight decay.
func (s Shape) View(w []float32, bias func(from, to int)) (v Weights, all int) {
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
	v.Project = take(s.Project * s.Width())
	v.ProjectBias = takeBias(s.Project)
	width := s.below()
	for range s.Layers {
		var l [2]CellWeights
		for d := range l {
			g := s.Cell.Gates() * s.Hidden
			l[d] = CellWeights{In: width, X: take(g * width), H: take(g * s.Hidden), B: takeBias(g)}
			if s.Cell == GRU {
				l[d].Inside = takeBias(s.Hidden)
			}
		}
		v.Layers = append(v.Layers, l)
		width = 2 * s.Hidden
	}
	outs := s.Top()
	if s.Skip {
		outs += s.Width()
	}
	v.Out = take(outs)
	v.OutBias = takeBias(1)
	return v, all
}

// Net is a network. Only training and [Net.Round] change it.
type Net struct {
	Shape
	Flat  []float32 // all weights except the table
	W     Weights   // views of Flat
	Table []float32 // Rows x Dim
}

// Empty returns a network with zero weights.
func Empty(s Shape) (*Net, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	_, n := s.View(nil, nil)
	net := &Net{Shape: s, Flat: make([]float32, n), Table: make([]float32, s.Rows*s.Dim)}
	net.W, _ = s.View(net.Flat, nil)
	return net, nil
}
