package lines

// Explanations of labels. The model weighs many more features; the explanations name the
// most visible one.
const (
	whyRepeated = "repeats an earlier line"
	whyNumbers  = "no letters"
	whyBars     = "entries with bars between"
	whyRights   = "copyright notice"
	whyStarts   = "begins like other lines"
	whyShort    = "among short lines"
	whyLike     = "like boilerplate"
	whyCode     = "code left in text"

	whyRunning = "running text"
	whyNear    = "beside running text"
	whyText    = "like text"
)

// manyAlike is the value of a copy column from which lines are described as alike: four
// others.
var manyAlike = log1(4)

// reason returns a short description of a kept or dropped line.
func (s *sheet) reason(i int, kept bool) string {
	row := s.row(i)
	if kept {
		switch {
		case s.stats[i].words >= longWords:
			return whyRunning
		case row[colLong2] > 0:
			return whyNear
		}
		return whyText
	}
	switch {
	case row[colEarlier] > 0 || row[colSeenBefore] >= .9:
		return whyRepeated
	case row[colOnlyNumbers] > 0 || row[colEmpty] > 0:
		return whyNumbers
	case row[colRight] > 0:
		return whyRights
	case row[colBars] > 0:
		return whyBars
	case row[colHead2] >= manyAlike:
		return whyStarts
	case s.runs[i] > 2:
		return whyShort
	}
	return whyLike
}
