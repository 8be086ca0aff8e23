package lines

import "slices"

// Bounds of what is taken to be measured in a document.
const (
	unspacedShare = .3 // of the characters, from which on words cannot be counted
	fewLetters    = 20 // letters from which on a document without capitals has none to write
)

// Columns that say nothing of a document in a script or language of some kind.
var (
	ofStopWords = columnsOf("stopwords", colFunctionShare)
	ofCase      = columnsOf("casing", colUpper)
	ofSpaces    = []column{colUnspaced, colWordLength, colLongest, colShortWords}
)

// columnsOf returns the columns of a group, and more.
func columnsOf(group string, more ...column) []column {
	from := column(0)
	for _, g := range groups {
		if g.name == group {
			for c := from; c < g.end; c++ {
				more = append(more, c)
			}
		}
		from = g.end
	}
	slices.Sort(more)
	return slices.Compact(more)
}

// unmeasured appends the columns that cannot be measured in the document: those
// of stop words if there is no list for its language, those of case in a script
// without, those of the length of words where no blanks part them. A model takes
// the mean of its training for them.
func (s *sheet) unmeasured(dst []column) []column {
	var upper, letters, unspaced int
	for i := range s.n {
		c := &s.stats[i].counts
		upper += int(c[classUpper])
		unspaced += int(c[classUnspaced])
		letters += int(c[classUpper]) + int(c[classLower]) + int(c[classUnspaced])
	}
	if s.own == nil {
		dst = append(dst, ofStopWords...)
	}
	if upper == 0 && letters >= fewLetters {
		dst = append(dst, ofCase...)
	}
	if float64(unspaced) > unspacedShare*float64(letters) {
		dst = append(append(dst, ofSpaces...), ofCase...)
	}
	return dst
}
