package lines

import (
	"strings"
)

// Limits of measurable columns.
const (
	unspacedShare = .3 // share of unspaced letters from which words cannot be counted
	fewLetters    = 20 // minimum letters of a document without capitals to assume a script without case
)

// Columns that are uninformative in scripts or languages of some kind: columns of lines, of
// surrounding lines, and of the document.
var (
	ofStopWords = columnsNamed("function", "english", "listed")
	ofCase      = columnsNamed("start-upper", "start-lower", "capitals", "all-caps", "upper", "glued")
	ofSpaces    = columnsNamed("unspaced", "word-length", "longest", "short-words")
)

// columnsNamed returns the columns with one of the names, or with one of the names followed
// by a hyphen.
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

// unmeasured appends the columns that cannot be measured in the document: stop words without
// a list for the language, case in a script without case, and word length in a script
// without spaces. A model uses their training mean instead.
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
