package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/build/stage"
	"chaffinch/clean/method"
	"chaffinch/internal/archive"
	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/pipeline"
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
	Set         []string `required:"" placeholder:"NAME" help:"Sets: folders or archives in the data folder, or paths; \"all\" for every set there."`
	Data        string   `default:"../shared/data" placeholder:"DIR" help:"The data folder; sets are in its folder eval."`
	Predictions []string `placeholder:"DIR[=NAME]" help:"Saved output of a program: DIR/SET/ID.txt or DIR/ID.txt; {set} in DIR is replaced by the set."`
	Method      []string `short:"m" sep:"none" placeholder:"NAME[{JSON}][=LABEL]" help:"Methods of Chaffinch: ${methodNames}, followed by settings that differ from the defaults as a JSON object, then by a name for the tables."`
	Model       []string `sep:"none" placeholder:"FILE[=LABEL]" help:"Model written by train blocks, lines, ncleaner or words, evaluated with its method. Default of LABEL: the name of the file."`
	Against     []string `placeholder:"DIR[=NAME]" help:"Saved output of programs, as for --predictions. Prints the pages, by --worst-by, on which the first system is far below the median of these programs: below 50 and above 90, or below 80 and above 95."`
	Oracle      bool     `help:"Also score perfect labels of whole blocks (the upper bound)."`
	Lang        string   `short:"l" placeholder:"TAG" help:"Language of the pages for --method. Default: as given by the set, else as declared by the page. \"page\": only as declared by the page."`
	Hidden      string   `default:"drop" enum:"drop,keep" help:"Hidden blocks with --method: drop or keep."`
	Sites       bool     `help:"Compare the pages of each site, of all sets together, for --method, --model and --cross-validate, as clean --sites does. Method blocks only."`
	AsText      string   `enum:",blocks,breaks,wrapped" default:"" placeholder:"HOW" help:"Convert the pages to plain text for --method and --cross-validate: blocks (one block per line), breaks (line breaks too, as in WET files) or wrapped (78 characters per line and empty lines between blocks, as lynx -dump)."`
	Compare     *pair    `placeholder:"A B" help:"Test the difference between two systems page by page (Wilcoxon, paired t)."`

	IDs   string   `name:"ids" placeholder:"FILE" help:"Use only the pages listed in the file, by ID."`
	Group []string `placeholder:"FIELD" help:"Also show figures by a field of meta.jsonl, such as lang or page_type, or by set, policy or fold; with several sets also for all together."`
	Pivot []string `placeholder:"FIGURE" help:"Also print a table of one figure, such as bw_f, with a row for each system and a column for each set and group."`

	All     bool    `help:"Show all figures, not only the main ones."`
	Samples int     `default:"1000" placeholder:"N" help:"Bootstrap samples for the intervals, 0 for none."`
	Level   float64 `range:"(0,1)" default:"0.95" placeholder:"SHARE" help:"Confidence level of the intervals."`
	Seed    uint64  `default:"1" placeholder:"N" help:"Seed of the samples: the same seed gives the same intervals."`
	Jobs    int     `short:"j" placeholder:"N" help:"Pages processed in parallel. Default: one per core. Does not change the figures."`

	CrossValidate int      `placeholder:"K" help:"K-fold cross-validation of the trainable methods over the pages of all sets together. Settings go with --method; training settings only with --cross-only: 'ncleaner{\"n\":4}'."`
	By            string   `default:"page" enum:"page,site,set" help:"With --cross-validate: unit that is not split between folds: page, site (all pages of a registrable domain), or set (with as many folds as sets, each set is measured by a model trained without it)."`
	TrainSet      []string `placeholder:"NAME" help:"With --cross-validate: more sets to train on, not scored."`
	Roles         []string `placeholder:"FILE" help:"With --cross-validate: annotated roles of blocks, tables such as lab/eval/roles/dev.tsv, for the method blocks to learn from."`
	CrossOnly     bool     `help:"With --cross-validate: do not score the embedded models."`
	Curve         []int    `placeholder:"PAGES" help:"With --cross-validate: print the learning curve of each trainable method instead: its figures after training on these numbers of pages of the other folds, drawn by --seed, such as 1,2,5,10,20,50."`
	Figure        string   `placeholder:"FILE" help:"With --curve: also draw the curve as an SVG file; needs a single method."`
	Policy        []string `sep:"none" placeholder:"[SET=]POLICY" help:"Policy of a set: text (all content), main (main content of any page), article (the article alone), running (running text), or roles separated by commas, such as body,title; may be given for each set. Default: the policy recorded for the set, else article."`

	SavePredictions string `placeholder:"DIR" help:"Write the output of each --method to DIR/METHOD/SET/ID.txt, one block per line, and ID.tsv with types."`

	PerPage string `placeholder:"FILE" help:"Write all measures of each page as a table (TSV)."`
	Glue    string `placeholder:"FILE" help:"Write glued words (two words of the gold in one) and split words (part of a word of the gold) as a table (TSV), and print their numbers."`
	JSON    bool   `help:"Print JSON instead of tables."`
	Bench   string `placeholder:"FILE" help:"Write the figures in Go's benchmark format, for benchstat."`
	floorFlags
	Report  string `was:"html" placeholder:"FILE" help:"Write an HTML file that shows every page, or the pages of --worst, with gold, output and difference."`
	Worst   int    `placeholder:"N" help:"Print the N worst pages of the first system over all sets, with the longest blocks that it dropped or kept wrongly."`
	WorstBy string `default:"w_f" placeholder:"FIGURE" help:"The figure that --worst sorts by. Default: ${default}."`

	models []string         // the methods of --model, in the notation of --method
	sites  *evalclean.Sites // nil without --sites
}

