package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	evallines "chaffinch/lab/eval/lines"
	"chaffinch/lab/gold"
)

type evalLinesCmd struct {
	Set  string `arg:"" optional:"" name:"data" help:"Labelled documents: a folder, an archive, .jsonl or .tsv (docs/reference/formats/lines.md). Default: lines/turku-lines.tar.zst in the data folder."`
	Data string `default:"../shared/data" placeholder:"DIR" help:"The data folder."`

	System   []string `short:"s" placeholder:"NAME" help:"Systems: lines (line labeller), lines-fast (without networks), logistic (plain logistic regression on features of each line), ncleaner (text mode, one segment per line), keep (every line is text). Default: lines, or none with --predictions."`
	Protocol []string `placeholder:"NAME" help:"Training data: multilingual, monolingual, zero-shot (all languages but one), embedded (none: the embedded model). Default: multilingual."`
	Model    string   `short:"m" placeholder:"FILE" help:"Score this model of the method lines without training (--protocol embedded). Default: the embedded one."`
	Without  []string `placeholder:"GROUP" help:"Train lines without a group of features: ${lineGroups}."`

	Also       []string `placeholder:"FILE" help:"Additional training documents, such as the output of train lines --save-lines; they are not scored."`
	AlsoWeight float64  `range:"(0,)" default:"0.2" placeholder:"SHARE" help:"Weight of a document of --also. Default: ${default}."`

	Folds int    `range:"[2,)" default:"5" placeholder:"K" help:"Parts of the cross-validation by document. Default: ${default}."`
	Split bool   `help:"Instead of folds: score the test part (or dev part) of each language that has other parts too, and train on all others."`
	Seeds int    `range:"[1,)" default:"1" placeholder:"N" help:"Repeat with N seeds, each with separate folds and models, and print mean and standard deviation. Default: ${default}."`
	Seed  uint64 `default:"1" placeholder:"N" help:"The first seed; the others follow."`

	Predictions     []string `short:"p" sep:"none" placeholder:"FILE[=NAME]" help:"Output of another program: JSON lines with id and scores or labels, or a table (.tsv) of id and score; repeatable."`
	SavePredictions string   `placeholder:"FILE" help:"Write the predictions of the systems for each line, as JSON lines that --predictions reads."`

	Langs     []string `short:"l" placeholder:"TAG" help:"Train and score only on documents in these languages."`
	Registers string   `placeholder:"PATH" help:"Source of the registers of documents without one: SweCORE and FreCORE as JSON lines. Default: registers/registers.tar.zst in the data folder, if it exists; none: no registers."`
	Compare   *pair    `placeholder:"A B" help:"Test the difference between two systems, named as in the tables (SYSTEM/PROTOCOL, or SYSTEM if there is one protocol). Default: the first system with each other one of its protocol."`

	Ablate bool  `help:"Also train the first system without each group of features, and with each group alone."`
	Adapt  []int `placeholder:"N" help:"Also train the first system on all languages but one and adapt it to N documents of that language, such as 0,5,10,30,100. It is scored on the rest of these documents."`
	Draws  int   `range:"[1,)" default:"3" placeholder:"N" help:"With --adapt: random draws of the documents for each seed. Default: ${default}."`

	Worst  int    `placeholder:"N" help:"Print the N documents with the most errors of the first system, with their worst lines."`
	Report string `placeholder:"FILE" help:"Write an HTML file with tables, plots and all documents, the worst first, with lines coloured by label and prediction."`
	Plots  string `placeholder:"DIR" help:"Write plots as SVG: accuracy by line number for each system, and the plots of --adapt."`
	PerDoc string `placeholder:"FILE" help:"Write lines, errors and accuracy of each document as a table (TSV)."`
	JSON   bool   `help:"Print JSON instead of tables."`
	Jobs   int    `short:"j" placeholder:"N" help:"Trainings in parallel. Default: one per core. Does not change the figures."`
	floorFlags
}

// linesVars go into help texts.
var linesVars = kong.Vars{"lineGroups": strings.Join(evallines.Groups(), ", ")}

