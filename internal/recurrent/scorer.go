package recurrent

import (
	"math"
	"sync"
)

// Scorer computes the log odds of several networks for the same sequence, identical to the bit to
// [Net.LogOdds]. On processors with wide vectors the networks share one pass over the items, with
// weights in a suitable layout; otherwise they run one after another. A Scorer is read-only and
// safe for concurrent use. The networks must not change any more.
type Scorer struct {
	nets []*Net
	wide *wideNets // nil if the networks run separately
}

// NewScorer returns a Scorer for networks.
func NewScorer(nets []*Net) *Scorer { return &Scorer{nets, newWideNets(nets)} }

// LogOdds sets dst, with q.N elements for each network, to the log odds of the items by the first network, then by
// the second network, and so on. It panics if q does not fit the shape of the networks. It
// allocates nothing once its buffers exist.
func (s *Scorer) LogOdds(dst []float32, q *Sequence) {
	if s.wide == nil {
		for k, n := range s.nets {
			n.LogOdds(dst[k*q.N:(k+1)*q.N], q)
		}
		return
	}
	first := s.nets[0]
	if err := first.Fits(q); err != nil {
		panic(err)
	}
	t := wideTraces.Get().(*wideTrace)
	defer wideTraces.Put(t)
	for a := 0; a < q.N; a += scoreItems {
		b := min(a+scoreItems, q.N)
		from, to := max(0, a-scoreOverlap), min(q.N, b+scoreOverlap)
		part := q.Part(first.Shape, from, to)
		s.wide.forward(t, &part)
		for k := range s.nets {
			copy(dst[k*q.N+a:k*q.N+b], t.logit[k*part.N+a-from:])
		}
	}
}

// wideNets holds networks of one shape, one layer of gated recurrent units over a projection, in a
// layout for vectors: the weights of several rows are interleaved.
type wideNets struct {
	Shape
	nets  []*Net
	first wideMatrix      // the projections of all networks, then the rows of the skips
	next  []wideMatrix    // by network: from the projection to the gates, both directions
	state [][2]wideStates // by network and direction
}

// wideMatrix is a matrix with a bias whose rows are in groups of wideLanes: the weights of a group
// in the first column, those in the second column, and so on.
type wideMatrix struct {
	w, b    []float32
	groups  int
	columns int
}

// wideStates holds the weights of the state in groups of lanes units: for each value of the state
// the weights of a group's reset gates, update gates and candidates.
type wideStates struct {
	w, inside []float32
	lanes     int
}

// widthMultiple is the number of which the widths of layers must be multiples.
const widthMultiple = 8

// newWideNets arranges the weights of networks. It returns nil if their shapes are unsupported or
// the processor has no wide vectors.
func newWideNets(nets []*Net) *wideNets {
	if wideLanes == 0 || len(nets) == 0 {
		return nil
	}
	s := nets[0].Shape
	for _, n := range nets {
		if n.Shape != s {
			return nil
		}
	}
	if s.Cell != GRU || s.Layers != 1 || s.Dim != 0 || s.Project == 0 || s.Project%widthMultiple != 0 || s.Hidden%widthMultiple != 0 {
		return nil
	}
	wide := &wideNets{Shape: s, nets: nets}
	var rows [][]float32
	var bias []float32
	for _, n := range nets {
		for r := range s.Project {
			rows = append(rows, n.W.Project[r*s.Dense:(r+1)*s.Dense])
		}
		bias = append(bias, n.W.ProjectBias...)
	}
	if s.Skip {
		for _, n := range nets {
			rows = append(rows, n.W.Out[s.Top():])
		}
	}
	wide.first = newWideMatrix(rows, bias, s.Dense)
	for _, n := range nets {
		rows, bias = rows[:0], bias[:0]
		var states [2]wideStates
		for d, c := range n.W.Layers[0] {
			for r := range 3 * s.Hidden {
				rows = append(rows, c.X[r*s.Project:(r+1)*s.Project])
			}
			bias = append(bias, c.B...)
			states[d] = newWideStates(c.H, c.Inside, s.Hidden)
		}
		wide.next = append(wide.next, newWideMatrix(rows, bias, s.Project))
		wide.state = append(wide.state, states)
	}
	return wide
}

