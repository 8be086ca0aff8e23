package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	evalclean "chaffinch/lab/eval/clean"
)

// evalReport collects results for the outputs at the end.
type evalReport struct {
	cmd     *evalCleanCmd
	con     *console
	results []*evalclean.Result
	tests   []evalclean.Comparison
	views   []evalclean.View
}

// set measures all systems on one set and prints its table; cross are the
// outputs of the cross-validation.
func (r *evalReport) set(ctx context.Context, s *evalclean.Set, cross []*evalclean.Output) error {
	c := r.cmd
	outputs, err := c.outputs(ctx, s, cross)
	if err != nil {
		return err
	}
	var results, groups []*evalclean.Result
	for _, o := range outputs {
		res, err := evalclean.Measure(ctx, s, o, c.config())
		if err != nil {
			return err
		}
		results = append(results, res)
		for _, field := range c.Group {
			if g := evalclean.Groups([]*evalclean.Set{s}, []*evalclean.Result{res}, field, c.config()); len(g) > 1 {
				groups = append(groups, g...)
			}
		}
	}
	var tests []evalclean.Comparison
	if c.Compare != nil {
		a, b := find(results, c.Compare[0]), find(results, c.Compare[1])
		if a == nil || b == nil {
			return fmt.Errorf("--compare %s %s: wanted two of %s", c.Compare[0], c.Compare[1], systemNames(results))
		}
		tests = evalclean.Compare(a, b)
	}
	if !c.JSON {
		if err := r.print(s.Name, results, groups, tests); err != nil {
			return err
		}
	}
	if err := c.compare(s.Name, s.Fingerprint(), evalclean.Floored(results)); err != nil {
		return err
	}
	r.results = append(append(r.results, results...), groups...)
	r.tests = append(r.tests, tests...)
	r.views = append(r.views, evalclean.View{Set: s, Outputs: outputs, Results: results, Comparisons: tests})
	return nil
}

// together prints and keeps the figures over all sets, of the systems that have
// output for each.
func (r *evalReport) together() error {
	c := r.cmd
	if len(r.views) < 2 {
		return nil
	}
	var pooled, groups []*evalclean.Result
	for _, first := range r.views[0].Results {
		var sets []*evalclean.Set
		var results []*evalclean.Result
		for _, v := range r.views {
			if res := find(v.Results, first.System); res != nil {
				sets, results = append(sets, v.Set), append(results, res)
			}
		}
		if len(sets) < len(r.views) {
			continue
		}
		pooled = append(pooled, evalclean.Pool(results, c.config()))
		for _, field := range c.Group {
			groups = append(groups, evalclean.Groups(sets, results, field, c.config())...)
		}
	}
	if len(pooled) == 0 {
		return nil
	}
	r.results = append(append(r.results, pooled...), groups...)
	if c.JSON {
		return nil
	}
	return r.print(pooled[0].Set+" together", pooled, groups, nil)
}

// worst prints the pages that the first system does worst on and returns them.
func (r *evalReport) worst() ([]evalclean.Bad, error) {
	c := r.cmd
	if c.Worst == 0 {
		return nil, nil
	}
	m, _ := evalclean.Lookup(c.WorstBy)
	bad := evalclean.Worst(r.views, 0, m, c.Worst)
	if c.JSON || len(bad) == 0 {
		return bad, nil
	}
	fmt.Fprintf(r.con.out, "\nworst pages of %s by %s\n", bad[0].System, m.Name)
	return bad, evalclean.WriteWorst(r.con.out, bad, m)
}

// against prints the pages on which the first system fails and the others do not.
func (r *evalReport) against() (*evalclean.Against, error) {
	c := r.cmd
	if len(c.Against) == 0 {
		return nil, nil
	}
	var others []string
	for _, spec := range c.Against {
		_, name := dirAndName(spec)
		others = append(others, name)
	}
	m, _ := evalclean.Lookup(c.WorstBy)
	a := evalclean.MeasureAgainst(r.views, 0, others, m)
	if c.JSON {
		return a, nil
	}
	fmt.Fprintln(r.con.out)
	return a, evalclean.WriteAgainst(r.con.out, a)
}

