package recurrent

// gradient is what a part of the data says of the weights.
type gradient struct {
	flat  []float32
	w     weights // views of flat
	table []float32
	rows  []uint32 // of the table that are not 0, in the order they came
	seen  []bool   // by row
}

func newGradient(s Shape) *gradient {
	_, n := s.view(nil, nil)
	g := &gradient{flat: make([]float32, n), table: make([]float32, s.Rows*s.Dim), seen: make([]bool, s.Rows)}
	g.w, _ = s.view(g.flat, nil)
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
	add(g.flat, o.flat)
	for _, r := range o.rows {
		g.touch(r)
		a, b := int(r)*dim, (int(r)+1)*dim
		add(g.table[a:b], o.table[a:b])
	}
}

func (g *gradient) touch(r uint32) {
	if !g.seen[r] {
		g.seen[r] = true
		g.rows = append(g.rows, r)
	}
}

// backward adds to g the gradient of the loss of which d is the derivative by
// t.logit; forward made t of q just before.
func (n *Net) backward(g *gradient, t *trace, d []float32, z *noise) {
	s := n.Shape
	in, width := s.in(), s.top()
	below, first := t.in, t.in
	if s.Project > 0 {
		below, first = t.project, t.project
	}
	if s.Layers > 0 {
		below = t.layers[s.Layers-1].out
	}
	dropped := z != nil && z.top > 0 && s.Layers > 0
	if dropped {
		below = t.top
	}
	t.dIn = zeros(t.dIn, t.n*in)
	t.dTop = zeros(t.dTop, t.n*width)
	for i, v := range d {
		g.w.outBias[0] += v
		if width > 0 {
			addScaled(g.w.out[:width], v, below[i*width:(i+1)*width])
			addScaled(t.dTop[i*width:(i+1)*width], v, n.w.out)
		}
		if s.Skip {
			addScaled(g.w.out[width:], v, t.in[i*in:(i+1)*in])
			addScaled(t.dIn[i*in:(i+1)*in], v, n.w.out[width:])
		}
	}
	if dropped {
		for i, f := range t.keptTop[:len(t.dTop)] {
			t.dTop[i] *= f
		}
	}
	for k := s.Layers - 1; k >= 0; k-- {
		under := first
		if k > 0 {
			under = t.layers[k-1].out
		}
		t.dBelow = zeros(t.dBelow, t.n*n.w.layers[k][0].in)
		for dir := range 2 {
			n.runBack(t, &t.layers[k], &n.w.layers[k][dir], &g.w.layers[k][dir], dir, under)
		}
		t.dTop, t.dBelow = t.dBelow, t.dTop
	}
	if s.Project > 0 {
		n.projectBack(g, t, z)
	} else if s.Layers > 0 {
		add(t.dIn, t.dTop)
	}
	n.poolBack(g, t)
}

// projectBack takes t.dTop through the projection into t.dIn.
func (n *Net) projectBack(g *gradient, t *trace, z *noise) {
	p, in := n.Project, n.in()
	d := t.dTop[:t.n*p]
	dropped := z != nil && z.top > 0
	for i := range d {
		y := t.project[i]
		if dropped {
			if t.kept[i] == 0 {
				d[i] = 0
				continue
			}
			y /= t.kept[i]
			d[i] *= t.kept[i]
		}
		d[i] *= 1 - float32(y*y)
	}
	addOuter(g.w.project, p, in, d, p, t.in, in, t.n)
	for i := range t.n {
		row := d[i*p : (i+1)*p]
		add(g.w.projectBias, row)
		addTransposed(t.dIn[i*in:(i+1)*in], n.w.project, row)
	}
}

// poolBack takes t.dIn to the rows of the table.
func (n *Net) poolBack(g *gradient, t *trace) {
	if n.Dim == 0 {
		return
	}
	start := int32(0)
	for i := range t.n {
		ids := t.drawn[start:t.ends[i]]
		start = t.ends[i]
		if len(ids) == 0 {
			continue
		}
		d := t.dIn[i*n.in()+n.Dense:][:n.Dim]
		scale := rootScale(len(ids))
		for k := range d {
			d[k] *= scale
		}
		for _, id := range ids {
			r := int(id) % n.Rows
			g.touch(uint32(r))
			add(g.table[r*n.Dim:(r+1)*n.Dim], d)
		}
	}
}

// runBack takes the derivatives t.dTop of one direction of a layer back in
// time (Werbos, Backpropagation through time, Proc. IEEE 78, 1990), adding to
// the gradient gw and to t.dBelow.
func (n *Net) runBack(t *trace, l *layerTrace, c, gw *cellWeights, dir int, under []float32) {
	h, wide := n.Hidden, 2*n.Hidden
	g := n.Cell.gates() * h
	t.dGates = grow(t.dGates, t.n*g)
	t.dState = grow(t.dState, t.n*g)
	t.carry = zeros(t.carry, h)
	t.cell = zeros(t.cell, h)
	t.pre = zeros(t.pre, g)
	order(t.n, 1-dir, func(i, _ int) {
		before := i - 1 + 2*dir
		last, memory := t.pre[:h], t.pre[:h] // zeros
		if before >= 0 && before < t.n {
			last = l.out[before*wide+dir*h:][:h]
			memory = l.state[dir][before*h:][:h]
		}
		d := t.dTop[i*wide+dir*h:][:h]
		add(d, t.carry)
		gates, state := l.gates[dir][i*g:(i+1)*g], l.state[dir][i*h:(i+1)*h]
		dx, dh := t.dGates[i*g:(i+1)*g], t.dState[i*g:(i+1)*g]
		if n.Cell == GRU {
			gruBack(dx, dh, t.carry, d, gates, state, last)
		} else {
			lstmBack(dx, t.cell, d, gates, state, memory)
			copy(dh, dx)
			clear(t.carry)
		}
		addTransposed(t.carry, c.h, dh)
	})
	addOuter(gw.x, g, c.in, t.dGates, g, under, c.in, t.n)
	if t.n > 1 { // the first item that is read has no state before it
		if dir == 0 {
			addOuter(gw.h, g, h, t.dState[g:], g, l.out, wide, t.n-1)
		} else {
			addOuter(gw.h, g, h, t.dState, g, l.out[wide+h:], wide, t.n-1)
		}
	}
	for i := range t.n {
		row := t.dGates[i*g : (i+1)*g]
		add(gw.b, row)
		if n.Cell == GRU {
			add(gw.inside, t.dState[i*g+2*h:(i+1)*g])
		}
		addTransposed(t.dBelow[i*c.in:(i+1)*c.in], c.x, row)
	}
}

// gruBack takes d, the derivative by h', to dx and dh, those by the shares of
// x and h in the gates, and to carry, that by h but for its share in the gates.
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

// lstmBack takes d, the derivative by h', and cell, that by m' from the item
// after, to dx, that by the gates; cell becomes the derivative by m.
func lstmBack(dx, cell, d, gates, state, memory []float32) {
	h := len(d)
	for k, v := range d {
		i, f, c, o := gates[k], gates[h+k], gates[2*h+k], gates[3*h+k]
		m := tanh(state[k])
		dm := cell[k] + float32(v*o*(1-float32(m*m)))
		dx[k] = dm * c * i * (1 - i)
		dx[h+k] = dm * memory[k] * f * (1 - f)
		dx[2*h+k] = dm * i * (1 - float32(c*c))
		dx[3*h+k] = v * m * o * (1 - o)
		cell[k] = dm * f
	}
}
