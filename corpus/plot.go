package corpus

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"

	"chaffinch/internal/table"
)

// svg collects an image. Colours come from the classes of the page's style
// sheet, so that they follow its light or dark scheme.
type svg struct{ b strings.Builder }

func newSVG(class, label string, width, height float64) *svg {
	s := &svg{}
	fmt.Fprintf(&s.b, `<svg class="%s" viewBox="0 0 %s %s" role="img" aria-label="%s">`, class, short(width), short(height), html.EscapeString(label))
	return s
}

// short writes a coordinate with one digit behind the point at most.
func short(x float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

func (s *svg) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&s.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, short(x1), short(y1), short(x2), short(y2))
}

// text writes words at a place; turn is in degrees.
func (s *svg) text(class string, x, y, turn float64, words string) {
	t := ""
	if turn != 0 {
		t = fmt.Sprintf(` transform="rotate(%s %s %s)"`, short(turn), short(x), short(y))
	}
	fmt.Fprintf(&s.b, `<text class="%s" x="%s" y="%s"%s>%s</text>`, class, short(x), short(y), t, html.EscapeString(words))
}

func (s *svg) circle(class string, x, y, r float64, title string) {
	fmt.Fprintf(&s.b, `<circle class="%s" cx="%s" cy="%s" r="%s"><title>%s</title></circle>`, class, short(x), short(y), short(r), html.EscapeString(title))
}

func (s *svg) path(class, d, title string) {
	fmt.Fprintf(&s.b, `<path class="%s" d="%s"><title>%s</title></path>`, class, d, html.EscapeString(title))
}

func (s *svg) end() template.HTML { return template.HTML(s.b.String() + "</svg>") }

// changeClass tells words that were kept less, as, or more than the rest.
func changeClass(kept, all float64) string {
	switch {
	case kept < all/2:
		return "lost"
	case kept > (1+all)/2:
		return "held"
	}
	return "same"
}

// scatter draws hits per million before and after on logarithmic scales, the
// words that have changed most with their names.
func (c *Comparison) scatter(class string, width, height float64, names int) template.HTML {
	s := newSVG("scatter "+class, "hits per million tokens of the most frequent words, before and after", width, height)
	const left, right, top, bottom = 52, 14, 14, 62
	x, y := newScale(left, width-right), newScale(height-bottom, top)
	for _, w := range c.Words {
		x.include(w.Before)
		y.include(w.After)
	}
	if x.empty() || y.empty() {
		return ""
	}
	zero := height - bottom + 16 // line of what is gone
	py := func(v float64) float64 {
		if v == 0 {
			return zero
		}
		return y.at(v)
	}
	for e := math.Ceil(x.from); e <= x.to; e++ {
		s.line("grid", x.power(e), top, x.power(e), height-bottom)
		s.text("tick mid", x.power(e), height-bottom+34, 0, power(e))
	}
	for e := math.Ceil(y.from); e <= y.to; e++ {
		s.line("grid", left, y.power(e), width-right, y.power(e))
		s.text("tick end", left-6, y.power(e)+4, 0, power(e))
	}
	s.line("grid", left, zero, width-right, zero)
	s.text("tick end", left-6, zero+4, 0, "0")
	s.text("axis mid", (left+width-right)/2, height-8, 0, "hits per million before")
	s.text("axis mid", 12, (top+height-bottom)/2, -90, "hits per million after")
	boxes := &labels{left: left, right: width - right, top: top, bottom: height - bottom + 24}
	// Words that keep the same share of their hits stand on a diagonal.
	if c.After.Tokens > 0 {
		grow := float64(c.Before.Tokens) / float64(c.After.Tokens)
		angle := math.Atan2(y.power(1)-y.power(0), x.power(1)-x.power(0)) * 180 / math.Pi
		dx, dy := math.Cos(angle*math.Pi/180), math.Sin(angle*math.Pi/180)
		for _, d := range []struct {
			share float64
			name  string
			above bool
		}{{1, "all kept", true}, {c.KeptTokens(), "as all text, " + percent(c.KeptTokens()), false}, {0.1, "10 % kept", false}, {0.01, "1 % kept", false}} {
			k := math.Log10(d.share * grow)
			a, b := max(x.from, y.from-k), min(x.to, y.to-k) // where it enters and leaves, as powers of x
			if b-a < 0.3*(x.to-x.from) || d.share == 1 && c.KeptTokens() > 0.93 {
				continue
			}
			x1, y1, x2, y2 := x.power(a), y.power(a+k), x.power(b), y.power(b+k)
			kind := "diagonal"
			if d.share == c.KeptTokens() {
				kind += " all"
			}
			s.line(kind, x1, y1, x2, y2)
			// The name runs along the upper end of the line.
			tx, ty := x2-12*dx, y2-12*dy+13
			if d.above {
				ty -= 19
			}
			s.text("tick end", tx, ty, angle, d.name)
			for step := 0.0; step < float64(table.Width(d.name))*6.2; step += 8 {
				boxes.block(tx-step*dx-8, ty-step*dy-12, 8, 14)
			}
		}
	}
	for i := len(c.Words) - 1; i >= 0; i-- { // the most frequent on top
		w := c.Words[i]
		if w.Before == 0 {
			continue
		}
		s.circle("dot "+changeClass(w.Kept, c.KeptTokens()), x.at(w.Before), py(w.After), 2.4, fmt.Sprintf("%s: %s → %s per million, %s kept", w.Word, perMillion(w.Before), perMillion(w.After), percent(w.Kept)))
	}
	drawn := map[string]int{} // one name in five is for what is held
	for _, w := range c.outliers() {
		kind := changeClass(w.Kept, c.KeptTokens())
		if w.Before == 0 || kind == "same" || drawn[kind] == map[string]int{"lost": names - names/5, "held": names / 5}[kind] {
			continue
		}
		if tx, ty, anchor, ok := boxes.place(x.at(w.Before), py(w.After), w.Word, 12); ok {
			s.text("name "+anchor+" "+kind, tx, ty, 0, w.Word)
			drawn[kind]++
		}
	}
	return s.end()
}

