package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/clean"
	evalclean "chaffinch/eval/clean"
	"chaffinch/pipeline"
	"chaffinch/recipe"
)

// pair is a flag with two values.
type pair [2]string

// Decode reads two arguments.
func (p *pair) Decode(ctx *kong.DecodeContext) error {
	for i := range p {
		if err := ctx.Scan.PopValueInto("system", &p[i]); err != nil {
			return err
		}
	}
	return nil
}

type evalCleanCmd struct {
	Set         []string `required:"" placeholder:"NAME" help:"The sets: folders or archives in the data folder, or paths; \"all\" takes every set there."`
	Data        string   `default:"../shared/data" placeholder:"DIR" help:"The data folder; sets are in its folder eval."`
	Predictions []string `placeholder:"DIR[=NAME]" help:"Saved output of a program: DIR/SET/ID.txt or DIR/ID.txt; {set} in DIR stands for the set."`
	Method      []string `short:"m" sep:"none" placeholder:"NAME[{JSON}]" help:"Our methods: ${methods}; settings that differ from the defaults follow as JSON object."`
	Lang        string   `short:"l" placeholder:"TAG" help:"Language of the pages for --method. Default: what the set says, else what the page declares. \"page\": only what the page declares."`
	Hidden      string   `default:"drop" enum:"drop,keep" help:"Blocks that the page does not show, for --method: drop or keep."`
	Compare     *pair    `placeholder:"A B" help:"Test the difference between two systems page by page (Wilcoxon, paired t)."`

	IDs   string `name:"ids" placeholder:"FILE" help:"Take only the pages whose IDs the file lists."`
	Group string `placeholder:"FIELD" help:"Also show figures for each value of a field of meta.jsonl, such as lang or page_type."`

	All     bool    `help:"Show all figures and not only the main ones."`
	Samples int     `default:"1000" placeholder:"N" help:"Bootstrap samples for the intervals, 0 for none."`
	Level   float64 `default:"0.95" placeholder:"SHARE" help:"Share of the samples within an interval."`
	Seed    uint64  `default:"1" placeholder:"N" help:"Seed of the samples: the same seed gives the same intervals."`
	Jobs    int     `short:"j" placeholder:"N" help:"Pages at once, by default one for each core; changes no figure."`

	CrossValidate int `placeholder:"K" help:"Also train ncleaner on K-1 parts of the set and score it on the rest, part by part; with --method all the vote too. Settings go with --method: 'ncleaner{\"n\":4}'."`

	SavePredictions string `placeholder:"DIR" help:"Write the output of each --method to DIR/METHOD/SET/ID.txt, one block a line, and ID.tsv with types."`

	PerPage      string `placeholder:"FILE" help:"Write all measures of each page as a table (TSV)."`
	JSON         bool   `help:"Print JSON instead of tables."`
	Bench        string `placeholder:"FILE" help:"Write the figures in Go's benchmark format, for benchstat."`
	Floors       string `placeholder:"FILE" help:"Compare with the floors in the file (eval/floors.json): below one, the exit code is 1."`
	UpdateFloors bool   `help:"Raise the floors in the file of --floors to the figures; tell which would go down."`
	LowerFloors  bool   `help:"With --update-floors: lower them too."`
	HTML         string `placeholder:"FILE" help:"Write one HTML file that shows every page with gold, output and difference."`
}

// Help is the long help.
func (evalCleanCmd) Help() string {
	return `Figures are in percent, larger is better; the second line of a system holds the bootstrap
interval. What each figure means: docs/eval.md, in short:

` + metricHelp() + `
Example: chaffinch eval clean --set cleaneval-en-dev --predictions out/trafilatura --html report.html`
}

func metricHelp() string {
	var b strings.Builder
	for _, m := range evalclean.Metrics {
		fmt.Fprintf(&b, "  %-10s  %s\n", m.Name, m.Help)
	}
	return b.String()
}

// Run measures every system on every set.
func (c *evalCleanCmd) Run(ctx context.Context, con *console) error {
	names, err := c.sets()
	if err != nil {
		return err
	}
	if len(c.Predictions)+len(c.Method)+c.CrossValidate == 0 {
		return errors.New("nothing to score: give --method NAME or --predictions DIR, as often as you like")
	}
	if c.UpdateFloors && c.Floors == "" {
		return errors.New("--update-floors: name the file with --floors")
	}
	if c.Floors != "" && c.IDs != "" {
		return errors.New("--floors: floors are of whole sets: leave out --ids")
	}
	rep := evalReport{cmd: c, con: con}
	if c.Floors != "" {
		if rep.floors, err = evalclean.ReadFloors(c.Floors); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := rep.set(ctx, name); err != nil {
			return err
		}
	}
	return rep.end()
}

