package lines

import (
	"slices"

	"chaffinch/internal/recurrent"
)

// Features turns the lines of a document into the rows of numbers that networks and forests
// see: columns, and the scores of regressions over n-grams.
type Features struct {
	columns []column // of the sheet that are used, ascending
	grams   bool     // there are regressions
	// Scripts are those that the regressions have learned from, in order. Usual holds the
	// scores of lines in other scripts.
	Scripts []string
	Usual   Usual
	// Mean and Scale bring the columns to mean 0 and standard deviation 1.
	Mean, Scale []float32
}

// clipAt is the largest absolute value of a standardised column.
const clipAt = 4

// NewFeatures returns features of all columns but those of some groups (see [ColumnGroups]).
// grams is for models with regressions over n-grams.
func NewFeatures(without []string, grams bool) (Features, error) {
	columns, err := keptColumns(without)
	return Features{columns: columns, grams: grams}, err
}

// Columns returns the number of columns. They come before the scores of the regressions of
// words and of characters, the first two scores of a row.
func (f *Features) Columns() int { return len(f.columns) }

// Width returns the number of values of a row.
func (f *Features) Width() int {
	if f.grams {
		return len(f.columns) + scores
	}
	return len(f.columns)
}

// Rows returns the rows of the lines of a document with the scores of two regressions, which
// are nil if f is without.
func (f *Features) Rows(d *Document, words, chars *NGrams) []float32 {
	var running []float64
	return f.appendRows(nil, &d.sheet, words, chars, &running)
}

// Standardise brings the rows of a document to the scale of f, in place.
func (f *Features) Standardise(rows []float32, d *Document) { f.standardise(rows, &d.sheet, nil) }

// standardise is Standardise with memory for missing columns, which it returns.
func (f *Features) standardise(rows []float32, s *sheet, missing []column) []column {
	recurrent.Standardise(rows, f.Mean, f.Scale, clipAt)
	return f.neutralise(rows, s, missing)
}

// The columns that the regressions over n-grams give: their scores, and the
// means of both scores over the lines around a line and over the document.
const (
	scoreWords = iota
	scoreChars
	scoreNear // the first of the means
	scores    = scoreNear + len(reaches) + 1
)

// reaches are the lines on each side of which means are taken.
var reaches = [...]int{1, 3, 10}

// appendRows appends the columns of the lines of a document and their scores
// by regressions, if there are any, to rows.
func (f *Features) appendRows(rows []float32, sheet *sheet, words, chars *NGrams, running *[]float64) []float32 {
	width, own := f.Width(), len(f.columns)
	if words == nil {
		width = own
	}
	rows = grow(rows, sheet.n*width)
	sums := grow((*running)[:0], sheet.n+1)
	*running = sums
	sums[0] = 0
	known := f.KnowsScript(sheet.script)
	for i := range sheet.n {
		row, all := rows[i*width:(i+1)*width], sheet.row(i)
		if own == len(all) {
			copy(row, all)
		} else {
			for k, c := range f.columns {
				row[k] = all[c]
			}
		}
		if words != nil {
			var a, b float32
			if known {
				a, b = words.score(sheet.wordSum(words, i)), chars.score(sheet.charSum(chars, i))
			} else {
				k := sheet.lengthOf(i)
				a, b = f.Usual.Words[k], f.Usual.Chars[k]
			}
			row[own+scoreWords], row[own+scoreChars] = a, b
			sums[i+1] = sums[i] + float64(max(-sureScore, min(sureScore, (a+b)/2)))
		}
	}
	if words == nil {
		return rows
	}
	for i := range sheet.n {
		row := rows[i*width+own+scoreNear:][:len(reaches)+1]
		for k, reach := range reaches {
			a, b := max(0, i-reach), min(sheet.n, i+reach+1)
			row[k] = float32((sums[b] - sums[a]) / float64(b-a))
		}
		row[len(reaches)] = float32(sums[sheet.n] / float64(sheet.n))
	}
	return rows
}

// sureScore is the largest score that counts towards a mean.
const sureScore = 4

// neutralise sets the columns of standardised rows to 0, the mean of the training, that
// cannot be measured in the document. It returns their list, in the memory of
// missing.
func (f *Features) neutralise(rows []float32, s *sheet, missing []column) []column {
	missing = s.unmeasured(missing[:0])
	if len(missing) == 0 {
		return missing
	}
	width := f.Width()
	for k, c := range f.columns {
		if slices.Contains(missing, c) {
			for i := range s.n {
				rows[i*width+k] = 0
			}
		}
	}
	return missing
}

// KnowsScript reports whether the regressions over n-grams have learned from
// documents in a script. Weights of others are those of hashes that
// happen to be the same.
func (f *Features) KnowsScript(script string) bool {
	return script == "" || slices.Contains(f.Scripts, script)
}

// lengths is the number of classes of lines by length; the last one begins at
// 243 words.
const lengths = 12

// lengthOf returns the class of line i, by its words: what a character tells
// differs between scripts.
func (s *sheet) lengthOf(i int) int { return min(int(2*s.row(i)[colWords]), lengths-1) }

// Usual holds the mean scores of n-grams of the lines of each length in the
// training. They stand for those of lines in a script that is not known: a
// short line is more often boilerplate in any.
type Usual struct {
	Words [lengths]float32 `json:"words"`
	Chars [lengths]float32 `json:"chars"`
}
