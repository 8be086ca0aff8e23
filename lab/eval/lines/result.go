package lines

import (
	"fmt"
	"math"

	"chaffinch/lab/eval/stats"
	"chaffinch/lab/gold"
)

// Result holds all runs of a system in one protocol.
type Result struct {
	System, Protocol string
	Set              *Set
	// Runs holds a run for each seed.
	Runs []*Run
	// Notes are remarks for readers of the figures.
	Notes []string
}

// Results groups runs by system and protocol, in order of appearance.
func Results(s *Set, runs []*Run) []*Result {
	var out []*Result
	at := map[[2]string]*Result{}
	for _, run := range runs {
		key := [2]string{run.System, run.Protocol}
		if at[key] == nil {
			at[key] = &Result{System: run.System, Protocol: run.Protocol, Set: s}
			out = append(out, at[key])
		}
		at[key].Runs = append(at[key].Runs, run)
	}
	return out
}

// CheckRuns returns an error if two runs have the same name, protocol and seed.
func CheckRuns(runs []*Run) error {
	seen := map[runKey]bool{}
	for _, r := range runs {
		key := runKey{r.System, r.Protocol, r.Seed}
		if seen[key] {
			return fmt.Errorf("%s/%s with seed %d is there twice: give the predictions another name, or leave out the system", r.System, r.Protocol, r.Seed)
		}
		seen[key] = true
	}
	return nil
}

// Title returns the name of the result for tables with several protocols.
func (r *Result) Title() string { return r.System + "/" + r.Protocol }

// Group is a selection of documents or of their lines, with a confusion matrix for each run.
type Group struct {
	Name string
	// Docs is the number of documents with such lines that were scored in the first run.
	Docs int
	// Counts holds one matrix for each run.
	Counts []Counts
}

// Lines returns the number of lines in the first run.
func (g Group) Lines() int { return g.Counts[0].Lines() }

// mean returns mean and sample standard deviation of a figure over the runs.
func (g Group) mean(of func(Counts) float64) (m, sd float64) {
	values := make([]float64, len(g.Counts))
	for i, c := range g.Counts {
		values[i] = of(c)
	}
	return stats.Mean(values), stats.Deviation(values)
}

// Sum returns the sum of the matrices of all runs.
func (g Group) Sum() (sum Counts) {
	for _, c := range g.Counts {
		sum.plus(c)
	}
	return sum
}

// over returns the group of the documents for which keep returns true. Default: all.
func (r *Result) over(name string, keep func(d *gold.LineDoc) bool) Group {
	return r.lines(name, func(d *gold.LineDoc) bool { return keep == nil || keep(d) }, nil)
}

// lines is Over for the lines for which keepLine returns true. Default: all lines.
func (r *Result) lines(name string, keep func(d *gold.LineDoc) bool, keepLine func(d *gold.LineDoc, i int) bool) Group {
	g := Group{Name: name, Counts: make([]Counts, len(r.Runs))}
	for i, d := range r.Set.Docs {
		if !keep(d) {
			continue
		}
		in := false
		for k, run := range r.Runs {
			for n, score := range run.Scores[i] {
				if keepLine == nil || keepLine(d, n) {
					g.Counts[k].add(d.Labels[n], score)
					in = in || k == 0
				}
			}
		}
		if in {
			g.Docs++
		}
	}
	return g
}

// byLang returns a group for each language with scored documents.
func (r *Result) byLang() []Group {
	return r.byLangOf(func(*gold.LineDoc) bool { return true })
}

// byLangOf is byLang for the documents for which keep returns true.
func (r *Result) byLangOf(keep func(d *gold.LineDoc) bool) (out []Group) {
	for _, lang := range r.Set.langs() {
		if g := r.over(lang, func(d *gold.LineDoc) bool { return d.Lang == lang && keep(d) }); g.Docs > 0 {
			out = append(out, g)
		}
	}
	return out
}

// langMean returns the mean and standard deviation over the runs of the unweighted mean accuracy of
// the languages.
func langMean(langs []Group) (m, sd float64) {
	if len(langs) == 0 {
		return math.NaN(), 0
	}
	values := make([]float64, len(langs[0].Counts))
	for k := range values {
		for _, g := range langs {
			values[k] += g.Counts[k].Accuracy() / float64(len(langs))
		}
	}
	return stats.Mean(values), stats.Deviation(values)
}

// docAccuracy returns the mean accuracy of a document over the runs, NaN if it was not scored.
func (r *Result) docAccuracy(i int) float64 {
	var values []float64
	for _, run := range r.Runs {
		if run.Scores[i] != nil {
			values = append(values, countLines(r.Set.Docs[i].Labels, run.Scores[i]).Accuracy())
		}
	}
	return stats.Mean(values)
}
