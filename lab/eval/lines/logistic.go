package lines

import (
	"context"
	"math"

	"chaffinch/clean/lines"
	"chaffinch/internal/truth"
	"chaffinch/lab/gold"
)

// Logistic is logistic regression on the columns of each line: standardised columns, a quadratic
// penalty, and no neighbours except in the columns. It shows the benefit of the layers above the
// columns.
type Logistic struct {
	// Columns returns the columns of the lines of a document, the same number for each line.
	Columns func(d *gold.LineDoc) [][]float32
	// Penalty is the weight of the squared weights, per line.
	Penalty float64
	// Steps is the number of steps of gradient descent.
	Steps int
}

// defaultLogistic is the default configuration of the command.
var defaultLogistic = Logistic{Columns: columnsOf, Penalty: 1e-4, Steps: 300}

// columnsOf returns the columns of the line labeller.
func columnsOf(d *gold.LineDoc) [][]float32 { return lines.Rows(d.Lang, d.Lines) }

// Name returns "logistic".
func (Logistic) Name() string { return "logistic" }

// Train fits the weights by Nesterov's accelerated gradient descent over all lines (A method of
// solving a convex programming problem with convergence rate O(1/k²), Soviet Math. Dokl. 27, 1983).
// It needs no early stopping and also trains on dev. It is deterministic.
func (l Logistic) Train(ctx context.Context, train, dev []*gold.LineDoc, _ uint64, progress func(step string, done, total int)) (Scorer, error) {
	var rows [][]float32
	var labels []float64
	for _, docs := range [][]*gold.LineDoc{train, dev} {
		for _, d := range docs {
			rows = append(rows, l.Columns(d)...)
			for _, text := range d.Labels {
				labels = append(labels, truth.Float64(text))
			}
		}
	}
	if len(rows) == 0 {
		return KeepAll{}.Scorer()
	}
	scale := standardise(rows)
	m := &weights{columns: scale, w: make([]float64, len(rows[0])+1)}
	// The maximum curvature of the loss is a quarter of the mean square of the rows, at most the
	// number of columns after standardising.
	rate := 4 / float64(len(m.w))
	ahead, last, gradient := make([]float64, len(m.w)), make([]float64, len(m.w)), make([]float64, len(m.w))
	for step := range l.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress("steps", step, l.Steps)
		clear(gradient)
		for i, row := range rows {
			e := sigmoid(dot(ahead, row)) - labels[i]
			for k, x := range row {
				gradient[k] += float64(e * float64(x))
			}
			gradient[len(row)] += e
		}
		momentum := float64(step) / float64(step+3)
		for k := range m.w {
			g := gradient[k] / float64(len(rows))
			if k < len(m.w)-1 {
				g += float64(l.Penalty * ahead[k])
			}
			m.w[k] = ahead[k] - float64(rate*g)
			ahead[k] = m.w[k] + float64(momentum*(m.w[k]-last[k]))
			last[k] = m.w[k]
		}
	}
	progress("steps", l.Steps, l.Steps)
	return func(d *gold.LineDoc) ([]float32, error) {
		rows := l.Columns(d)
		out := make([]float32, len(rows))
		for i, row := range rows {
			m.columns.apply(row)
			out[i] = float32(sigmoid(dot(m.w, row)))
		}
		return out, nil
	}, nil
}

// weights holds the weights of the columns and, last, the constant.
type weights struct {
	columns scaling
	w       []float64
}

// dot returns the weighted sum of a row.
func dot(w []float64, row []float32) float64 {
	sum := w[len(row)]
	for k, x := range row {
		sum += float64(w[k] * float64(x))
	}
	return sum
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// scaling holds mean and standard deviation of each column.
type scaling struct{ mean, sd []float64 }

// standardise scales each column of the rows to mean 0 and deviation 1.
func standardise(rows [][]float32) scaling {
	n := float64(len(rows))
	s := scaling{make([]float64, len(rows[0])), make([]float64, len(rows[0]))}
	for _, row := range rows {
		for k, x := range row {
			s.mean[k] += float64(x) / n
		}
	}
	for _, row := range rows {
		for k, x := range row {
			d := float64(x) - s.mean[k]
			s.sd[k] += d * d / n
		}
	}
	for k := range s.sd {
		if s.sd[k] = math.Sqrt(s.sd[k]); s.sd[k] < 1e-9 {
			s.sd[k] = 1 // constant column
		}
	}
	for _, row := range rows {
		s.apply(row)
	}
	return s
}

// apply standardises one row, clipped to 10 deviations.
func (s scaling) apply(row []float32) {
	for k, x := range row {
		row[k] = float32(max(-10, min(10, (float64(x)-s.mean[k])/s.sd[k])))
	}
}
