package clean

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Groups divides results of one system, each on one of the sets, by a field: a field of meta.jsonl,
// "set", "policy", or "fold". Groups are ordered by value. Pages without the field are in the group
// "-".
func Groups(sets []*Set, results []*Result, field string, cfg Config) []*Result {
	of := sets[0].Name
	if len(sets) > 1 {
		of = fmt.Sprintf("%d sets", len(sets))
	}
	by := map[string]*Result{}
	var names []string
	for n, s := range sets {
		r := results[n]
		for i, g := range s.Pages {
			name := "-"
			switch field {
			case "set":
				name = s.Name
			case "policy":
				name = s.Policy
			case "fold":
				if f, ok := r.Folds[g.ID]; ok {
					name = strconv.Itoa(f)
				}
			default:
				name = g.Field(field)
			}
			if by[name] == nil {
				by[name] = &Result{Set: of + " " + field + "=" + name, System: r.System, Field: field, Value: name, Of: of}
				names = append(names, name)
			}
			by[name].Scores = append(by[name].Scores, r.Scores[i])
		}
	}
	slices.Sort(names)
	out := make([]*Result, len(names))
	for i, n := range names {
		out[i] = by[n]
		out[i].Values = summarise(out[i].Scores, cfg)
	}
	return out
}

// Pool merges results of one system on several sets into one result on all pages.
func Pool(results []*Result, cfg Config) *Result {
	all := &Result{Set: fmt.Sprintf("%d sets", len(results)), System: results[0].System}
	for _, r := range results {
		all.Scores = append(all.Scores, r.Scores...)
	}
	all.Values = summarise(all.Scores, cfg)
	return all
}

// WritePivots writes one figure of all results: a table with a column for each set, and a table for
// each set and field with a column for each value. The best system of a column is marked with a
// star.
func WritePivots(w io.Writer, results []*Result, m Metric) error {
	type kind struct{ of, field string }
	var kinds []kind
	tables := map[kind][]*Result{}
	for _, r := range results {
		k := kind{r.Of, r.Field}
		if tables[k] == nil {
			kinds = append(kinds, k)
		}
		tables[k] = append(tables[k], r)
	}
	for _, k := range kinds {
		title := m.Name
		if k.field != "" {
			title += " by " + k.field + ", " + k.of
		}
		if err := writePivot(w, tables[k], title, m); err != nil {
			return err
		}
	}
	return nil
}

func writePivot(w io.Writer, results []*Result, title string, m Metric) error {
	var columns, systems []string
	pages := map[string]int{}
	best := map[string]float64{}
	values := map[[2]string]float64{}
	for _, r := range results {
		name := r.Value
		if r.Field == "" {
			name = r.Set
		}
		v, ok := r.Values[m.Name]
		if !ok {
			continue
		}
		if _, ok := pages[name]; !ok {
			columns = append(columns, name)
		}
		if !slices.Contains(systems, r.System) {
			systems = append(systems, r.System)
		}
		pages[name] = len(r.Scores)
		best[name] = max(best[name], v.Value)
		values[[2]string{r.System, name}] = v.Value
	}
	if len(columns) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", title); err != nil {
		return err
	}
	rows := [][]string{{"system"}, {"pages"}}
	for _, c := range columns {
		rows[0] = append(rows[0], c+" ")
		rows[1] = append(rows[1], strconv.Itoa(pages[c])+" ")
	}
	for _, s := range systems {
		row := []string{s}
		for _, c := range columns {
			v, ok := values[[2]string{s, c}]
			cell := "- "
			if ok && v == best[c] {
				cell = percent(v, 2) + "*"
			} else if ok {
				cell = percent(v, 2) + " "
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return writeAligned(w, rows)
}