func (c *evalCleanCmd) sets() ([]string, error) {
	if slices.Contains(c.Set, "all") {
		return evalclean.Sets(c.Data)
	}
	return c.Set, nil
}

func (c *evalCleanCmd) config() evalclean.Config {
	return evalclean.Config{Samples: c.Samples, Level: c.Level, Seed: c.Seed, Workers: c.Jobs}
}

// evalReport gathers what was measured for the outputs at the end.
type evalReport struct {
	cmd     *evalCleanCmd
	con     *console
	results []*evalclean.Result
	tests   []evalclean.Comparison
	views   []evalclean.View
	floors  *evalclean.Floors
	below   []string // figures below their floor
	down    []string // floors that go down
}

// set measures all systems on one set and prints its table.
func (r *evalReport) set(ctx context.Context, name string) error {
	c := r.cmd
	s, err := evalclean.Open(c.Data, name)
	if err != nil {
		return err
	}
	if c.IDs != "" {
		b, err := os.ReadFile(c.IDs)
		if err != nil {
			return err
		}
		if unknown := s.Only(strings.Fields(string(b))); len(unknown) > 0 {
			fmt.Fprintf(r.con.err, "chaffinch: %s: %d of the ids are not in set %s, first %s\n", c.IDs, len(unknown), s.Name, unknown[0])
		}
		if len(s.Pages) == 0 {
			return fmt.Errorf("%s: no id is in set %s", c.IDs, s.Name)
		}
	}
	outputs, err := c.outputs(ctx, s)
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
		if c.Group != "" {
			groups = append(groups, res.Groups(s, c.Group, c.config())...)
		}
	}
	var tests []evalclean.Comparison
	if c.Compare != nil {
		a, b := find(results, c.Compare[0]), find(results, c.Compare[1])
		if a == nil || b == nil {
			return fmt.Errorf("--compare %s %s: want two of the systems %s", c.Compare[0], c.Compare[1], systemNames(results))
		}
		tests = evalclean.Compare(a, b)
	}
	if !c.JSON {
		if err := r.print(s, results, groups, tests); err != nil {
			return err
		}
	}
	if r.floors != nil {
		if c.UpdateFloors {
			r.down = append(r.down, r.floors.Update(s, results, c.LowerFloors)...)
		} else {
			below, err := r.floors.Check(s, results)
			if err != nil {
				return err
			}
			r.below = append(r.below, below...)
		}
	}
	r.results = append(append(r.results, results...), groups...)
	r.tests = append(r.tests, tests...)
	if c.HTML != "" {
		r.views = append(r.views, evalclean.View{Set: s, Outputs: outputs, Results: results, Comparisons: tests})
	}
	return nil
}

