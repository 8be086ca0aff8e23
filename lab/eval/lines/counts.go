package lines

// Counts is a confusion matrix of lines; text is the positive class.
type Counts struct {
	// TP counts text labelled as text, FP boilerplate labelled as text, FN text labelled as
	// boilerplate, and TN boilerplate labelled as boilerplate.
	TP, FP, FN, TN int
}

// add counts one line.
func (c *Counts) add(gold bool, score float32) {
	switch {
	case gold && score >= threshold:
		c.TP++
	case gold:
		c.FN++
	case score >= threshold:
		c.FP++
	default:
		c.TN++
	}
}

// plus adds the counts of b.
func (c *Counts) plus(b Counts) { c.TP += b.TP; c.FP += b.FP; c.FN += b.FN; c.TN += b.TN }

// countLines returns the counts of one document.
func countLines(labels []bool, scores []float32) (c Counts) {
	for i, l := range labels {
		c.add(l, scores[i])
	}
	return c
}

// Lines returns the number of lines.
func (c Counts) Lines() int { return c.TP + c.FP + c.FN + c.TN }

// share returns a/b, NaN if b is 0.
func share(a, b int) float64 { return float64(a) / float64(b) }

// Accuracy returns the fraction of lines with right labels. With two exclusive classes it is the
// micro-averaged F1.
func (c Counts) Accuracy() float64 { return share(c.TP+c.TN, c.Lines()) }

// Class is the confusion matrix for one of the classes.
type Class struct{ TP, FP, FN int }

// Text returns the matrix of the class text.
func (c Counts) Text() Class { return Class{c.TP, c.FP, c.FN} }

// boilerplate returns the matrix of the class boilerplate.
func (c Counts) boilerplate() Class { return Class{c.TN, c.FN, c.FP} }

// Precision returns the fraction of right labels among the labels of the class, NaN without such
// labels.
func (c Class) Precision() float64 { return share(c.TP, c.TP+c.FP) }

// recall returns the fraction of right labels among the lines of the class, NaN without such lines.
func (c Class) recall() float64 { return share(c.TP, c.TP+c.FN) }

// f1 returns the harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN).
func (c Class) f1() float64 { return share(2*c.TP, 2*c.TP+c.FP+c.FN) }

// macroF1 returns the mean of the F1 of both classes.
func (c Counts) macroF1() float64 { return (c.Text().f1() + c.boilerplate().f1()) / 2 }

// Measure is a figure of a confusion matrix.
type Measure struct {
	Name, Help string
	Of         func(Counts) float64
}

// Measures lists all measures in the order of tables.
var Measures = []Measure{
	{"acc", "lines labelled right (the micro average of F1)", Counts.Accuracy},
	{"macro_f", "mean of the F1 of both classes", Counts.macroF1},
	{"text_p", "precision of text: lines kept that are text", func(c Counts) float64 { return c.Text().Precision() }},
	{"text_r", "recall of text: lines of text that are kept", func(c Counts) float64 { return c.Text().recall() }},
	{"text_f", "F1 of text", func(c Counts) float64 { return c.Text().f1() }},
	{"bp_p", "precision of boilerplate", func(c Counts) float64 { return c.boilerplate().Precision() }},
	{"bp_r", "recall of boilerplate", func(c Counts) float64 { return c.boilerplate().recall() }},
	{"bp_f", "F1 of boilerplate", func(c Counts) float64 { return c.boilerplate().f1() }},
}
