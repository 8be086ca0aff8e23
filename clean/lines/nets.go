package lines

import "chaffinch/internal/recurrent"

// NetShape says what a recurrent network looks like.
type NetShape struct {
	// Dense is the width of the vector of an item; training fills it in.
	Dense int `json:"dense"`
	// Rows and Dim are the size of the table of embeddings, 0 for none.
	Rows int `json:"rows,omitempty"`
	Dim  int `json:"dim,omitempty"`
	// Project is the width of the layer (tanh) between the input and the
	// cells, 0 for none.
	Project int `json:"project,omitempty"`
	// Cell is the kind of the recurrent cells, "gru", "lstm", or "" for each item
	// by itself; Hidden is the width of each direction, Layers the number of
	// bidirectional layers.
	Cell   string `json:"cell,omitempty"`
	Hidden int    `json:"hidden,omitempty"`
	Layers int    `json:"layers,omitempty"`
	// Skip lets the output see the input too, so that a logistic regression
	// is a part of the network.
	Skip bool `json:"skip,omitempty"`
}

func (s NetShape) shape() recurrent.Shape {
	return recurrent.Shape{Dense: s.Dense, Rows: s.Rows, Dim: s.Dim, Project: s.Project, Cell: recurrent.Cell(s.Cell), Hidden: s.Hidden, Layers: s.Layers, Skip: s.Skip}
}

func shapeOf(n *recurrent.Net) NetShape {
	s := n.Shape
	return NetShape{Dense: s.Dense, Rows: s.Rows, Dim: s.Dim, Project: s.Project, Cell: string(s.Cell), Hidden: s.Hidden, Layers: s.Layers, Skip: s.Skip}
}

// NetConfig says how a recurrent network is trained.
type NetConfig struct {
	// Epochs is how often each sequence is seen at most, Patience after how
	// many epochs without a better one training ends; 0 for never. The best is
	// the one with most of the development part on the right side of a half,
	// of several the one with the lowest loss there. Its weights are kept.
	Epochs   int `json:"epochs"`
	Patience int `json:"patience,omitempty"`
	// Batch is the number of sequences of a step.
	Batch int `json:"batch"`
	// Rate is the largest step. It rises over the first twentieth of the steps
	// and falls along half a cosine to 0 at the end of the last epoch.
	Rate float64 `json:"rate"`
	// Decay is the share of a weight that a step takes away, times the rate
	// (Loshchilov and Hutter, Decoupled weight decay regularization, 2019);
	// TableDecay is that of embeddings.
	Decay      float64 `json:"decay,omitempty"`
	TableDecay float64 `json:"table_decay,omitempty"`
	// DropInput, DropIDs and DropHidden are the shares of dense values, of ids
	// and of values of the projection and of the last layer that are left out
	// at random (Srivastava et al., JMLR 15, 2014).
	DropInput  float64 `json:"drop_input,omitempty"`
	DropIDs    float64 `json:"drop_ids,omitempty"`
	DropHidden float64 `json:"drop_hidden,omitempty"`
	// Clip is the largest length of a gradient, 0 for any.
	Clip float64 `json:"clip,omitempty"`
	// Smooth moves targets towards a half: 0 becomes Smooth/2.
	Smooth float64 `json:"smooth,omitempty"`
	// Window is the number of items that are learned from at once; longer
	// sequences are cut into windows that see Overlap items more on each side.
	Window  int `json:"window,omitempty"`
	Overlap int `json:"overlap,omitempty"`
	// Anchor draws weights towards those that training began with: the share
	// of the difference that a step takes away, times the rate.
	Anchor float64 `json:"anchor,omitempty"`
	Seed   uint64  `json:"seed"`
	// Workers is the number of goroutines, 0 for one per processor. It does
	// not change the weights.
	Workers int `json:"-"`
}
