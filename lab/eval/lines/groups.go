package lines

import (
	"fmt"
	"strings"

	"chaffinch/lab/eval/stats"
	"chaffinch/lab/gold"
)

// edges divides a quantity into ranges: each begins at its edge.
type edges []int

var (
	docEdges  = edges{1, 5, 10, 20, 50, 100, 200}       // lines of a document
	lineEdges = edges{0, 10, 20, 40, 80, 160, 320, 640} // characters of a line
	lineStart = edges{1, 2, 3, 6, 11, 21, 51, 101, 201} // number of a line, from 1
)

// name returns the name of the range that begins at edge k.
func (e edges) name(k int) string {
	switch {
	case k == len(e)-1:
		return fmt.Sprintf("%d and more", e[k])
	case e[k+1] == e[k]+1:
		return fmt.Sprint(e[k])
	}
	return fmt.Sprintf("%d-%d", e[k], e[k+1]-1)
}

// of returns the range of a number.
func (e edges) of(n int) int {
	k := 0
	for k+1 < len(e) && n >= e[k+1] {
		k++
	}
	return k
}

// ranges returns a group for each range with lines.
func (r *Result) ranges(e edges, size func(d *gold.LineDoc, i int) int) (out []Group) {
	all := func(*gold.LineDoc) bool { return true }
	for k := range e {
		g := r.lines(e.name(k), all, func(d *gold.LineDoc, i int) bool { return e.of(size(d, i)) == k })
		if g.Lines() > 0 {
			out = append(out, g)
		}
	}
	return out
}

// byDocLength groups the lines by the number of lines of their document.
func (r *Result) byDocLength() []Group {
	return r.ranges(docEdges, func(d *gold.LineDoc, _ int) int { return len(d.Lines) })
}

// byLineLength groups the lines by their characters.
func (r *Result) byLineLength() []Group {
	return r.ranges(lineEdges, func(d *gold.LineDoc, i int) int { return len([]rune(strings.TrimSpace(d.Lines[i]))) })
}

// byPosition groups the lines by their number in the document.
func (r *Result) byPosition() []Group {
	return r.ranges(lineStart, func(_ *gold.LineDoc, i int) int { return i + 1 })
}

// RegisterFigure is the mean accuracy of the documents of a register, as in tables 10 and 11 of the
// thesis: every document has the same weight.
type RegisterFigure struct {
	Tag  string
	Docs int
	// Mean is the mean over the documents, then over the seeds; SD is the standard deviation over
	// the seeds.
	Mean, SD float64
}

// byRegister returns a figure for each upper register, in a language or, for "", in all languages.
// A document of two registers counts in both.
func (r *Result) byRegister(lang string) (out []RegisterFigure) {
	for _, reg := range registers {
		f := RegisterFigure{Tag: reg.Tag}
		var seeds []float64
		for k, run := range r.Runs {
			var docs []float64
			for i, d := range r.Set.Docs {
				if run.Scores[i] != nil && inRegister(d, reg.Tag) && (lang == "" || d.Lang == lang) {
					docs = append(docs, countLines(d.Labels, run.Scores[i]).Accuracy())
				}
			}
			if k == 0 {
				f.Docs = len(docs)
			}
			seeds = append(seeds, stats.Mean(docs))
		}
		f.Mean, f.SD = stats.Mean(seeds), stats.Deviation(seeds)
		out = append(out, f)
	}
	return out
}