// Help is the long help.
func (evalLinesCmd) Help() string {
	var b strings.Builder
	b.WriteString("Systems are scored only on documents outside of their training data, except with --protocol embedded. Figures are in\npercent, over all lines, or per document where indicated:\n\n")
	for _, m := range evallines.Measures {
		fmt.Fprintf(&b, "  %-8s  %s\n", m.Name, m.Help)
	}
	b.WriteString(`
The figures of the thesis refer to its own test parts: they show the difficulty of the task, but are not comparable.

Examples:
  chaffinch eval lines -s keep -s logistic -s ncleaner -s lines --seeds 3 --report lines.html
  chaffinch eval lines --protocol multilingual,monolingual,zero-shot --save-predictions said.jsonl
  chaffinch eval lines -p said.jsonl -p other.tsv=other --worst 20
  chaffinch eval lines --adapt 0,5,10,30,100 --plots plots
  chaffinch eval lines mylines.tsv --protocol embedded --model my.chf`)
	return b.String()
}

// Run runs the systems, or reads their predictions, and prints tables.
func (c *evalLinesCmd) Run(ctx context.Context, con *console) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.read(); err != nil {
		return err
	}
	set, err := c.open(ctx)
	if err != nil {
		return err
	}
	systems, err := c.systems()
	if err != nil {
		return err
	}
	cfg := evallines.Config{Plan: evallines.DefaultPlan, Workers: c.Jobs}
	cfg.Folds, cfg.Split = c.Folds, c.Split
	if cfg.Also, err = c.also(ctx); err != nil {
		return err
	}
	for i := range c.Seeds {
		cfg.Seeds = append(cfg.Seeds, c.Seed+uint64(i))
	}
	steps := startSteps(con)
	defer steps.stop()
	cfg.Progress = steps.show
	runs, err := evallines.Evaluate(ctx, set, systems, c.Protocol, cfg)
	if err != nil {
		return err
	}
	for _, p := range c.Predictions {
		path, name, ok := strings.Cut(p, "=")
		if !ok {
			name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		}
		said, err := evallines.ReadPredictions(path, name, set)
		if err != nil {
			return err
		}
		if ok && len(evallines.Results(set, said)) == 1 {
			for _, r := range said {
				r.System = name
			}
		}
		runs = append(runs, said...)
	}
	if err := evallines.CheckRuns(runs); err != nil {
		return err
	}
	results := evallines.Results(set, runs)
	c.note(results, systems)
	out := linesOutcome{cmd: c, con: con, set: set, results: results}
	if out.tests, err = c.tests(results); err != nil {
		return err
	}
	if c.Ablate {
		a, ok := systems[0].(evallines.Ablatable)
		if !ok {
			return fmt.Errorf("--ablate: %s has no groups of features to leave out: put -s lines first", systems[0].Name())
		}
		if out.variants, err = evallines.Ablate(ctx, set, a, c.Protocol[0], cfg); err != nil {
			return err
		}
	}
	if len(c.Adapt) > 0 {
		if out.curves, err = evallines.Adaptation(ctx, set, systems[0], c.Adapt, c.Draws, cfg); err != nil {
			return err
		}
		out.adapted = systems[0].Name()
	}
	steps.stop()
	if err := c.save(set, runs); err != nil {
		return err
	}
	if err := out.write(); err != nil {
		return err
	}
	if err := c.compare("lines/"+set.Name, set.Fingerprint(), evallines.Floored(results, cfg.Plan)); err != nil {
		return err
	}
	return c.judge(con.err)
}

// check refuses flags that do not go together, and fills in defaults.
func (c *evalLinesCmd) check() error {
	if len(c.System) == 0 && len(c.Predictions) == 0 {
		c.System = []string{evallines.DefaultSystem}
	}
	if c.Model != "" && len(c.Protocol) == 0 && !c.Ablate && c.Adapt == nil {
		c.Protocol = []string{evallines.Embedded}
	}
	if len(c.Protocol) == 0 {
		c.Protocol = []string{evallines.Multilingual}
	}
	for _, p := range c.Protocol {
		if !slices.ContainsFunc(evallines.Protocols, func(q evallines.Protocol) bool { return q.Name == p }) {
			return fmt.Errorf("--protocol %s: wanted multilingual, monolingual, zero-shot or embedded", p)
		}
	}
	switch {
	case c.Model != "" && !slices.Contains(c.Protocol, evallines.Embedded) && c.Adapt == nil:
		return fmt.Errorf("--model: the protocol %s trains its own models and ignores %s: leave out --protocol, or add embedded", c.Protocol[0], c.Model)
	case c.Model != "" && !slices.Contains(c.System, evallines.DefaultSystem):
		return fmt.Errorf("--model needs -s %[1]s", evallines.DefaultSystem)
	case len(c.System) == 0 && (c.Ablate || c.Adapt != nil):
		return errors.New("--ablate and --adapt need --system")
	case c.Ablate && c.Protocol[0] == evallines.Embedded:
		return errors.New("--ablate needs training: give another --protocol first")
	case c.Floors != "" && (c.Also != nil || c.Langs != nil || c.Without != nil || c.Folds != evallines.DefaultPlan.Folds || c.Seed != 1):
		return errors.New("--floors applies to all languages, five folds or --split, and the first seed: leave out --also, --langs, --without, --folds and --seed")
	}
	for _, n := range c.Adapt {
		if n < 0 {
			return fmt.Errorf("--adapt %d: wanted 0 documents or more", n)
		}
	}
	return nil
}

