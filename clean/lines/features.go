package lines

import (
	"slices"

	"chaffinch/internal/recurrent"
)

// Features converts the lines of a document to rows of numbers, the input of networks and
// forests: columns, and the scores of regressions over n-grams.
type Features struct {
	columns []column // used columns of the sheet, ascending
	grams   bool     // whether there are regressions
	// Scripts lists the scripts in the training data of the regressions, in order. Usual
	// holds the scores of lines in other scripts.
	Scripts []string
	Usual   Usual
	// Mean and Scale standardise the columns to mean 0 and standard deviation 1.
	Mean, Scale []float32
}

// clipAt is the largest absolute value of a standardised column.
const clipAt = 4

// NewFeatures returns features with all columns outside the groups in without (see
// [ColumnGroups]). grams enables the scores of regressions over n-grams.
func NewFeatures(without []string, grams bool) (Features, error) {
	columns, err := keptColumns(without)
	return Features{columns: columns, grams: grams}, err
}

// Columns returns the number of columns. In a row, the columns come first, followed by the
// score of the word regression and the score of the character regression.
func (f *Features) Columns() int { return len(f.columns) }

// Width returns the number of values of a row.
func (f *Features) Width() int {
	if f.grams {
		return len(f.columns) + scores
	}
	return len(f.columns)
}

// Rows returns the rows of the lines of a document with the scores of two regressions. The
// regressions are nil if f has no scores.
func (f *Features) Rows(d *Document, words, chars *NGrams) []float32 {
	var running []float64
	return f.appendRows(nil, &d.sheet, words, chars, &running)
}

// Standardise standardises the rows of a document in place.
func (f *Features) Standardise(rows []float32, d *Document) { f.standardise(rows, &d.sheet, nil) }

// standardise is Standardise with a reusable buffer for missing columns, which it returns.
func (f *Features) standardise(rows []float32, s *sheet, missing []column) []column {
	recurrent.Standardise(rows, f.Mean, f.Scale, clipAt)
	return f.neutralise(rows, s, missing)
}

// The columns of the regressions over n-grams: their scores, and the means of both scores
// over the lines around a line and over the document.
const (
	scoreWords = iota
	scoreChars
	scoreNear // first mean
	scores    = scoreNear + len(reaches) + 1
)

// reaches holds the numbers of lines on each side for the means.
var reaches = [...]int{1, 3, 10}

// appendRows appends the columns of the lines of a document to rows, with the scores of the
// regressions if f has them.
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

// sureScore is the largest absolute score in a mean.
const sureScore = 4

// neutralise sets the columns of standardised rows that cannot be measured in the document
// to 0, the mean in training. It returns the list of these columns, in the memory of
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

// KnowsScript reports whether the training data of the regressions over n-grams has
// documents in the script. For other scripts, weights are only hash collisions.
func (f *Features) KnowsScript(script string) bool {
	return script == "" || slices.Contains(f.Scripts, script)
}

// lengths is the number of length classes of lines. The last class begins at 243 words.
const lengths = 12

// lengthOf returns the length class of line i. It uses words, since the information per
// character differs between scripts.
func (s *sheet) lengthOf(i int) int { return min(int(2*s.row(i)[colWords]), lengths-1) }

// Usual holds the mean n-gram scores of the training lines in each length class. They
// replace the scores of lines in an unknown script: short lines are more often boilerplate
// in every script.
type Usual struct {
	Words [lengths]float32 `json:"words"`
	Chars [lengths]float32 `json:"chars"`
}
