package lines

import (
	"chaffinch/clean/lines"
	"chaffinch/internal/boost"
	"chaffinch/internal/recurrent"
)

// parts is a model during training.
type parts struct {
	lines.Parts
	nets   []*recurrent.Net
	forest *boost.Forest
}

// partsOf returns the parts of a model.
func partsOf(m *lines.Model) (*parts, error) {
	p, err := m.Parts()
	if err != nil {
		return nil, err
	}
	out := &parts{Parts: p}
	for _, b := range p.Nets {
		n, err := recurrent.Parse(shapeOf(p.Shape), b)
		if err != nil {
			return nil, err
		}
		out.nets = append(out.nets, n)
	}
	if p.Forest != nil {
		out.forest = new(boost.Forest)
		return out, out.forest.UnmarshalBinary(p.Forest)
	}
	return out, nil
}

// model assembles the model.
func (m *parts) model() (*lines.Model, error) {
	p := m.Parts
	p.Nets, p.Forest = nil, nil
	for _, n := range m.nets {
		b, err := n.AppendBinary(nil)
		if err != nil {
			return nil, err
		}
		p.Nets = append(p.Nets, b)
		p.Shape = lines.NetShape{Dense: n.Dense, Rows: n.Rows, Dim: n.Dim, Project: n.Project, Cell: string(n.Cell), Hidden: n.Hidden, Layers: n.Layers, Skip: n.Skip}
	}
	if m.forest != nil {
		var err error
		if p.Forest, err = m.forest.AppendBinary(nil); err != nil {
			return nil, err
		}
	}
	return lines.NewModel(p)
}

// shapeOf returns the shape of a network.
func shapeOf(s lines.NetShape) recurrent.Shape {
	return recurrent.Shape{Dense: s.Dense, Rows: s.Rows, Dim: s.Dim, Project: s.Project, Cell: recurrent.Cell(s.Cell), Hidden: s.Hidden, Layers: s.Layers, Skip: s.Skip}
}
