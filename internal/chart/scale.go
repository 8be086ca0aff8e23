package chart

import "math"

// Scale maps values to coordinates: From to Start, To to End.
type Scale struct {
	From, To, Start, End float64
	// Log selects a logarithmic scale. From and To must be above 0.
	Log bool
}

// At returns the coordinate of a value.
func (s Scale) At(v float64) float64 {
	from, to := s.From, s.To
	if s.Log {
		v, from, to = math.Log10(v), math.Log10(from), math.Log10(to)
	}
	return s.Start + (s.End-s.Start)*(v-from)/(to-from)
}

// Include extends a logarithmic scale to v and a little more. Values of 0 or less are ignored. A
// scale with From 0 is empty.
func (s *Scale) Include(v float64) {
	if v <= 0 {
		return
	}
	const more = 1.2589254117941673 // a tenth of a decade
	if s.From == 0 {
		s.From, s.To = v/more, v*more
		return
	}
	s.From, s.To = min(s.From, v/more), max(s.To, v*more)
}

// Empty reports whether no value was included.
func (s Scale) Empty() bool { return s.From == 0 && s.To == 0 }

// Tick is a labelled value on an axis.
type Tick struct {
	Value float64
	Name  string
}

// Grid draws a line for each tick across the area of both scales, with labels below and on the
// left, and the titles of the axes beside them.
func (m *Image) Grid(x, y Scale, xs, ys []Tick, xTitle, yTitle string) {
	low, high := max(y.Start, y.End), min(y.Start, y.End)
	for _, t := range xs {
		at := x.At(t.Value)
		m.Line(at, high, at, low, m.grid...)
		m.Text(at, low+14, t.Name, "text-anchor", "middle")
	}
	for _, t := range ys {
		at := y.At(t.Value)
		m.Line(x.Start, at, x.End, at, m.grid...)
		m.Text(x.Start-6, at+4, t.Name, "text-anchor", "end")
	}
	if xTitle != "" {
		m.Text((x.Start+x.End)/2, low+31, xTitle, "text-anchor", "middle")
	}
	if yTitle != "" {
		m.RotatedText(x.Start-34, (low+high)/2, -90, yTitle, "text-anchor", "middle")
	}
}

// Step returns the distance of ticks, 1, 2 or 5 times a power of ten, that gives about n ticks from
// 0 to to.
func Step(to float64, n int) float64 {
	if to <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(to/float64(n))))
	for _, k := range []float64{1, 2, 5} {
		if to/(k*power) <= float64(n) {
			return k * power
		}
	}
	return 10 * power
}
