package nets

import (
	"slices"

	"chaffinch/internal/recurrent"
)

// gradient holds the gradient of the loss of a part of the data.
type gradient struct {
	flat  []float32
	w     recurrent.Weights // views of flat
	table []float32
	rows  []uint32 // nonzero rows of the table, in order of first use
	seen  []bool   // by row

	// Derivatives by values of the network, and buffers for them.
	dIn, dTop, dBelow           []float32
	dGates, dState, carry, cell []float32
	zero                        []float32 // the state before the first item
}

func newGradient(s recurrent.Shape) *gradient {
	_, n := s.View(nil, nil)
	g := &gradient{flat: make([]float32, n), table: make([]float32, s.Rows*s.Dim), seen: make([]bool, s.Rows)}
	g.w, _ = s.View(g.flat, nil)
	return g
}

// reset sets g to 0.
func (g *gradient) reset(dim int) {
	clear(g.flat)
	for _, r := range g.rows {
		clear(g.table[int(r)*dim : (int(r)+1)*dim])
		g.seen[r] = false
	}
	g.rows = g.rows[:0]
}

// merge adds o to g.
func (g *gradient) merge(o *gradient, dim int) {
	recurrent.Add(g.flat, o.flat)
	for _, r := range o.rows {
		g.touch(r)
		a, b := int(r)*dim, (int(r)+1)*dim
		recurrent.Add(g.table[a:b], o.table[a:b])
	}
}

func (g *gradient) touch(r uint32) {
	if !g.seen[r] {
		g.seen[r] = true
		g.rows = append(g.rows, r)
	}
}

// backward adds the gradient of the loss to g. d is the derivative of the loss by t.LogOdds, which
// Forward has computed with the noise of z.
func backward(n *recurrent.Net, g *gradient, t *recurrent.Trace, d []float32, z *dropout) {
	s := n.Shape
	in, width := s.Width(), s.Top()
	below, first := t.In, t.In
	if s.Project > 0 {
		below, first = t.Project, t.Project
	}
	if s.Layers > 0 {
		below = t.Layers[s.Layers-1].Out
	}
	dropped := z.top > 0 && s.Layers > 0
	if dropped {
		below = z.out
	}
	g.dIn = cleared(g.dIn, t.N*in)
	g.dTop = cleared(g.dTop, t.N*width)
	for i, v := range d {
		g.w.OutBias[0] += v
		if width > 0 {
			addScaled(g.w.Out[:width], v, below[i*width:(i+1)*width])
			addScaled(g.dTop[i*width:(i+1)*width], v, n.W.Out)
		}
		if s.Skip {
			addScaled(g.w.Out[width:], v, t.In[i*in:(i+1)*in])
			addScaled(g.dIn[i*in:(i+1)*in], v, n.W.Out[width:])
		}
	}
	if dropped {
		for i, f := range z.keptTop[:len(g.dTop)] {
			g.dTop[i] *= f
		}
	}
	for k := s.Layers - 1; k >= 0; k-- {
		under := first
		if k > 0 {
			under = t.Layers[k-1].Out
		}
		g.dBelow = cleared(g.dBelow, t.N*n.W.Layers[k][0].In)
		for dir := range 2 {
			runBack(n, g, t, &t.Layers[k], &n.W.Layers[k][dir], &g.w.Layers[k][dir], dir, under)
		}
		g.dTop, g.dBelow = g.dBelow, g.dTop
	}
	if s.Project > 0 {
		projectBack(n, g, t, z)
	} else if s.Layers > 0 {
		recurrent.Add(g.dIn, g.dTop)
	}
	poolBack(n, g, t.N, z)
}

// projectBack propagates g.dTop through the projection to g.dIn.
func projectBack(n *recurrent.Net, g *gradient, t *recurrent.Trace, z *dropout) {
	p, in := n.Project, n.Width()
	d := g.dTop[:t.N*p]
	dropped := z.top > 0
	for i := range d {
		y := t.Project[i]
		if dropped {
			if z.kept[i] == 0 {
				d[i] = 0
				continue
			}
			y /= z.kept[i]
			d[i] *= z.kept[i]
		}
		d[i] *= 1 - float32(y*y)
	}
	addOuter(g.w.Project, p, in, d, p, t.In, in, t.N)
	for i := range t.N {
		row := d[i*p : (i+1)*p]
		recurrent.Add(g.w.ProjectBias, row)
		addTransposed(g.dIn[i*in:(i+1)*in], n.W.Project, row)
	}
}

