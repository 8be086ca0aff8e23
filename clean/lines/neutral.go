package lines

import (
	"slices"
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

// neutralise sets the columns of standardised rows to 0, the mean of the training, that
// cannot be measured in the document. It returns their list, in the memory of
// missing.
func (m *Model) neutralise(rows []float32, s *sheet, missing []column) []column {
	missing = s.unmeasured(missing[:0])
	if len(missing) == 0 {
		return missing
	}
	width := m.width()
	for k, c := range m.columns {
		if slices.Contains(missing, c) {
			for i := range s.n {
				rows[i*width+k] = 0
			}
		}
	}
	return missing
}

// knowsScript reports whether the regressions over n-grams have learned from
// documents in a script. Weights of others are those of hashes that
// happen to be the same.
func (m *Model) knowsScript(script string) bool {
	return script == "" || slices.Contains(m.scripts, script)
}

// fewDocs is the number of documents from which on the n-grams of a script are
// known.
const fewDocs = 5

// learnScripts adds the scripts of the examples to those that are known.
func (m *Model) learnScripts(examples []*example) {
	of := map[string]int{}
	for _, x := range examples {
		of[x.sheet.script]++
	}
	known := slices.Clone(m.scripts)
	for script, n := range of {
		if n >= fewDocs && script != "" && !slices.Contains(known, script) {
			known = append(known, script)
		}
	}
	slices.Sort(known)
	m.scripts = known
}

// lengths is the number of classes of lines by length; the last one begins at
// 243 words.
const lengths = 12

// lengthOf returns the class of line i, by its words: what a character tells
// differs between scripts.
func (s *sheet) lengthOf(i int) int { return min(int(2*s.row(i)[colWords]), lengths-1) }

// usual holds the mean scores of n-grams of the lines of each length in the
// training. They stand for those of lines in a script that is not known: a
// short line is more often boilerplate in any.
type usual struct {
	Words [lengths]float32 `json:"words"`
	Chars [lengths]float32 `json:"chars"`
}

// learnUsual sets m.usual from the rows of the examples, and the rows of examples
// in a script that is not known by it.
func (m *Model) learnUsual(examples []*example, workers int) {
	var words, chars, n [lengths]float64
	width, own := m.width(), len(m.columns)
	var unknown []*example
	for _, x := range examples {
		if !m.knowsScript(x.sheet.script) {
			unknown = append(unknown, x)
			continue
		}
		for i := range x.sheet.n {
			k, row := x.sheet.lengthOf(i), x.rows[i*width+own:]
			words[k] += float64(row[scoreWords])
			chars[k] += float64(row[scoreChars])
			n[k]++
		}
	}
	for k := range lengths {
		m.usual.Words[k], m.usual.Chars[k] = float32(words[k]/max(n[k], 1)), float32(chars[k]/max(n[k], 1))
	}
	m.eachRows(unknown, workers, func(int) (a, b *ngrams) { return m.words, m.chars })
}
