package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Bin is a number of values of which Low is the smallest, on both sides of a limit.
type Bin struct {
	Low            float64
	Within, Beyond int64
}

// Mark is a value that a histogram marks by a line.
type Mark struct {
	Value float64
	Name  string
}

// Histogram describes the distribution of a value.
type Histogram struct {
	// Label describes the image, Axis the values.
	Label, Axis string
	// Bins are sorted by Low. They may be many: the image joins them.
	Bins  []Bin
	Marks []Mark
}

// The measures of a histogram, in units of the image.
const (
	histogramWidth  = 360
	histogramHeight = 190
	histogramBars   = 36
)

// Draw returns the image. Values beyond the 0.5th and 99.5th percentile are in the first and the
// last bar, unless a mark is farther. The heights of bars are logarithmic if the largest bar has more
// than 50 values; so are values if they span several powers of ten.
func (h Histogram) Draw() string {
	m := New(h.Label, histogramWidth, histogramHeight, "class", "plot small")
	x := h.scale()
	bars := h.bars(x)
	most := int64(1)
	for _, b := range bars {
		most = max(most, b.Within+b.Beyond)
	}
	y := Scale{From: 0, To: float64(most), Start: histogramHeight - 36, End: 22}
	ticks := []Tick{{0, "0"}}
	if most > 50 {
		y.From, y.To, y.Log, ticks = 0.5, float64(most), true, nil
	}
	for v := int64(1); v <= most; v *= 10 {
		ticks = append(ticks, Tick{float64(v), short(v)})
	}
	m.Grid(x, y, h.ticks(x), ticks, h.Axis, "")
	width := (x.End - x.Start) / histogramBars
	for i, b := range bars {
		all := b.Within + b.Beyond
		if all == 0 {
			continue
		}
		left, top := x.Start+float64(float64(i)*width), y.At(float64(all))
		height := y.Start - top
		title := fmt.Sprintf("%s to %s: %d", Value(b.Low), Value(h.low(x, i+1)), all)
		if b.Beyond > 0 && b.Within > 0 {
			title += fmt.Sprintf(", %d of them beyond the limit", b.Beyond)
		}
		beyond := height * float64(b.Beyond) / float64(all)
		m.titledRect(left+0.5, top, width-1, beyond, title, "class", "lost")
		m.titledRect(left+0.5, top+beyond, width-1, height-beyond, title, "class", "held")
	}
	room := Placer{Left: 0, Right: histogramWidth, Top: 0, Bottom: y.End}
	for _, k := range h.Marks {
		if k.Value < x.From || k.Value > x.To {
			continue
		}
		at := x.At(k.Value)
		m.Line(at, y.End-4, at, y.Start, "class", "limit")
		if p, anchor, ok := room.Place(at, y.End-12, k.Name, 12); ok {
			m.Text(p.X, p.Y, k.Name, "class", "limit", "text-anchor", anchor)
		}
	}
	return m.String()
}

// scale returns the scale of the values.
func (h Histogram) scale() Scale {
	s := Scale{From: h.quantile(0.005), To: h.quantile(0.995), Start: 40, End: histogramWidth - 8}
	span := s.To - s.From
	for _, k := range h.Marks {
		if k.Value >= s.From-span && k.Value <= s.To+span || len(h.Bins) > 0 && k.Value >= h.Bins[0].Low && k.Value <= h.Bins[len(h.Bins)-1].Low {
			s.From, s.To = min(s.From, k.Value), max(s.To, k.Value)
		}
	}
	if s.From >= 0 && s.From < 1 && s.To <= 1 {
		s.From = 0
		if s.To > 0.5 {
			s.To = 1
		}
	}
	if s.From >= 0 && h.quantile(0.5) >= 1 && s.To > 50*max(h.quantile(0.05), 1) {
		s.From, s.Log = max(s.From, 1), true
	}
	if s.To <= s.From {
		s.To = s.From + cmp.Or(math.Abs(s.From), 1)
	}
	return s
}

// quantile returns the smallest value of the bin that holds a quantile.
func (h Histogram) quantile(q float64) float64 {
	all := int64(0)
	for _, b := range h.Bins {
		all += b.Within + b.Beyond
	}
	rank := int64(q * float64(max(all-1, 0)))
	for _, b := range h.Bins {
		if rank -= b.Within + b.Beyond; rank < 0 {
			return b.Low
		}
	}
	return 0
}

// low returns the smallest value of a bar.
func (h Histogram) low(x Scale, bar int) float64 {
	share := float64(bar) / histogramBars
	if x.Log {
		return x.From * math.Pow(x.To/x.From, share)
	}
	return x.From + float64((x.To-x.From)*share)
}

// bars joins the bins into bars of the same width.
func (h Histogram) bars(x Scale) []Bin {
	bars := make([]Bin, histogramBars)
	for i := range bars {
		bars[i].Low = h.low(x, i)
	}
	for _, b := range h.Bins {
		i, exact := slices.BinarySearchFunc(bars, b.Low, func(x Bin, low float64) int { return cmp.Compare(x.Low, low) })
		if !exact {
			i--
		}
		i = min(max(i, 0), histogramBars-1)
		bars[i].Within += b.Within
		bars[i].Beyond += b.Beyond
	}
	return bars
}

// ticks returns names for the values.
func (h Histogram) ticks(x Scale) (ticks []Tick) {
	if x.Log {
		for v := math.Pow(10, math.Ceil(math.Log10(x.From))); v <= x.To; v *= 10 {
			ticks = append(ticks, Tick{v, short(int64(v))})
		}
		return ticks
	}
	step := Step(x.To-x.From, 5)
	for v := math.Ceil(x.From/step) * step; v <= x.To*(1+1e-9); v += step {
		ticks = append(ticks, Tick{v, Value(v)})
	}
	return ticks
}

// Value formats a value with at most three significant digits after the point.
func Value(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// short formats a count in few characters.
func short(n int64) string {
	switch {
	case n >= 1e9:
		return strconv.FormatInt(n/1e9, 10) + "G"
	case n >= 1e6:
		return strconv.FormatInt(n/1e6, 10) + "M"
	case n >= 1e4:
		return strconv.FormatInt(n/1e3, 10) + "k"
	}
	return strconv.FormatInt(n, 10)
}