func find(results []*evalclean.Result, system string) *evalclean.Result {
	i := slices.IndexFunc(results, func(r *evalclean.Result) bool { return r.System == system })
	if i < 0 {
		return nil
	}
	return results[i]
}

func systemNames(results []*evalclean.Result) string {
	var names []string
	for _, r := range results {
		names = append(names, r.System)
	}
	return strings.Join(names, ", ")
}

// print writes the tables of one set, or of all.
func (r *evalReport) print(title string, results, groups []*evalclean.Result, tests []evalclean.Comparison) error {
	out := r.con.out
	if len(r.views) > 0 {
		fmt.Fprintln(out)
	}
	pages := 0
	if len(results) > 0 {
		pages = len(results[0].Scores)
	}
	fmt.Fprintf(out, "%s: %d pages, figures in percent", title, pages)
	if r.cmd.Samples > 0 {
		fmt.Fprintf(out, ", %g %% intervals of %d bootstrap samples, seed %d", 100*r.cmd.Level, r.cmd.Samples, r.cmd.Seed)
	}
	fmt.Fprintln(out)
	if err := evalclean.WriteTable(out, results, r.cmd.All); err != nil {
		return err
	}
	for _, res := range results {
		for _, n := range res.Notes {
			fmt.Fprintf(out, "note: %s: %s\n", res.System, n)
		}
	}
	var names []string
	for _, g := range groups {
		if !slices.Contains(names, g.Set) {
			names = append(names, g.Set)
		}
	}
	for _, name := range names {
		same := slices.DeleteFunc(slices.Clone(groups), func(g *evalclean.Result) bool { return g.Set != name })
		fmt.Fprintf(out, "\n%s\n", name)
		if err := evalclean.WriteTable(out, same, r.cmd.All); err != nil {
			return err
		}
	}
	if len(tests) > 0 {
		fmt.Fprintln(out)
	}
	return evalclean.WriteComparison(out, tests)
}

// end writes the files and what concerns all sets.
func (r *evalReport) end() error {
	c := r.cmd
	if err := r.together(); err != nil {
		return err
	}
	for _, name := range c.Pivot {
		m, _ := evalclean.Lookup(name)
		if err := evalclean.WritePivots(r.con.out, r.results, m); err != nil {
			return err
		}
	}
	bad, err := r.worst()
	if err != nil {
		return err
	}
	against, err := r.against()
	if err != nil {
		return err
	}
	confidence := evalclean.Reliabilities(r.views)
	if !c.JSON && len(confidence) > 0 {
		fmt.Fprintln(r.con.out)
		if err := evalclean.WriteReliability(r.con.out, confidence); err != nil {
			return err
		}
	}
	types := evalclean.TypesOf(r.views)
	for _, t := range types {
		if c.JSON {
			break
		}
		fmt.Fprintln(r.con.out)
		if err := t.Write(r.con.out); err != nil {
			return err
		}
	}
	views := r.views
	if c.Worst > 0 {
		views = evalclean.ViewOf(views, bad)
	}
	if c.JSON {
		if err := evalclean.WriteJSON(r.con.out, r.results, r.tests, against, confidence, types); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		path  string
		write func(io.Writer) error
	}{
		{c.PerPage, func(w io.Writer) error { return evalclean.WritePages(w, r.results) }},
		{c.Bench, func(w io.Writer) error { return evalclean.WriteBench(w, r.results) }},
		{c.Glue, func(w io.Writer) error { return evalclean.WriteGlue(r.con.err, w, r.views) }},
		{c.Report, func(w io.Writer) error { return evalclean.WriteHTML(w, views) }},
	} {
		if f.path == "" {
			continue
		}
		if err := writeFile(f.path, f.write); err != nil {
			return err
		}
	}
	return c.judge(r.con.err)
}
