package space

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/serve/problem"
	"chaffinch/serve/table"
)

// HitLabels lists labels of hits.
type HitLabels struct {
	Labels []HitLabel   `json:"labels" doc:"Ordered by corpus, query and position."`
	Names  []LabelNames `json:"names"`
}

// sorted returns the values of a map in the order of the keys.
func sorted[T any](all map[string]T) []T {
	list := []T{}
	for _, k := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[k])
	}
	return list
}

func (a *api) labels(ctx context.Context, in *struct {
	Corpus string `query:"corpus" doc:"Only hits in this corpus. Default: all corpora."`
	Patt   string `query:"patt" doc:"Only hits of this query. Default: all queries."`
	Format string `query:"format" enum:"json,csv,tsv,jsonl,xml,xlsx" default:"json" doc:"Format of the response."`
}) (*huma.StreamResponse, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	out := HitLabels{Labels: []HitLabel{}, Names: []LabelNames{}}
	wanted := func(corpus, patt string) bool {
		return (in.Corpus == "" || corpus == in.Corpus) && (in.Patt == "" || patt == in.Patt)
	}
	w.mu.RLock()
	for _, l := range w.labels {
		if wanted(l.Corpus, l.Patt) {
			out.Labels = append(out.Labels, l)
		}
	}
	for _, n := range sorted(w.names) {
		if wanted(n.Corpus, n.Patt) {
			out.Names = append(out.Names, n)
		}
	}
	w.mu.RUnlock()
	slices.SortFunc(out.Labels, func(a, b HitLabel) int {
		return cmp.Or(strings.Compare(a.Corpus, b.Corpus), strings.Compare(a.Patt, b.Patt), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		_, rw := humago.Unwrap(hc)
		writeLabels(rw, out, in.Format)
	}}, nil
}

// writeLabels writes labels as JSON or as a table.
func writeLabels(w http.ResponseWriter, l HitLabels, format string) {
	names := map[string]map[string]string{}
	for _, n := range l.Names {
		names[subKey(n.Corpus, n.Patt)] = n.Names
	}
	table.Send(w, format, "labels", l, table.Table{Name: "labels", Columns: []string{"corpus", "query", "label", "name", "note", "start", "end", "source", "left", "match", "right"}, Rows: func(yield func([]any, error) bool) {
		for _, x := range l.Labels {
			name := names[subKey(x.Corpus, x.Patt)][strconv.Itoa(x.Label)]
			if !yield([]any{x.Corpus, x.Patt, int64(x.Label), name, x.Note, x.Start, x.End, x.Ref, x.Left, x.Match, x.Right}, nil) {
				return
			}
		}
	}})
}

// maxNames is the maximum number of names of the labels of a query.
const maxNames = 9

func tooManyNames(n LabelNames) error {
	return problem.New(http.StatusUnprocessableEntity, "names: %d labels: wanted at most %d", len(n.Names), maxNames)
}

// label labels hits, and names labels.
func (a *api) label(ctx context.Context, in *struct {
	Body struct {
		Labels []HitLabel   `json:"labels,omitempty" maxItems:"1000" doc:"Labels to set; label 0 removes."`
		Names  []LabelNames `json:"names,omitempty" maxItems:"100" doc:"Names of the labels of queries."`
	}
}) (*done, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var events []event
	added := 0
	for _, l := range in.Body.Labels {
		if l.End <= l.Start && l.Label > 0 {
			return nil, problem.New(http.StatusUnprocessableEntity, "labels: tokens %d to %d: wanted an end after the start", l.Start, l.End)
		}
		key := l.key()
		if _, ok := w.labels[key]; !ok && l.Label > 0 {
			added++
		}
		if l.Label == 0 {
			events = append(events, event{Kind: kindLabel, ID: key})
		} else {
			events = append(events, newEvent(kindLabel, key, l))
		}
	}
	if added > 0 {
		if err := limit(len(w.labels)+added-1, maxLabels, "labels"); err != nil {
			return nil, err
		}
	}
	for _, n := range in.Body.Names {
		if len(n.Names) > maxNames {
			return nil, tooManyNames(n)
		}
		events = append(events, newEvent(kindNames, subKey(n.Corpus, n.Patt), n))
	}
	if len(events) == 0 {
		return finished(nil)
	}
	return finished(w.change(events...))
}
