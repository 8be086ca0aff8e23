package corpus

import (
	"fmt"
	"html/template"

	"chaffinch/internal/chart"
	"chaffinch/internal/report"
)

// slopeRows is the number of collocates on each side of a slope chart.
const slopeRows = 12

// slope draws the ranks of collocates before and after, joined by lines. Collocates
// missing from the other side have a stub with their rank there.
func (c *Comparison) slope(x *CollocateChange, class string, width float64) template.HTML {
	rows := min(max(len(x.Before), len(x.After)), slopeRows)
	if rows == 0 {
		return ""
	}
	const top, step = 36, 25
	y := func(rank int) float64 { return top + float64(step*float64(rank-1)) }
	s := chart.New("ranks of the collocates of "+x.Query+" before and after", width, y(rows)+16, "class", "slope "+class)
	column := width * 0.36
	scores := width > 500 // wide enough for scores
	measure := c.measure().Name
	for _, w := range x.Before[:min(rows, len(x.Before))] {
		if w.OtherRank > 0 && w.OtherRank <= rows {
			s.Bend(chart.Point{X: column, Y: y(w.Rank)}, chart.Point{X: width - column, Y: y(w.OtherRank)}, fmt.Sprintf("%s: rank %d, then %d", w.Word, w.Rank, w.OtherRank), "class", "move")
		}
	}
	for _, side := range []struct {
		list                                   []RankedCollocate
		name, anchor, stub, lost, none, beyond string
		at, out                                float64 // positions of the dots, and directions of the labels
	}{
		{x.Before, "before", "end", "start", "lost", "unranked", "then %d", column, -1},
		{x.After, "after", "start", "end", "held", "unranked", "was %d", width - column, 1},
	} {
		s.Text(side.at+float64(side.out*8), 16, side.name, "class", "axis "+side.anchor)
		edge := side.at + float64(side.out*(column-10))
		if scores {
			s.Text(edge, 16, measure, "class", "axis "+side.stub)
		}
		for _, w := range side.list[:min(rows, len(side.list))] {
			kind, at := "same", y(w.Rank)
			if w.OtherRank == 0 || w.OtherRank > rows {
				kind = side.lost
				where := side.none
				switch {
				case w.OtherRank > 0 && scores:
					where = fmt.Sprintf(side.beyond, w.OtherRank)
				case !scores: // only wide enough for the rank
					where = rank(w.OtherRank)
				}
				s.Line(side.at, at, side.at-float64(side.out*20), at, "class", "stub "+kind)
				s.Text(side.at-float64(side.out*24), at+4, where, "class", "tick "+side.stub)
			}
			s.Circle(side.at, at, 2.6, fmt.Sprintf("%s: %s hits, %s %.2f", w.Word, report.Grouped(w.Hits), measure, w.Score), "class", "dot "+kind)
			s.Text(side.at+float64(side.out*8), at+4.5, cutWord(w.Word, int(column/8)-1), "class", "name "+side.anchor+" "+kind)
			if scores {
				s.Text(edge, at+4, fmt.Sprintf("%.2f", w.Score), "class", "tick "+side.stub)
			}
		}
	}
	return template.HTML(s.String())
}

// cutWord shortens a word to at most most characters.
func cutWord(w string, most int) string {
	r := []rune(w)
	if len(r) <= most {
		return w
	}
	return string(r[:most-1]) + "…"
}
