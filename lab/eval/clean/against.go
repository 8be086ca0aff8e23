package clean

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/stats"
)

// Failing is a kind of failure: a page on which a system is below Below and the median of the
// others above Above.
type Failing struct{ Below, Above float64 }

// failings lists the kinds of failures that [MeasureAgainst] counts, the worst first.
var failings = []Failing{{.5, .9}, {.8, .95}}

// Against compares a system with the median of others page by page. Means hide single pages on
// which a system fails and every other program is right.
type Against struct {
	System string
	Others []string
	Metric Metric
	// Pages is the number of compared pages.
	Pages int
	// Fails counts for each of failings the pages on which the system fails, Reverse the pages on
	// which the median fails and the system does not. A page counts for each kind that applies.
	Fails, Reverse []int
	// Bad lists the pages on which the system fails, ordered by their worst kind and then by value.
	Bad []Bad
}

// MeasureAgainst compares the system at index system of each view with the systems called others,
// by the value of a metric for single pages. Sets without output of one of them, and pages without
// a value of the metric, are skipped.
func MeasureAgainst(views []View, system int, others []string, m Metric) *Against {
	a := &Against{Others: others, Metric: m, Fails: make([]int, len(failings)), Reverse: make([]int, len(failings))}
	kind := map[*Score]int{}
	for _, v := range views {
		if system >= len(v.Results) {
			continue
		}
		a.System = v.Results[system].System
		var rivals []*Result
		for _, r := range v.Results {
			if slices.Contains(others, r.System) {
				rivals = append(rivals, r)
			}
		}
		if len(rivals) < len(others) {
			continue
		}
		for i, s := range v.Results[system].Scores {
			b := Bad{Set: v.Set, Gold: v.Set.Pages[i], System: a.System, Score: s, Value: m.Page(s), Median: medianOf(rivals, i, m), output: v.Outputs[system]}
			if math.IsNaN(b.Value) || math.IsNaN(b.Median) {
				continue
			}
			if k := a.count(b); k >= 0 {
				kind[s] = k
				a.Bad = append(a.Bad, b)
			}
		}
	}
	sorts.StableFunc(a.Bad, func(x, y Bad) int {
		return cmp.Or(cmp.Compare(kind[x.Score], kind[y.Score]), cmp.Compare(x.Value, y.Value))
	})
	for i := range a.Bad {
		a.Bad[i].look()
	}
	return a
}

// count counts a page and returns its worst kind, -1 if there is none.
func (a *Against) count(b Bad) (kind int) {
	a.Pages++
	kind = -1
	for k, f := range failings {
		if b.Value < f.Below && b.Median > f.Above {
			a.Fails[k]++
			if kind < 0 {
				kind = k
			}
		}
		if b.Median < f.Below && b.Value > f.Above {
			a.Reverse[k]++
		}
	}
	return kind
}

// medianOf returns the median of the values of page i.
func medianOf(results []*Result, i int, m Metric) float64 {
	values := make([]float64, len(results))
	for k, r := range results {
		values[k] = m.Page(r.Scores[i])
		if math.IsNaN(values[k]) {
			return math.NaN()
		}
	}
	slices.Sort(values)
	return stats.Quantile(values, .5)
}

// WriteAgainst writes the counts, and each page like [WriteWorst].
func WriteAgainst(w io.Writer, a *Against) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s against the median of %d others (%s), %s of %d pages\n", a.System, len(a.Others), strings.Join(a.Others, ", "), a.Metric.Name, a.Pages)
	for k, f := range failings {
		fmt.Fprintf(out, "below %s, the median above %s: %d; the reverse: %d\n", percent(f.Below, 0), percent(f.Above, 0), a.Fails[k], a.Reverse[k])
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return WriteWorst(w, a.Bad, a.Metric)
}

// object returns the value for [WriteJSON].
func (a *Against) object() any {
	type count struct {
		Below   float64 `json:"below"`
		Above   float64 `json:"above"`
		Fails   int     `json:"fails"`
		Reverse int     `json:"reverse"`
	}
	type onePage struct {
		Set    string  `json:"set"`
		ID     string  `json:"id"`
		Value  float64 `json:"value"`
		Median float64 `json:"median"`
	}
	o := struct {
		System string    `json:"system"`
		Others []string  `json:"others"`
		Metric string    `json:"metric"`
		Pages  int       `json:"pages"`
		Counts []count   `json:"counts"`
		Bad    []onePage `json:"bad"`
	}{a.System, a.Others, a.Metric.Name, a.Pages, nil, []onePage{}}
	for k, f := range failings {
		o.Counts = append(o.Counts, count{f.Below, f.Above, a.Fails[k], a.Reverse[k]})
	}
	for _, b := range a.Bad {
		o.Bad = append(o.Bad, onePage{b.Set.Name, b.Gold.ID, b.Value, b.Median})
	}
	return o
}
