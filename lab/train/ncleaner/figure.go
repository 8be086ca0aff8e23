package ncleaner

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"chaffinch/internal/chart"
)

// WriteTable writes points as a table, one line for each q and one column for each n, in bits per
// character with two decimal places.
func WriteTable(w io.Writer, points []Point) error {
	b := bufio.NewWriter(w)
	ns, at := curvesOf(points)
	fmt.Fprint(b, "   q")
	for _, n := range ns {
		fmt.Fprintf(b, "   n=%d", n)
	}
	fmt.Fprintln(b)
	for i := range at[ns[0]] {
		fmt.Fprintf(b, "%.2f", at[ns[0]][i].Q)
		for _, n := range ns {
			fmt.Fprintf(b, "  %.2f", at[n][i].Bits)
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}

// curvesOf splits points, in the order of Tune, into one curve for each n.
func curvesOf(points []Point) (ns []int, at map[int][]Point) {
	at = map[int][]Point{}
	for _, p := range points {
		if at[p.N] == nil {
			ns = append(ns, p.N)
		}
		at[p.N] = append(at[p.N], p)
	}
	return ns, at
}

// WriteSVG draws points like figure 2 of the paper: cross-entropy by q, one curve for each n.
func WriteSVG(w io.Writer, points []Point) error {
	const (
		width, height            = 640, 420
		left, right, top, bottom = 56, 70, 20, 48
	)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		lo, hi = min(lo, p.Bits), max(hi, p.Bits)
	}
	lo, hi = math.Floor(lo*2)/2, math.Ceil(hi*2)/2
	if hi <= lo {
		hi = lo + 0.5
	}
	x := chart.Scale{From: 0, To: 1, Start: left, End: width - right}
	y := chart.Scale{From: lo, To: hi, Start: height - bottom, End: top}
	var xs, ys []chart.Tick
	for q := 0; q <= 10; q += 2 {
		xs = append(xs, chart.Tick{Value: float64(q) / 10, Name: fmt.Sprintf("%.1f", float64(q)/10)})
	}
	for v := lo; v <= hi; v += 0.5 {
		ys = append(ys, chart.Tick{Value: v, Name: fmt.Sprintf("%.1f", v)})
	}
	m := chart.NewFile("cross-entropy by the interpolation parameter", width, height)
	m.Grid(x, y, xs, ys, "interpolation parameter q", "cross-entropy (bits per character)")
	ns, at := curvesOf(points)
	for i, n := range ns {
		color := fmt.Sprintf("hsl(%d,70%%,40%%)", i*300/max(1, len(ns)))
		var curve []chart.Point
		for _, p := range at[n] {
			curve = append(curve, chart.Point{X: x.At(p.Q), Y: y.At(p.Bits)})
		}
		m.Curve(curve, "", "stroke", color, "stroke-width", "1.5")
		last := curve[len(curve)-1]
		m.Text(last.X+6, last.Y+4, fmt.Sprintf("n = %d", n), "fill", color)
	}
	_, err := fmt.Fprintln(w, m)
	return err
}
