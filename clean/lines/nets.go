package lines

import "chaffinch/internal/recurrent"

// NetShape holds the dimensions of a recurrent network.
type NetShape struct {
	// Dense is the width of the vector of an item. Training sets it.
	Dense int `json:"dense"`
	// Rows and Dim are the size of the embedding table, 0 for none.
	Rows int `json:"rows,omitempty"`
	Dim  int `json:"dim,omitempty"`
	// Project is the width of the layer (tanh) between the input and the
	// cells, 0 for none.
	Project int `json:"project,omitempty"`
	// Cell is the kind of the recurrent cells, "gru" or "lstm"; "" processes each item
	// separately. Hidden is the width of each direction. Layers is the number of
	// bidirectional layers.
	Cell   string `json:"cell,omitempty"`
	Hidden int    `json:"hidden,omitempty"`
	Layers int    `json:"layers,omitempty"`
	// Skip connects the input to the output directly, so that the network contains a
	// logistic regression.
	Skip bool `json:"skip,omitempty"`
}

func (s NetShape) shape() recurrent.Shape {
	return recurrent.Shape{Dense: s.Dense, Rows: s.Rows, Dim: s.Dim, Project: s.Project, Cell: recurrent.Cell(s.Cell), Hidden: s.Hidden, Layers: s.Layers, Skip: s.Skip}
}

func shapeOf(n *recurrent.Net) NetShape {
	s := n.Shape
	return NetShape{Dense: s.Dense, Rows: s.Rows, Dim: s.Dim, Project: s.Project, Cell: string(s.Cell), Hidden: s.Hidden, Layers: s.Layers, Skip: s.Skip}
}