// outputs reads or makes the output of each system, methods first.
func (c *evalCleanCmd) outputs(ctx context.Context, s *evalclean.Set) ([]*evalclean.Output, error) {
	var out []*evalclean.Output
	for _, m := range c.Method {
		stages, err := c.stages(m)
		if err != nil {
			return nil, err
		}
		o, err := evalclean.Run(ctx, s, m, stages, evalclean.RunConfig{PageLang: c.Lang == "page", Workers: c.Jobs})
		if err != nil {
			return nil, err
		}
		if c.SavePredictions != "" {
			if err := o.Save(filepath.Join(c.SavePredictions, folderName(m), s.Name)); err != nil {
				return nil, err
			}
		}
		out = append(out, o)
	}
	if c.CrossValidate > 0 {
		cross, err := c.crossValidate(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, cross...)
	}
	for _, p := range c.Predictions {
		dir, name, ok := strings.Cut(p, "=")
		if !ok {
			name = filepath.Base(dir)
		}
		o, err := evalclean.ReadPredictions(strings.ReplaceAll(dir, "{set}", s.Name), name, s)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
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

// print writes the tables of one set.
func (r *evalReport) print(s *evalclean.Set, results, groups []*evalclean.Result, tests []evalclean.Comparison) error {
	out := r.con.out
	if len(r.results) > 0 {
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%s: %d pages, figures in percent", s.Name, len(s.Pages))
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
	for i := 0; i < len(groups); {
		var same []*evalclean.Result
		for _, g := range groups {
			if g.Set == groups[i].Set {
				same = append(same, g)
			}
		}
		if find(same[:1], groups[i].System) != nil && same[0] == groups[i] {
			fmt.Fprintf(out, "\n%s\n", groups[i].Set)
			if err := evalclean.WriteTable(out, same, r.cmd.All); err != nil {
				return err
			}
		}
		i++
	}
	if len(tests) > 0 {
		fmt.Fprintln(out)
	}
	return evalclean.WriteComparison(out, tests)
}

// end writes the files and what concerns all sets.
func (r *evalReport) end() error {
	c := r.cmd
	if c.JSON {
		if err := evalclean.WriteJSON(r.con.out, r.results, r.tests); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		path  string
		write func(io.Writer) error
	}{
		{c.PerPage, func(w io.Writer) error { return evalclean.WritePages(w, r.results) }},
		{c.Bench, func(w io.Writer) error { return evalclean.WriteBench(w, r.results) }},
		{c.HTML, func(w io.Writer) error { return evalclean.WriteHTML(w, r.views) }},
	} {
		if f.path == "" {
			continue
		}
		if err := writeFile(f.path, f.write); err != nil {
			return err
		}
	}
	return r.judge()
}

// judge ends the run by the floors.
func (r *evalReport) judge() error {
	c := r.cmd
	for _, line := range r.below {
		fmt.Fprintln(r.con.err, line)
	}
	if len(r.below) > 0 {
		return errNo{fmt.Sprintf("%s below the floors of %s", count(int64(len(r.below)), "figure"), c.Floors)}
	}
	if !c.UpdateFloors {
		return nil
	}
	if err := r.floors.Write(c.Floors); err != nil {
		return err
	}
	for _, line := range r.down {
		fmt.Fprintln(r.con.err, line)
	}
	if len(r.down) > 0 && !c.LowerFloors {
		return errNo{fmt.Sprintf("%s of %s would go down and stay: look into it, or give --lower-floors", count(int64(len(r.down)), "floor"), c.Floors)}
	}
	return nil
}

// writeFile writes a file, "-" being standard output.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}

// crossValidate runs each ncleaner and the vote among the methods, or ncleaner
// if there is none, on parts of the set that ncleaner was not trained on.
func (c *evalCleanCmd) crossValidate(ctx context.Context, s *evalclean.Set) ([]*evalclean.Output, error) {
	var methods []string
	for _, m := range c.Method {
		if name, _, _ := strings.Cut(m, "{"); name == "ncleaner" || m == "all" {
			methods = append(methods, m)
		}
	}
	if methods == nil {
		methods = []string{"ncleaner"}
	}
	var out []*evalclean.Output
	for _, m := range methods {
		cross := evalclean.Cross{Folds: c.CrossValidate, KeepHidden: c.Hidden == "keep"}
		if m == "all" {
			l, err := recipe.Labeller(m, recipe.Options{})
			if err != nil {
				return nil, err
			}
			v, ok := l.(clean.Vote)
			if !ok {
				return nil, fmt.Errorf("--cross-validate: method %s is no vote", m)
			}
			cross.Vote = &v
		} else {
			cross.Config = json.RawMessage(strings.TrimPrefix(m, "ncleaner"))
		}
		o, err := evalclean.CrossValidate(ctx, s, fmt.Sprintf("%s/%d-fold", m, c.CrossValidate), cross)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// stages builds what a method named as NAME or NAME{JSON} does to a page.
func (c *evalCleanCmd) stages(method string) ([]pipeline.Stage, error) {
	name, config := method, ""
	if i := strings.IndexByte(method, '{'); i >= 0 {
		name, config = method[:i], method[i:]
		if !json.Valid([]byte(config)) {
			return nil, fmt.Errorf("--method %s: what follows the name is not a JSON object", method)
		}
	}
	o := recipe.CleanOptions{Method: name, MethodConfig: json.RawMessage(config), KeepHidden: c.Hidden == "keep"}
	if c.Lang != "page" {
		o.Lang = c.Lang
	}
	stages, _, err := recipe.Clean(o).Build()
	return stages, err
}

// folderName makes the name of a system fit for a folder.
func folderName(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:{}"', `, r) {
			return '_'
		}
		return r
	}, s)
}