// open reads the set and looks up registers.
func (c *evalLinesCmd) open(ctx context.Context) (*evallines.Set, error) {
	path := c.Set
	if path == "" {
		path = filepath.Join(c.Data, "lines", "turku-lines.tar.zst")
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%w: name the data folder with --data, or labelled documents of your own", err)
		}
	}
	set, err := evallines.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if len(c.Langs) > 0 {
		if set, err = set.Only(c.Langs); err != nil {
			return nil, fmt.Errorf("--langs: %w", err)
		}
	}
	registers := c.Registers
	if registers == "" {
		registers = filepath.Join(c.Data, "registers", "registers.tar.zst")
		if _, err := os.Stat(registers); err != nil {
			return set, nil
		}
	}
	if registers != "none" {
		_, err = set.FindRegisters(registers)
	}
	return set, err
}

// also reads the documents of --also.
func (c *evalLinesCmd) also(ctx context.Context) (all []*gold.LineDoc, err error) {
	for _, path := range c.Also {
		docs, err := gold.ReadLineDocs(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("--also: %w", err)
		}
		for _, d := range docs {
			d.Weight = c.AlsoWeight
		}
		all = append(all, docs...)
	}
	return all, nil
}

// systems returns the systems of --system.
func (c *evalLinesCmd) systems() (out []evallines.System, err error) {
	for _, name := range c.System {
		s, err := evallines.SystemByName(name, evallines.SystemOptions{Model: c.Model, Without: c.Without})
		if err != nil {
			return nil, fmt.Errorf("--system: %w", err)
		}
		out = append(out, s)
	}
	return out, nil
}

// note adds a note to results of embedded models that were trained on the set.
func (c *evalLinesCmd) note(results []*evallines.Result, systems []evallines.System) {
	for _, r := range results {
		if r.Protocol != evallines.Embedded {
			continue
		}
		for _, s := range systems {
			ready, ok := s.(evallines.Ready)
			if !ok || s.Name() != r.System {
				continue
			}
			if c.Model != "" && s.Name() == evallines.DefaultSystem {
				r.Notes = append(r.Notes, "the model "+c.Model)
			}
			for _, card := range ready.Cards() {
				if evallines.TrainedOn(r.Set.Name, card) {
					r.Notes = append(r.Notes, "trained on this set: the figures do not apply to other documents")
					break
				}
			}
		}
	}
}

// tests compares the systems of --compare, or the first with the others of its
// protocol.
func (c *evalLinesCmd) tests(results []*evallines.Result) (out []evallines.Comparison, err error) {
	if c.Compare == nil {
		for _, r := range results[1:] {
			if r.Protocol == results[0].Protocol || len(c.Predictions) > 0 && r.Protocol == "predicted" {
				out = append(out, evallines.Compare(results[0], r))
			}
		}
		return out, nil
	}
	var two [2]*evallines.Result
	for i, name := range c.Compare {
		for _, r := range results {
			if name != r.Title() && name != r.System {
				continue
			}
			if two[i] != nil {
				return nil, fmt.Errorf("--compare %s: ambiguous, %s or %s", name, two[i].Title(), r.Title())
			}
			two[i] = r
		}
		if two[i] == nil {
			var names []string
			for _, r := range results {
				names = append(names, r.Title())
			}
			return nil, fmt.Errorf("--compare %s: wanted one of %s", name, strings.Join(names, ", "))
		}
	}
	return []evallines.Comparison{evallines.Compare(two[0], two[1])}, nil
}

// save writes the predictions.
func (c *evalLinesCmd) save(set *evallines.Set, runs []*evallines.Run) error {
	if c.SavePredictions == "" {
		return nil
	}
	return writeFile(c.SavePredictions, func(w io.Writer) error { return evallines.WritePredictions(w, set, runs) })
}
