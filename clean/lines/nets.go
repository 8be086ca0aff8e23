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
