package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"chaffinch/clean"
	"chaffinch/clean/method"
	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/eval/roles"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/page"
)

type evalRolesCmd struct {
	Roles  string   `required:"" placeholder:"FILE" help:"Annotated roles (lab/eval/roles/dev.tsv)."`
	Second string   `placeholder:"FILE" help:"Second annotation of some of the pages: its agreement with the first is the upper bound of all figures."`
	Set    []string `required:"" placeholder:"NAME" help:"Sets of the pages: folders or archives in the data folder, or paths; \"all\" for every set there. With --cross-validate all their pages are used for training, and the annotated ones for evaluation."`
	Data   string   `default:"../shared/data" placeholder:"DIR" help:"The data folder; sets are in its folder eval."`
	Method []string `short:"m" sep:"none" default:"blocks" placeholder:"NAME[{JSON}][=LABEL]" help:"Methods of Chaffinch: ${methodNames}, followed by settings that differ from the defaults as a JSON object, then by a name for the tables. Default: ${default}."`
	Hidden string   `default:"drop" enum:"drop,keep" help:"Hidden blocks: skip them (drop) or evaluate them (keep)."`
	Policy []string `placeholder:"[SET=]POLICY" help:"Policy of a set, as for eval clean."`

	TrainRoles    []string `placeholder:"FILE" help:"With --cross-validate: additional annotated roles for training, such as lab/eval/roles/extra.tsv; they are not evaluated."`
	CrossValidate int      `placeholder:"K" help:"K-fold cross-validation over the pages of all sets together, instead of the embedded models."`
	By            string   `default:"site" enum:"page,site,set" help:"With --cross-validate: unit that is not split between folds: page, site (all pages of a registrable domain), or set (with as many folds as sets, each set is measured by a model trained without it). Default: ${default}."`

	Group   []string `placeholder:"FIELD" help:"Also show figures by a field of meta.jsonl, such as lang or page_type, or by set."`
	Samples int      `default:"1000" placeholder:"N" help:"Bootstrap samples of pages for the intervals, 0 for none."`
	Level   float64  `range:"(0,1)" default:"0.95" placeholder:"SHARE" help:"Confidence level of the intervals."`
	Seed    uint64   `default:"1" placeholder:"N" help:"Seed of the samples: the same seed gives the same intervals."`
	Jobs    int      `short:"j" placeholder:"N" help:"Pages processed in parallel. Default: one per core. Does not change the figures."`
	Errors  string   `placeholder:"FILE" help:"Write the blocks with a wrong role by the first method, with their text, as a table (TSV)."`
	JSON    bool     `help:"Print JSON instead of tables."`
}

// Help is the long help.
func (evalRolesCmd) Help() string {
	return `Precision, recall and F of each role in percent, over blocks and weighted by their words, with
bootstrap intervals over pages; "second" is the F of the second annotation. A table of confusions
follows. The roles are defined in docs/guides/roles-guideline.md.

Example:
  chaffinch eval roles --roles lab/eval/roles/dev.tsv --second lab/eval/roles/second.tsv --set all -m blocks --cross-validate 10`
}

// Run evaluates every method.
func (c *evalRolesCmd) Run(ctx context.Context, con *console) error {
	first, err := gold.ReadRolePages(c.Roles)
	if err != nil {
		return err
	}
	var second []gold.RolePage
	if c.Second != "" {
		if second, err = gold.ReadRolePages(c.Second); err != nil {
			return err
		}
	}
	sets, err := c.open(first)
	if err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(tightGC))
	steps := startSteps(con)
	defer steps.stop()
	col, err := collectPages(ctx, sets, "", gold.CollectConfig{Workers: c.Jobs}, steps)
	if err != nil {
		return err
	}
	if _, err := col.Annotate(first); err != nil {
		return fmt.Errorf("%s: %w", c.Roles, err)
	}
	if err := addRoles(col, c.TrainRoles, steps.errors); err != nil {
		return err
	}
	set, err := roles.NewSet(col, first, second, c.Hidden == "keep")
	if err != nil {
		return fmt.Errorf("%s: %w", c.Roles, err)
	}
	if set.Unread > 0 {
		fmt.Fprintf(steps.errors, "chaffinch: %s: %s of the annotated pages without a role: not evaluated\n", c.Roles, count(int64(set.Unread), "block"))
	}
	var results []*roles.Result
	var outputs []*roles.Output
	for _, spec := range c.Method {
		o, err := c.output(ctx, steps, col, set, spec)
		if err != nil {
			return err
		}
		outputs = append(outputs, o)
		results = append(results, roles.Measure(set, o, roles.Config{Samples: c.Samples, Level: c.Level, Seed: c.Seed}))
	}
	steps.stop()
	if c.Errors != "" {
		if err := writeFile(c.Errors, func(w io.Writer) error { return roles.WriteErrors(w, set, outputs[0]) }); err != nil {
			return err
		}
	}
	return c.print(con.out, results)
}

