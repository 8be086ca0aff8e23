package recurrent

// Order calls do for the items in the order in which direction d reads them. before is the item
// read before, -1 for the first.
func Order(n, d int, do func(t, before int)) {
	for k := range n {
		if d == 0 {
			do(k, k-1)
			continue
		}
		before := n - k
		if k == 0 {
			before = -1
		}
		do(n-1-k, before)
	}
}

// run computes one direction of a layer. below is the output of the layer below.
func (n *Net) run(t *Trace, l *LayerTrace, c *CellWeights, d int, below []float32) {
	h, wide := n.Hidden, 2*n.Hidden
	g := n.Cell.Gates() * h
	l.Gates[d] = grow(l.Gates[d], t.N*g)
	l.State[d] = grow(l.State[d], t.N*h)
	t.carry = zeros(t.carry, h)
	t.cell = zeros(t.cell, h)
	zero := t.carry
	for i := range t.N {
		affine(l.Gates[d][i*g:(i+1)*g], c.X, below[i*c.In:(i+1)*c.In], c.B)
	}
	Order(t.N, d, func(i, before int) {
		last, memory := zero, t.cell
		if before >= 0 {
			last = l.Out[before*wide+d*h:][:h]
			memory = l.State[d][before*h:][:h]
		}
		affine(t.pre, c.H, last, nil)
		gates := l.Gates[d][i*g : (i+1)*g]
		state := l.State[d][i*h : (i+1)*h]
		out := l.Out[i*wide+d*h:][:h]
		if n.Cell == GRU {
			gru(out, state, gates, t.pre, last, c.Inside)
		} else {
			lstm(out, state, gates, t.pre, memory)
		}
	})
}

// gru is one step of a gated recurrent unit (Cho et al., EMNLP 2014, with the
// reset gate after the product, as in cuDNN):
//
//	r = s(Wr x + Ur h)  z = s(Wz x + Uz h)  c = tanh(Wc x + r (Uc h + b))
//	h' = (1-z) c + z h
//
// gates holds the contributions of x and is overwritten with r, z, c. state is set to Uc h + b.
func gru(out, state, gates, pre, last, inside []float32) {
	h := len(out)
	r, z, c := gates[:h], gates[h:2*h], gates[2*h:3*h]
	pr, pz, pc := pre[:h], pre[h:2*h], pre[2*h:3*h]
	state, last, inside = state[:h], last[:h], inside[:h]
	for k := range out {
		r[k] += pr[k]
		z[k] += pz[k]
		state[k] = pc[k] + inside[k]
	}
	sigmoids(gates[:2*h])
	for k := range out {
		c[k] += float32(r[k] * state[k])
	}
	tanhs(c)
	for k := range out {
		out[k] = c[k] + float32(z[k]*(last[k]-c[k]))
	}
}

// lstm is one step of a long short-term memory (Hochreiter and Schmidhuber,
// Neural Computation 9, 1997, with the forget gate of Gers et al., 2000):
//
//	i, f, o = s(W x + U h)  c = tanh(Wc x + Uc h)
//	m' = f m + i c  h' = o tanh(m')
//
// gates holds the contributions of x and is overwritten with i, f, c, o. state is set to m'.
// gates holds the shares of x and gets i, f, c, o; state gets m'.
func lstm(out, state, gates, pre, memory []float32) {
	h := len(out)
	i, f, c, o := gates[:h], gates[h:2*h], gates[2*h:3*h], gates[3*h:4*h]
	pi, pf, pc, po := pre[:h], pre[h:2*h], pre[2*h:3*h], pre[3*h:4*h]
	state, memory = state[:h], memory[:h]
	for k := range out {
		i[k] += pi[k]
		f[k] += pf[k]
		c[k] += pc[k]
		o[k] += po[k]
	}
	sigmoids(gates[:2*h])
	tanhs(c)
	sigmoids(o)
	for k := range out {
		state[k] = float32(f[k]*memory[k]) + float32(i[k]*c[k])
		out[k] = state[k]
	}
	tanhs(out)
	for k := range out {
		out[k] = float32(o[k] * out[k])
	}
}