// newWideMatrix arranges rows. Rows without a bias get a bias that changes no sum.
func newWideMatrix(rows [][]float32, bias []float32, columns int) wideMatrix {
	m := wideMatrix{groups: (len(rows) + wideLanes - 1) / wideLanes, columns: columns}
	m.w = make([]float32, m.groups*wideLanes*columns)
	m.b = make([]float32, m.groups*wideLanes)
	for i := range m.b {
		m.b[i] = float32(math.Copysign(0, -1))
	}
	copy(m.b, bias)
	for r, row := range rows {
		g, lane := r/wideLanes, r%wideLanes
		for c, v := range row {
			m.w[(g*columns+c)*wideLanes+lane] = v
		}
	}
	return m
}

func newWideStates(h, inside []float32, hidden int) wideStates {
	s := wideStates{make([]float32, 0, len(h)), inside, wideLanes}
	if hidden%s.lanes != 0 {
		s.lanes = widthMultiple
	}
	for unit := 0; unit < hidden; unit += s.lanes {
		for c := range hidden {
			for gate := range 3 {
				for lane := range s.lanes {
					s.w = append(s.w, h[(gate*hidden+unit+lane)*hidden+c])
				}
			}
		}
	}
	return s
}

// wideTrace holds the intermediate values of a run over a sequence. It can be reused.
type wideTrace struct {
	project []float32 // by item: the projections of all networks and the contributions of the skips
	gates   []float32 // by item, network and direction: the contributions of the projection to the gates
	out     []float32 // by item, network and direction: the states
	zero    []float32 // the state before the first item
	logit   []float32 // by network and item
}

var wideTraces = sync.Pool{New: func() any { return new(wideTrace) }}

// forward sets t.logit. Net.forward does the same for one network.
func (w *wideNets) forward(t *wideTrace, q *Sequence) {
	n, k, h := q.N, len(w.nets), w.Hidden
	if n == 0 {
		return
	}
	wide, gates, states := w.first.groups*wideLanes, k*6*h, k*2*h
	t.project = grow(t.project, n*wide)
	w.first.affine(t.project, q.Dense, n, wide, w.Dense)
	for i := range n {
		wideTanhs(t.project[i*wide:][:k*w.Project])
	}
	t.gates = grow(t.gates, n*gates)
	for j, m := range w.next {
		m.affine(t.gates[j*6*h:], t.project[j*w.Project:], n, gates, wide)
	}
	t.out = grow(t.out, n*states)
	t.zero = zeros(t.zero, h)
	for i := range n {
		for j := range w.state {
			w.step(t, j, 0, i, i-1)
			w.step(t, j, 1, n-1-i, n-i)
		}
	}
	t.logit = grow(t.logit, n*k)
	for j, net := range w.nets {
		top, bias := net.W.Out[:2*h], net.W.OutBias[0]
		logit := t.logit[j*n : (j+1)*n]
		for i := range logit {
			z := bias
			z += dot(top, t.out[i*states+j*2*h:][:2*h])
			if w.Skip {
				z += t.project[i*wide+k*w.Project+j]
			}
			logit[i] = z
		}
	}
}

// step sets the state of item i in direction d of network j. before is the item read before.
func (w *wideNets) step(t *wideTrace, j, d, i, before int) {
	k, h := len(w.nets), w.Hidden
	last := t.zero
	at := (j*2 + d) * h
	if before >= 0 && before < len(t.out)/(k*2*h) {
		last = t.out[before*k*2*h+at:][:h]
	}
	wideUnits(t.out[i*k*2*h+at:][:h], t.gates[i*k*6*h+3*at:][:3*h], last, &w.state[j][d])
}