// Help is the long help.
func (evalCleanCmd) Help() string {
	return `Figures are in percent, larger is better; the second line of a system is the bootstrap interval. The figures (details: lab/results/clean.md):

` + metricHelp() + `
Examples:
  chaffinch eval clean --set cleaneval-en-dev --predictions out/trafilatura --report report.html
  chaffinch eval clean --set cleaneval-en-dev -m blocks --model my.chf --compare blocks my`
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
	names, err := setNames(c.Set, c.Data)
	if err != nil {
		return err
	}
	if len(c.Predictions)+len(c.Method)+len(c.Model)+c.CrossValidate == 0 && !c.Oracle {
		return errors.New("nothing to score: give --method NAME, --model FILE or --predictions DIR (repeatable)")
	}
	if err := c.openModels(); err != nil {
		return err
	}
	for _, name := range append([]string{c.WorstBy}, c.Pivot...) {
		if m, ok := evalclean.Lookup(name); !ok || m.Page == nil {
			return fmt.Errorf("figure %q: wanted a figure listed by --help", name)
		}
	}
	if c.Pivot != nil && c.JSON {
		return errors.New("--pivot and --json cannot be combined: --json has the same figures")
	}
	if c.Floors != "" && c.IDs != "" {
		return errors.New("--floors applies to whole sets: leave out --ids")
	}
	if c.Floors != "" && c.AsText != "" {
		return errors.New("--floors applies to HTML pages: leave out --as-text")
	}
	if err := c.checkCurve(); err != nil {
		return err
	}
	rep := evalReport{cmd: c, con: con}
	if err := c.read(); err != nil {
		return err
	}
	sets, err := c.open(con, names)
	if err != nil {
		return err
	}
	if c.Curve != nil {
		return c.curves(ctx, con, sets)
	}
	if err := c.countSites(ctx, con, sets); err != nil {
		return err
	}
	cross, err := c.crossValidate(ctx, con, sets)
	if err != nil {
		return err
	}
	for i, s := range sets {
		liveOf(con).Progress("set "+s.Name, i, len(sets))
		if err := rep.set(ctx, s, cross[i]); err != nil {
			return err
		}
	}
	return rep.end()
}

