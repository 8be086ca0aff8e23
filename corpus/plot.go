package corpus

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"chaffinch/internal/chart"
	"chaffinch/internal/report"
	"chaffinch/internal/table"
)

// changeClass returns a class for words that were kept less than, as much as, or more
// than the whole text.
func changeClass(kept, all float64) string {
	switch {
	case kept < all/2:
		return "lost"
	case kept > (1+all)/2:
		return "held"
	}
	return "same"
}

// scatter draws hits per million before and after on logarithmic scales. The words
// that changed most are labelled.
func (c *Comparison) scatter(class string, width, height float64, names int) template.HTML {
	s := chart.New("hits per million tokens of the most frequent words, before and after", width, height, "class", "scatter "+class)
	const left, right, top, bottom = 52, 14, 14, 62
	x, y := chart.Scale{Start: left, End: width - right, Log: true}, chart.Scale{Start: height - bottom, End: top, Log: true}
	for _, w := range c.Words {
		x.Include(w.Before)
		y.Include(w.After)
	}
	if x.Empty() || y.Empty() {
		return ""
	}
	x0, x1, y0, y1 := math.Log10(x.From), math.Log10(x.To), math.Log10(y.From), math.Log10(y.To)
	px := func(e float64) float64 { return x.Start + (x.End-x.Start)*(e-x0)/(x1-x0) } // of powers of ten
	ey := func(e float64) float64 { return y.Start + (y.End-y.Start)*(e-y0)/(y1-y0) }
	zero := height - bottom + 16 // line of removed words
	py := func(v float64) float64 {
		if v == 0 {
			return zero
		}
		return y.At(v)
	}
	for e := math.Ceil(x0); e <= x1; e++ {
		s.Line(px(e), top, px(e), height-bottom, "class", "grid")
		s.Text(px(e), height-bottom+34, power(e), "class", "tick mid")
	}
	for e := math.Ceil(y0); e <= y1; e++ {
		s.Line(left, ey(e), width-right, ey(e), "class", "grid")
		s.Text(left-6, ey(e)+4, power(e), "class", "tick end")
	}
	s.Line(left, zero, width-right, zero, "class", "grid")
	s.Text(left-6, zero+4, "0", "class", "tick end")
	s.Text((left+width-right)/2, height-8, "hits per million before", "class", "axis mid")
	s.RotatedText(12, (top+height-bottom)/2, -90, "hits per million after", "class", "axis mid")
	boxes := &chart.Placer{Left: left, Right: width - right, Top: top, Bottom: height - bottom + 24}
	// Words that keep the same share of their hits lie on a diagonal.
	if c.After.Tokens > 0 {
		grow := float64(c.Before.Tokens) / float64(c.After.Tokens)
		angle := math.Atan2(ey(1)-ey(0), px(1)-px(0)) * 180 / math.Pi
		dx, dy := math.Cos(angle*math.Pi/180), math.Sin(angle*math.Pi/180)
		for _, d := range []struct {
			share float64
			name  string
			above bool
		}{{1, "all kept", true}, {c.KeptTokens(), "as all text, " + percent(c.KeptTokens()), false}, {0.1, "10 % kept", false}, {0.01, "1 % kept", false}} {
			k := math.Log10(d.share * grow)
			a, b := max(x0, y0-k), min(x1, y1-k) // where the diagonal enters and leaves, as powers of x
			if b-a < 0.3*(x1-x0) || d.share == 1 && c.KeptTokens() > 0.93 {
				continue
			}
			ax, ay, bx, by := px(a), ey(a+k), px(b), ey(b+k)
			kind := "diagonal"
			if d.share == c.KeptTokens() {
				kind += " all"
			}
			s.Line(ax, ay, bx, by, "class", kind)
			// The label is at the upper end of the line.
			tx, ty := bx-float64(12*dx), by-float64(12*dy)+13
			if d.above {
				ty -= 19
			}
			s.RotatedText(tx, ty, angle, d.name, "class", "tick end")
			for step := 0.0; step < float64(table.Width(d.name))*6.2; step += 8 {
				boxes.Occupy(tx-float64(step*dx)-8, ty-float64(step*dy)-12, 8, 14)
			}
		}
	}
	for i := len(c.Words) - 1; i >= 0; i-- { // the most frequent on top
		w := c.Words[i]
		if w.Before == 0 {
			continue
		}
		title := fmt.Sprintf("%s: %s → %s per million, %s kept", w.Word, perMillion(w.Before), perMillion(w.After), percent(w.Kept))
		s.Circle(x.At(w.Before), py(w.After), 2.4, title, "class", "dot "+changeClass(w.Kept, c.KeptTokens()))
	}
	drawn := map[string]int{} // one label in five is for kept words
	for _, w := range c.outliers() {
		kind := changeClass(w.Kept, c.KeptTokens())
		if w.Before == 0 || kind == "same" || drawn[kind] == map[string]int{"lost": names - names/5, "held": names / 5}[kind] {
			continue
		}
		if at, anchor, ok := boxes.Place(x.At(w.Before), py(w.After), w.Word, 12); ok {
			s.Text(at.X, at.Y, w.Word, "class", "name "+kind, "text-anchor", anchor)
			drawn[kind]++
		}
	}
	return template.HTML(s.String())
}

// power formats a power of ten for display.
func power(e float64) string {
	if e >= 0 {
		return report.Grouped(int64(math.Pow(10, e)))
	}
	return fmt.Sprintf("%.*f", int(-e), math.Pow(10, e))
}

// outliers sorts the drawn words by their distance from the share that the whole
// text kept, frequent words first.
func (c *Comparison) outliers() []WordChange {
	all := c.KeptTokens()
	weight := func(w WordChange) float64 {
		return math.Abs(math.Log((w.Kept+0.01)/(all+0.01))) * math.Log2(1+max(w.Before, w.After))
	}
	best := top[WordChange]{compare: func(a, b WordChange) int {
		switch x, y := weight(a), weight(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return strings.Compare(a.Word, b.Word)
	}}
	for _, w := range c.Words {
		best.add(w)
	}
	return best.sorted()
}