// poolBack propagates g.dIn to the rows of the table.
func poolBack(n *recurrent.Net, g *gradient, items int, z *dropout) {
	if n.Dim == 0 {
		return
	}
	start := int32(0)
	for i := range items {
		ids := z.drawn[start:z.ends[i]]
		start = z.ends[i]
		if len(ids) == 0 {
			continue
		}
		d := g.dIn[i*n.Width()+n.Dense:][:n.Dim]
		scale := recurrent.RootScale(len(ids))
		for k := range d {
			d[k] *= scale
		}
		for _, id := range ids {
			r := int(id) % n.Rows
			g.touch(uint32(r))
			recurrent.Add(g.table[r*n.Dim:(r+1)*n.Dim], d)
		}
	}
}

// runBack propagates the derivatives buf.dTop of one direction of a layer back in time (Werbos,
// Backpropagation through time, Proc. IEEE 78, 1990). It adds to gw, a part of the gradient buf,
// and to buf.dBelow.
func runBack(n *recurrent.Net, buf *gradient, t *recurrent.Trace, l *recurrent.LayerTrace, c, gw *recurrent.CellWeights, dir int, under []float32) {
	h, wide := n.Hidden, 2*n.Hidden
	g := n.Cell.Gates() * h
	buf.dGates = slices.Grow(buf.dGates[:0], t.N*g)[:t.N*g]
	buf.dState = slices.Grow(buf.dState[:0], t.N*g)[:t.N*g]
	buf.carry = cleared(buf.carry, h)
	buf.cell = cleared(buf.cell, h)
	buf.zero = cleared(buf.zero, h)
	recurrent.Order(t.N, 1-dir, func(i, _ int) {
		before := i - 1 + 2*dir
		last, memory := buf.zero, buf.zero
		if before >= 0 && before < t.N {
			last = l.Out[before*wide+dir*h:][:h]
			memory = l.State[dir][before*h:][:h]
		}
		d := buf.dTop[i*wide+dir*h:][:h]
		recurrent.Add(d, buf.carry)
		gates, state := l.Gates[dir][i*g:(i+1)*g], l.State[dir][i*h:(i+1)*h]
		dx, dh := buf.dGates[i*g:(i+1)*g], buf.dState[i*g:(i+1)*g]
		if n.Cell == recurrent.GRU {
			gruBack(dx, dh, buf.carry, d, gates, state, last)
		} else {
			lstmBack(dx, buf.cell, d, gates, state, memory)
			copy(dh, dx)
			clear(buf.carry)
		}
		addTransposed(buf.carry, c.H, dh)
	})
	addOuter(gw.X, g, c.In, buf.dGates, g, under, c.In, t.N)
	if t.N > 1 { // the first item read has no previous state
		if dir == 0 {
			addOuter(gw.H, g, h, buf.dState[g:], g, l.Out, wide, t.N-1)
		} else {
			addOuter(gw.H, g, h, buf.dState, g, l.Out[wide+h:], wide, t.N-1)
		}
	}
	for i := range t.N {
		row := buf.dGates[i*g : (i+1)*g]
		recurrent.Add(gw.B, row)
		if n.Cell == recurrent.GRU {
			recurrent.Add(gw.Inside, buf.dState[i*g+2*h:(i+1)*g])
		}
		addTransposed(buf.dBelow[i*c.In:(i+1)*c.In], c.X, row)
	}
}

// gruBack propagates d, the derivative by h', to dx and dh, the derivatives by the contributions of
// x and h to the gates, and to carry, the derivative by h without its contribution to the gates.
func gruBack(dx, dh, carry, d, gates, state, last []float32) {
	h := len(d)
	for k, v := range d {
		r, z, c := gates[k], gates[h+k], gates[2*h+k]
		dc := v * (1 - z) * (1 - float32(c*c))
		dr := dc * state[k] * r * (1 - r)
		dz := v * (last[k] - c) * z * (1 - z)
		dx[k], dx[h+k], dx[2*h+k] = dr, dz, dc
		dh[k], dh[h+k], dh[2*h+k] = dr, dz, dc*r
		carry[k] = v * z
	}
}

// lstmBack propagates d, the derivative by h', and cell, the derivative by m' from the next item,
// to dx, the derivative by the gates. cell becomes the derivative by m.
func lstmBack(dx, cell, d, gates, state, memory []float32) {
	h := len(d)
	for k, v := range d {
		i, f, c, o := gates[k], gates[h+k], gates[2*h+k], gates[3*h+k]
		m := recurrent.Tanh(state[k])
		dm := cell[k] + float32(v*o*(1-float32(m*m)))
		dx[k] = dm * c * i * (1 - i)
		dx[h+k] = dm * memory[k] * f * (1 - f)
		dx[2*h+k] = dm * i * (1 - float32(c*c))
		dx[3*h+k] = v * m * o * (1 - o)
		cell[k] = dm * f
	}
}

// cleared returns s with length n and all elements 0.
func cleared(s []float32, n int) []float32 {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}