// open reads the gold of the sets; without cross-validation, of the annotated
// pages alone.
func (c *evalRolesCmd) open(first []gold.RolePage) ([]*evalclean.Set, error) {
	names, err := setNames(c.Set, c.Data)
	if err != nil {
		return nil, err
	}
	var sets []*evalclean.Set
	for _, name := range names {
		s, err := evalclean.Open(c.Data, name)
		if err != nil {
			return nil, err
		}
		if err := followPolicy(s, c.Policy); err != nil {
			return nil, err
		}
		if c.CrossValidate == 0 {
			var ids []string
			for _, p := range first {
				if p.Set == s.Name {
					ids = append(ids, p.ID)
				}
			}
			s.Only(ids) // ids that the set does not have are told of when pages are matched
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// output labels the annotated pages with a method.
func (c *evalRolesCmd) output(ctx context.Context, steps steps, col *gold.Collection, set *roles.Set, spec string) (*roles.Output, error) {
	name, config, label, err := splitMethod(spec)
	if err != nil {
		return nil, err
	}
	o := &roles.Output{Name: label, Roles: map[*gold.Item][]page.Role{}}
	var mu sync.Mutex
	visit := func(i int, p *page.Page) {
		given := roles.RolesOf(p)
		mu.Lock()
		defer mu.Unlock()
		o.Roles[col.Items[i]] = given
	}
	cfg := evalclean.Cross{Folds: c.CrossValidate, By: c.By, KeepHidden: c.Hidden == "keep", Workers: c.Jobs, Only: set.Has, Progress: steps.show}
	if c.CrossValidate == 0 {
		var items []int
		for i, it := range col.Items {
			if set.Has(it) {
				items = append(items, i)
			}
		}
		trained := pretrained{name, config}
		for _, s := range col.Sets {
			note, err := trained.note(s)
			if err != nil {
				return nil, err
			}
			if note != "" && !slices.Contains(o.Notes, note) {
				o.Notes = append(o.Notes, note)
			}
		}
		return o, evalclean.LabelItems(ctx, col, items, trained, cfg, visit)
	}
	m, err := train.New(name, method.Options{Config: config})
	if err != nil {
		return nil, fmt.Errorf("--cross-validate: %w", err)
	}
	o.Name = fmt.Sprintf("%s/%d-fold", label, c.CrossValidate)
	run, err := evalclean.CrossLabel(ctx, col, o.Name, m, cfg, visit)
	o.Notes = append(o.Notes, run.Note)
	return o, err
}

// pretrained is a method with the model that it has.
type pretrained struct {
	name   string
	config json.RawMessage
}

// Labeller returns the method for a policy.
func (a pretrained) Labeller(policy string) (clean.Labeller, error) {
	o := method.Options{Config: a.config}
	if method.Keeps(a.name) && !strings.Contains(string(a.config), `"keep"`) {
		o.Keep = policy
	}
	return method.New(a.name, o)
}

// note returns a note if the model was trained on the set.
func (a pretrained) note(s *gold.Set) (string, error) {
	l, err := a.Labeller(s.Keep)
	if err != nil {
		return "", err
	}
	models, ok := l.(clean.HasCards)
	if !ok {
		return "", nil
	}
	for _, card := range models.Cards() {
		if evalclean.TrainedOn(s.Name, card) {
			return "trained on pages of these sets: the figures do not apply to other pages; see --cross-validate", nil
		}
	}
	return "", nil
}

// print writes the results.
func (c *evalRolesCmd) print(w io.Writer, results []*roles.Result) error {
	if c.JSON {
		all := results
		for _, r := range results {
			for _, field := range c.Group {
				all = append(all[:len(all):len(all)], r.Groups(field)...)
			}
		}
		return roles.WriteJSON(w, all)
	}
	for i, r := range results {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := roles.WriteText(w, r); err != nil {
			return err
		}
		for _, field := range c.Group {
			fmt.Fprintln(w)
			if err := roles.WriteGroups(w, r.Groups(field)); err != nil {
				return err
			}
		}
	}
	return nil
}