// scale maps numbers to places on a logarithmic scale.
type scale struct {
	start, end float64 // places of its ends
	from, to   float64 // powers of ten there
}

func newScale(start, end float64) *scale { return &scale{start, end, math.Inf(1), math.Inf(-1)} }

// include makes room for v, unless it is 0.
func (s *scale) include(v float64) {
	if v > 0 {
		s.from, s.to = min(s.from, math.Log10(v)-0.1), max(s.to, math.Log10(v)+0.1)
	}
}

func (s *scale) empty() bool             { return s.from > s.to }
func (s *scale) at(v float64) float64    { return s.power(math.Log10(v)) }
func (s *scale) power(e float64) float64 { return s.start + (s.end-s.start)*(e-s.from)/(s.to-s.from) }

// power writes a power of ten as people do.
func power(e float64) string {
	if e >= 0 {
		return grouped(int64(math.Pow(10, e)))
	}
	return fmt.Sprintf("%.*f", int(-e), math.Pow(10, e))
}

// outliers sorts the drawn words by how far they are from the share that all
// text has kept, frequent ones first.
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

// labels finds room for names.
type labels struct {
	left, right, top, bottom float64
	boxes                    [][4]float64
}

// block takes a box.
func (l *labels) block(x, y, w, h float64) { l.boxes = append(l.boxes, [4]float64{x, y, x + w, y + h}) }

func (l *labels) free(b [4]float64) bool {
	if b[0] < l.left || b[2] > l.right || b[1] < l.top || b[3] > l.bottom {
		return false
	}
	for _, o := range l.boxes {
		if b[0] < o[2] && o[0] < b[2] && b[1] < o[3] && o[1] < b[3] {
			return false
		}
	}
	return true
}

// place finds room for a name beside a dot and takes it: where its text begins
// or ends, and which of that.
func (l *labels) place(x, y float64, name string, size float64) (tx, ty float64, anchor string, ok bool) {
	w, h := float64(table.Width(name))*size*0.56, size
	for _, at := range []struct {
		tx, ty, from float64
		anchor       string
	}{
		{x + 5, y + 4, 0, "start"}, {x - 5, y + 4, 1, "end"}, {x, y - 6, 0.5, "mid"}, {x, y + 14, 0.5, "mid"},
		{x + 4, y - 5, 0, "start"}, {x + 4, y + 12, 0, "start"}, {x - 4, y - 5, 1, "end"}, {x - 4, y + 12, 1, "end"},
	} {
		x0 := at.tx - at.from*w
		b := [4]float64{x0 - 1, at.ty - h + 2, x0 + w + 1, at.ty + 3}
		if l.free(b) {
			l.boxes = append(l.boxes, b)
			return at.tx, at.ty, at.anchor, true
		}
	}
	return 0, 0, "", false
}