// setNames returns the sets of --set: "all" is replaced by every set of the data folder, and
// can be combined with others.
func setNames(names []string, data string) ([]string, error) {
	var out []string
	for _, name := range names {
		some := []string{name}
		if name == "all" {
			var err error
			if some, err = gold.Sets(data); err != nil {
				return nil, err
			}
		}
		for _, s := range some {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

func (c *evalCleanCmd) config() evalclean.Config {
	return evalclean.Config{Samples: c.Samples, Level: c.Level, Seed: c.Seed, Workers: c.Jobs}
}

// open reads the gold of the sets to be scored.
func (c *evalCleanCmd) open(con *console, names []string) ([]*evalclean.Set, error) {
	var ids []string
	if c.IDs != "" {
		b, err := archive.ReadFile(c.IDs)
		if err != nil {
			return nil, err
		}
		ids = strings.Fields(string(b))
	}
	var sets []*evalclean.Set
	for _, name := range names {
		s, err := evalclean.Open(c.Data, name)
		if err != nil {
			return nil, err
		}
		if c.IDs != "" {
			if unknown := s.Only(ids); len(unknown) > 0 {
				fmt.Fprintf(con.err, "chaffinch: %s: %d of the ids are not in set %s, first %s\n", c.IDs, len(unknown), s.Name, unknown[0])
			}
			if len(s.Pages) == 0 {
				return nil, fmt.Errorf("%s: no id is in set %s", c.IDs, s.Name)
			}
		}
		if err := followPolicy(s, c.Policy); err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// followPolicy applies the values of --policy to a set; the last one that names
// it, or none, counts.
func followPolicy(s *evalclean.Set, policies []string) error {
	for _, f := range policies {
		set, policy, ok := strings.Cut(f, "=")
		if !ok {
			set, policy = s.Name, f
		}
		if set != s.Name {
			continue
		}
		if err := s.Follow(policy); err != nil {
			return fmt.Errorf("--policy: %w", err)
		}
	}
	return nil
}

// countSites reads all pages for what repeats on the sites.
func (c *evalCleanCmd) countSites(ctx context.Context, con *console, sets []*evalclean.Set) error {
	if !c.Sites || len(c.Method)+len(c.Model) == 0 {
		return nil
	}
	text, err := c.asText()
	if err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(tightGC))
	steps := startSteps(con)
	defer steps.stop()
	col, _, err := evalclean.Collect(ctx, sets, "und", gold.CollectConfig{Workers: c.Jobs,
		Progress: func(done, total int) { steps.show("sites", done, total) }}, text...)
	if err != nil {
		return err
	}
	c.sites = evalclean.CountSites(col)
	return nil
}

// tightGC is the growth of the heap, in percent, between collections while
// thousands of pages are held: a little time for much memory.
const tightGC = 30

// crossValidate scores each trainable method, by default ncleaner, on pages outside of its
// training data. It returns the outputs for each set.
func (c *evalCleanCmd) crossValidate(ctx context.Context, con *console, sets []*evalclean.Set) ([][]*evalclean.Output, error) {
	out := make([][]*evalclean.Output, len(sets))
	if c.CrossValidate == 0 {
		return out, nil
	}
	err := c.eachTrainable(ctx, con, sets, func(col *gold.Collection, label string, m train.Trainable, cross evalclean.Cross) error {
		outputs, err := evalclean.CrossValidate(ctx, col, fmt.Sprintf("%s/%d-fold", label, c.CrossValidate), m, cross)
		if err != nil {
			return err
		}
		for i := range sets {
			out[i] = append(out[i], outputs[i])
		}
		return nil
	})
	return out, err
}

// eachTrainable reads the pages of the sets and of --train-set and calls fn with each
// method that learns.
func (c *evalCleanCmd) eachTrainable(ctx context.Context, con *console, sets []*evalclean.Set, fn func(*gold.Collection, string, train.Trainable, evalclean.Cross) error) error {
	defer debug.SetGCPercent(debug.SetGCPercent(tightGC))
	all := sets
	for _, name := range c.TrainSet {
		s, err := evalclean.Open(c.Data, name)
		if err != nil {
			return err
		}
		if err := followPolicy(s, c.Policy); err != nil {
			return err
		}
		all = append(all[:len(all):len(all)], s)
	}
	steps := startSteps(con)
	defer steps.stop()
	lang := c.Lang
	if lang == "page" {
		lang = ""
	}
	text, err := c.asText()
	if err != nil {
		return err
	}
	col, err := collectPages(ctx, all, lang, gold.CollectConfig{PageLang: c.Lang != "", Workers: c.Jobs}, steps, text...)
	if err != nil {
		return err
	}
	if err := addRoles(col, c.Roles, steps.errors); err != nil {
		return err
	}
	for _, name := range c.trainable() {
		name, config, label, err := splitMethod(name)
		if err != nil {
			return err
		}
		m, err := train.New(name, method.Options{Config: config})
		if err != nil {
			return fmt.Errorf("--cross-validate: %w", err)
		}
		if err := fn(col, label, m, evalclean.Cross{Folds: c.CrossValidate, By: c.By, KeepHidden: c.Hidden == "keep", Sites: c.Sites,
			Workers: c.Jobs, Detail: c.detail(), Progress: steps.show}); err != nil {
			return err
		}
	}
	return nil
}

// trainable returns the methods of --method that learn, ncleaner if there are none.
func (c *evalCleanCmd) trainable() []string {
	methods := slices.DeleteFunc(slices.Clone(c.Method), func(m string) bool { return !isTrainable(m) })
	if len(methods) == 0 {
		return []string{"ncleaner"}
	}
	return methods
}

// outputs returns the output of each system, methods first; cross holds the outputs of the
// cross-validation.
func (c *evalCleanCmd) outputs(ctx context.Context, s *evalclean.Set, cross []*evalclean.Output) ([]*evalclean.Output, error) {
	var out []*evalclean.Output
	scored := slices.DeleteFunc(slices.Clone(c.Method), func(m string) bool { return c.CrossOnly && isTrainable(m) })
	for _, m := range append(scored, c.models...) {
		stages, label, err := c.stages(m, s)
		if err != nil {
			return nil, err
		}
		o, err := evalclean.Run(ctx, s, label, stages, evalclean.RunConfig{PageLang: c.Lang == "page", Workers: c.Jobs, Detail: c.detail()})
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	if c.Oracle && !s.Pages[0].SnippetsOnly {
		stages, _, err := c.stages("keep", s)
		if err != nil {
			return nil, err
		}
		stages[len(stages)-1] = evalclean.Oracle(s) // in the place of the labels
		o, err := evalclean.Run(ctx, s, "oracle", stages, evalclean.RunConfig{PageLang: c.Lang == "page", Workers: c.Jobs, Detail: c.detail()})
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	out = append(out, cross...)
	if c.AsText != "" {
		for _, o := range out {
			o.Notes = append(o.Notes, "read the pages as plain text ("+c.AsText+")")
		}
	}
	if c.SavePredictions != "" {
		for _, o := range out {
			if err := o.Save(filepath.Join(c.SavePredictions, folderName(o.Name), s.Name)); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range slices.Concat(c.Predictions, c.Against) {
		dir, name := dirAndName(p)
		o, err := evalclean.ReadPredictions(strings.ReplaceAll(dir, "{set}", s.Name), name, s)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// dirAndName splits DIR=NAME. Without a name it returns the name of the folder.
func dirAndName(spec string) (dir, name string) {
	dir, name, ok := strings.Cut(spec, "=")
	if !ok {
		name = filepath.Base(dir)
	}
	return dir, name
}

// detail reports whether single blocks are shown.
func (c *evalCleanCmd) detail() bool { return c.Worst > 0 || len(c.Against) > 0 }

// openModels finds the methods of the models.
func (c *evalCleanCmd) openModels() error {
	for _, m := range c.Model {
		file, label, ok := strings.Cut(m, "=")
		if !ok {
			label = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		}
		name, config, err := method.WithModel("", file, nil)
		if err != nil {
			return fmt.Errorf("--model: %w", err)
		}
		c.models = append(c.models, fmt.Sprintf("%s%s=%s", name, config, label))
	}
	return nil
}

// stages returns the stages of a method for a page of s, and its label. A method that has
// learned policies uses the policy of the set, unless its configuration names one.
func (c *evalCleanCmd) stages(spec string, s *evalclean.Set) ([]pipeline.Stage, string, error) {
	name, config, label, err := splitMethod(spec)
	if err != nil {
		return nil, "", err
	}
	o := stage.Options{Method: name, MethodConfig: config, KeepHidden: c.Hidden == "keep", NoMetadata: true}
	if method.Keeps(name) && !strings.Contains(string(config), `"keep"`) {
		o.Keep = s.Keep
	}
	if c.Lang != "page" {
		o.Lang = c.Lang
	}
	stages, err := o.Build()
	if err != nil {
		return nil, "", err
	}
	text, err := c.asText()
	stages = append(text, stages...)
	if c.sites != nil && err == nil {
		stages = c.sites.Stages(s, stages)
	}
	return stages, label, err
}

// asText returns the stage of --as-text, or nil.
func (c *evalCleanCmd) asText() ([]pipeline.Stage, error) {
	if c.AsText == "" {
		return nil, nil
	}
	s, err := evalclean.NewAsText(c.AsText)
	return []pipeline.Stage{s}, err
}

// splitMethod cuts NAME{JSON}=LABEL, of which only NAME must be there. Without
// a label, it is all of it.
func splitMethod(method string) (name string, config json.RawMessage, label string, err error) {
	name, label = method, method
	if i := strings.LastIndexByte(method, '='); i > strings.LastIndexByte(method, '}') {
		name, label = method[:i], method[i+1:]
	}
	i := strings.IndexByte(name, '{')
	if i < 0 {
		return name, nil, label, nil
	}
	if config = json.RawMessage(name[i:]); !json.Valid(config) {
		return "", nil, "", fmt.Errorf("--method %s: the settings after the name are not a JSON object", method)
	}
	return name[:i], config, label, nil
}

// isTrainable reports whether a method, named as NAME or NAME{JSON}, learns.
func isTrainable(spec string) bool {
	name, _, _, err := splitMethod(spec)
	return err == nil && slices.Contains(train.Names(), name)
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
