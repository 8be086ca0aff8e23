package ncleaner

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// WriteTable writes points as a table, one line for each q, one column for
// each n, in bits per character with two decimals.
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

// curvesOf splits points, which are in the order of Tune, into one curve for
// each n.
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

// WriteSVG draws points like figure 2 of the paper: cross-entropy over q, one
// curve for each n.
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
	x := func(q float64) float64 { return left + q*(width-left-right) }
	y := func(bits float64) float64 { return top + (hi-bits)/(hi-lo)*(height-top-bottom) }

	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	for q := 0; q <= 10; q += 2 {
		fmt.Fprintf(b, `<path d="M%.1f %d V%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">%.1f</text>`+"\n",
			x(float64(q)/10), top, height-bottom, x(float64(q)/10), height-bottom+18, float64(q)/10)
	}
	for v := lo; v <= hi; v += 0.5 {
		fmt.Fprintf(b, `<path d="M%d %.1f H%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.1f</text>`+"\n",
			left, y(v), width-right, left-8, y(v)+4, v)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">interpolation parameter q</text>`+"\n", (left+width-right)/2, height-10)
	fmt.Fprintf(b, `<text transform="translate(16 %d) rotate(-90)" text-anchor="middle">cross-entropy (bits per character)</text>`+"\n", (top+height-bottom)/2)
	ns, at := curvesOf(points)
	for i, n := range ns {
		color := fmt.Sprintf("hsl(%d,70%%,40%%)", i*300/max(1, len(ns)))
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="`, color)
		for _, p := range at[n] {
			fmt.Fprintf(b, "%.1f,%.1f ", x(p.Q), y(p.Bits))
		}
		last := at[n][len(at[n])-1]
		fmt.Fprintf(b, `"/><text x="%.1f" y="%.1f" fill="%s">n = %d</text>`+"\n", x(last.Q)+6, y(last.Bits)+4, color, n)
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}
