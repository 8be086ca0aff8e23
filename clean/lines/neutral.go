package lines

import (
	"strings"
)

// Bounds of what is taken to be measured in a document.
const (
	unspacedShare = .3 // of the letters, from which on words cannot be counted
	fewLetters    = 20 // letters from which on a document without capitals has none to write
)

// Columns that say nothing of a document in a script or language of some kind,
// those of its lines, of the lines around them, and of the document.
var (
	ofStopWords = columnsNamed("function", "english", "listed")
	ofCase      = columnsNamed("start-upper", "start-lower", "capitals", "all-caps", "upper", "glued")
	ofSpaces    = columnsNamed("unspaced", "word-length", "longest", "short-words")
)

// columnsNamed returns the columns that have one of the names, or one that goes
// on behind it with a hyphen.
func columnsNamed(names ...string) (out []column) {
	for c, have := range columnNames {
		for _, name := range names {
			if have == name || strings.HasPrefix(have, name+"-") {
				out = append(out, column(c))
				break
			}
		}
	}
	return out
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
	if !s.function.listed {
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
