package clean

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"chaffinch/page"
)

// PageTypes compares the page types that a system estimates with the types of the gold.
type PageTypes struct {
	System string `json:"system"`
	Set    string `json:"set"`
	Pages  int    `json:"pages"`
	// Accuracy is the fraction of pages with the right type, Mean the mean probability of the
	// estimated types.
	Accuracy float64 `json:"accuracy"`
	Mean     float64 `json:"mean"`
	// Confusion counts the pages by gold type (row) and estimated type (column), in the order of
	// [page.Types].
	Confusion [][]int `json:"confusion"`
}

// TypesOf compares the types of each system and set with page types.
func TypesOf(views []View) (out []*PageTypes) {
	for _, v := range views {
		for _, o := range v.Outputs {
			if t := newPageTypes(v.Set, o); t != nil {
				out = append(out, t)
			}
		}
	}
	return out
}

// newPageTypes compares the types of the pages of s for which both are known. It returns nil if
// there are none.
func newPageTypes(s *Set, o *Output) *PageTypes {
	t := &PageTypes{System: o.Name, Set: s.Name, Confusion: make([][]int, len(page.Types))}
	for i := range t.Confusion {
		t.Confusion[i] = make([]int, len(page.Types))
	}
	right := 0
	for _, g := range s.Pages {
		p := o.Pages[g.ID]
		gold, estimated := slices.Index(page.Types, g.Field("page_type")), slices.Index(page.Types, p.Type)
		if gold < 0 || estimated < 0 {
			continue
		}
		t.Pages++
		t.Mean += p.TypeConfidence
		t.Confusion[gold][estimated]++
		if gold == estimated {
			right++
		}
	}
	if t.Pages == 0 {
		return nil
	}
	t.Accuracy, t.Mean = float64(right)/float64(t.Pages), t.Mean/float64(t.Pages)
	return t
}

// Write writes the accuracy, and the confusion matrix with the precision and recall of each type.
func (t *PageTypes) Write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "page types, %s, %s: %s %% of %d pages right, mean probability %s (rows: gold)\n", t.System, t.Set, percent(t.Accuracy, 1), t.Pages, percent(t.Mean, 1)); err != nil {
		return err
	}
	rows := [][]string{append(append([]string{"type"}, page.Types...), "recall", "precision")}
	for i, counts := range t.Confusion {
		row := []string{page.Types[i]}
		all, estimated := 0, 0
		for k, n := range counts {
			row = append(row, strconv.Itoa(n))
			all += n
			estimated += t.Confusion[k][i]
		}
		share := func(n int) string {
			if n == 0 {
				return "-"
			}
			return percent(float64(counts[i])/float64(n), 1)
		}
		rows = append(rows, append(row, share(all), share(estimated)))
	}
	return writeAligned(w, rows)
}
