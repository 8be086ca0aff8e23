package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/build/cluster"
	"chaffinch/filter"
	"chaffinch/filter/job"
	"chaffinch/filter/pii"
	"chaffinch/input/records"
	"chaffinch/internal/archive"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// filterVars are the names of rules for the help.
var filterVars = kong.Vars{"filterRules": strings.Join(filter.Names(), ", ")}

// filterGroup is the command and what belongs to it.
type filterGroup struct {
	Run    filterCmd       `cmd:"" default:"withargs" help:"Drop documents by rules (also: chaffinch filter INPUT)."`
	Sites  filterSitesCmd  `cmd:"" help:"List suspicious sites of a collection for review."`
	Decide filterDecideCmd `cmd:"" help:"Review a list of sites: keep or drop each."`
	Apply  filterApplyCmd  `cmd:"" help:"Apply rules to the saved scores of an annotated collection."`
}

// Help is the long text of --help.
func (filterGroup) Help() string {
	return `Examples:
  chaffinch filter corpus.jsonl -o good.jsonl --rules gopher_quality,c4
  chaffinch filter corpus.jsonl -o scored.jsonl --rules fineweb_corpus --annotate
  chaffinch filter apply scored.jsonl -o good.jsonl --rules my.json

Run "chaffinch filter run --help" for all flags.`
}

type filterCmd struct {
	filterFlags
	Sites string `placeholder:"FILE" help:"Also drop documents of the sites marked \"no\" in a list written by filter sites, or of a list of hosts."`
	PII   string `name:"pii" default:"" enum:",mask,pseudonym,annotate" placeholder:"WHAT" help:"Personal data: mask replaces each by its kind, such as <email>; pseudonym replaces equal data by equal pseudonyms (--pseudonym-key); annotate, with --annotate, writes its positions in each line. Default: nothing."`

	PIIKinds []string `name:"pii-kinds" placeholder:"KIND" help:"Kinds of personal data: email, ip, phone, iban, card, id (national identification numbers), name (names of persons, by lists and context). Default: all but name."`

	PseudonymKey string `placeholder:"FILE" help:"File with the secret key of pseudonyms, of at least 16 bytes. The same key gives the same pseudonyms in every run."`

	PIIReport string `name:"pii-report" placeholder:"FILE" help:"Also write the personal data in kept documents to FILE: id, start and end in code points of the input text, kind, and country. JSON lines if the name ends in .jsonl, otherwise TSV."`
}

// filterFlags are the flags of filter run and filter apply.
type filterFlags struct {
	Input []string `arg:"" optional:"" help:"Files and folders: JSONL, plain text, verticals and the other outputs of clean (json, prevertical), each plain or compressed, recognised by content; - is standard input."`

	Out     string   `short:"o" placeholder:"OUT" help:"Output file, in the format of the input. It appears when the run is done. Default: standard output."`
	Dropped string   `placeholder:"FILE" help:"Write the dropped documents, with their scores and the reason, in the same format."`
	Rules   []string `short:"r" placeholder:"NAME|FILE" help:"Rules, applied in the order given: ${filterRules}, or rule files (.json, docs/guides/filter.md). Not needed with --licence and --page-types; in filter run not with --sites, --pii or --pii-report."`

	Langid       langidFile `placeholder:"FILE" help:"Language model, written by chaffinch train langid. Default: the embedded one."`
	NontextModel []string   `placeholder:"FILE" help:"Model of the rules nontext, written by chaffinch train nontext; takes precedence over the embedded ones. Repeatable."`

	Licence []string `placeholder:"TERM" help:"Also drop documents whose field or attribute license has no licence with these terms: cc (any Creative Commons licence), commercial (allows commercial use), derivatives (allows modified versions)."`

	PageTypes []string `placeholder:"TYPE" help:"Also drop documents whose field or attribute page_type has another type than these: ${pageTypes}. Documents without a type are retained."`

	Report string `placeholder:"FILE" help:"Also write an HTML report to FILE: what each rule removed, a histogram of each score with its limit, and examples on both sides of the limit. Computes all scores of each document."`

	Annotate bool   `short:"a" help:"Drop nothing: write all scores of each document, whether it would be kept, and the rule, value and limit that would drop it."`
	Lang     string `short:"l" placeholder:"TAG" help:"Language of all documents. Default: field or attribute lang of each document, else detected."`

	collectionInput

	collectionRun

	rankFlags
}

// Help is the long text of --help.
func (filterCmd) Help() string {
	return `Examples:
  chaffinch filter corpus.jsonl -o good.jsonl --rules gopher_repetition,gopher_quality
  chaffinch filter corpus.vert.gz -o good.vert.gz --rules fineweb_corpus --dropped bad.vert.gz
  chaffinch filter corpus.jsonl -o good.jsonl --rules gopher_quality,my.json
  chaffinch filter --annotate --rules c4 corpus.jsonl | less
  chaffinch filter corpus.jsonl -o good.jsonl --rules c4 --report filter.html
  chaffinch filter corpus.jsonl -o good.jsonl --rules my.chf
  chaffinch filter corpus.jsonl -o masked.jsonl --pii mask

The output does not depend on the number of workers, or interruptions. All rules: docs/guides/filter.md.
Exit code: 0 completed; 1 completed, but some input could not be read; 2 failed.`
}

// readRules makes a set of names of rules and of files, which a flag names, with
// models of the rules nontext, terms that licences must have, and page types to keep.
func readRules(flag string, names, models, licence, types []string) (*filter.Set, error) {
	cfg := filter.Default
	cfg.NonText.Models = models
	for _, name := range names {
		if strings.HasSuffix(name, ".chf") {
			if err := cfg.AddModel(name); err != nil {
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
			continue
		}
		if !strings.HasSuffix(name, ".json") {
			if err := cfg.Add(name); err != nil {
				if _, e := os.Stat(name); e == nil {
					err = fmt.Errorf("%w; names of rule files end in .json, of models in .chf", err)
				}
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
			continue
		}
		b, err := archive.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		if err := cfg.AddFile(b); err != nil {
			return nil, fmt.Errorf("%s %s: %w", flag, name, err)
		}
	}
	if len(models) > 0 && !slices.Contains(cfg.Use, "nontext") {
		return nil, fmt.Errorf("--nontext-model: the rules nontext are not in %s", flag)
	}
	if err := cfg.AddLicence(licence); err != nil {
		return nil, fmt.Errorf("--licence: %w", err)
	}
	if err := cfg.AddPageTypes(types); err != nil {
		return nil, fmt.Errorf("--page-types: %w", err)
	}
	set, err := filter.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, strings.Join(names, ","), err)
	}
	return set, nil
}

// Run leaves out documents.
func (c *filterCmd) Run(ctx context.Context, con *console) error {
	j := job.Config{PII: c.PII, PIIReport: c.PIIReport}
	for _, k := range c.PIIKinds {
		j.PIIKinds = append(j.PIIKinds, pii.Kind(k))
	}
	switch {
	case c.PseudonymKey != "":
		b, err := os.ReadFile(c.PseudonymKey)
		if err != nil {
			return fmt.Errorf("--pseudonym-key: %w", err)
		}
		if j.PseudonymKey = bytes.TrimSpace(b); len(j.PseudonymKey) == 0 {
			return fmt.Errorf("--pseudonym-key: %s is empty (wanted: at least 16 bytes)", c.PseudonymKey)
		}
	case c.PII == "pseudonym":
		return errors.New("--pii pseudonym: no key: create one with \"head -c 32 /dev/urandom | base64 > key\" and add --pseudonym-key key")
	}
	if c.Rank != "" && c.PIIReport != "" && !strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(c.PIIReport, ".gz"), ".zst"), ".jsonl") {
		return errors.New("--rank: --pii-report needs a name that ends in .jsonl, since the parts of the ranks are concatenated")
	}
	if c.Sites != "" {
		b, err := archive.ReadFile(c.Sites)
		if err != nil {
			return fmt.Errorf("--sites: %w", err)
		}
		if j.Sites, err = job.ParseSites(c.Sites, b); err != nil {
			return fmt.Errorf("--sites: %w", err)
		}
		if !c.Quiet {
			fmt.Fprintf(con.err, "%s: %s to drop, %d undecided\n", c.Sites, count(int64(j.Sites.Len()), "site"), j.Sites.Open)
		}
	}
	return c.filter(ctx, con, j)
}

// ranks does the part of this process.
func (c *filterFlags) ranks(ctx context.Context, con *console, j job.Config) error {
	if err := rankFile(c.Out); err != nil {
		return err
	}
	if c.Report != "" {
		return errors.New("--rank and --report cannot be combined: each rank sees only a part of the documents")
	}
	if c.Errors != "" || c.Summary != "" || c.Resume || c.Force {
		return errors.New("--rank cannot be combined with --errors and --summary (build merge writes them), or --resume and --force (finished shards are skipped)")
	}
	if err := records.CheckOutputs(j.Inputs, j.Input, c.Out, c.Dropped); err != nil {
		return err
	}
	outputs := []rankOutput{{base(c.Out), true}}
	if c.Dropped != "" {
		outputs = append(outputs, rankOutput{base(c.Dropped), true})
	}
	if j.PIIReport != "" {
		outputs = append(outputs, rankOutput{base(j.PIIReport), true})
	}
	j.Input.Split = records.SplitOf(j.Input.Split, j.Inputs)
	ranks := rankJob("filter", j.Behaviour(), j.Inputs, outputs, func(ctx context.Context, t *cluster.Task) error {
		at := j
		at.Inputs, at.Out, at.Dropped = paths(t), filepath.Join(t.Out, outputs[0].Name), ""
		if c.Dropped != "" {
			at.Dropped = filepath.Join(t.Out, base(c.Dropped))
		}
		if j.PIIReport != "" {
			at.PIIReport = filepath.Join(t.Out, base(j.PIIReport))
		}
		show := firstErrors("")
		at.OnError = func(e *page.Error) { show(con.err, e) }
		rep, err := job.Run(ctx, at)
		t.Report = rep
		return err
	})
	c.WholeFiles = true // only web archives are cut
	return c.rankFlags.run(ctx, con, c.Quiet, ranks, c.Out+shardsSuffix)
}

// filter runs a job, of which the flags say the rest.
func (c *filterFlags) filter(ctx context.Context, con *console, j job.Config) error {
	var err error
	switch {
	case c.Rules != nil || c.NontextModel != nil || c.Licence != nil || c.PageTypes != nil:
		j.Set, err = readRules("--rules", c.Rules, c.NontextModel, c.Licence, c.PageTypes)
	case j.Sites != nil || j.PII != "" || j.PIIReport != "":
		j.Set = filter.NoRules()
	default:
		err = errors.New("missing flags: --rules=NAME|FILE, such as --rules gopher_quality")
	}
	if err != nil {
		return err
	}
	inputs, err := inputsOf(c.Input, con, "filter run")
	if err != nil {
		return err
	}
	j.Job, j.Input, j.Inputs, j.ReportFile = c.job(con), c.config(), inputs, c.Report
	j.Lang, j.Dropped, j.Annotate = c.Lang, c.Dropped, c.Annotate
	if c.Out != "-" {
		j.Out = c.Out
	}
	if c.Rank != "" {
		return c.ranks(ctx, con, j)
	}
	a, err := fetchAway(ctx, j.Inputs, j.Out, false)
	if err != nil {
		return err
	}
	if a.to != "" && c.Resume {
		return a.end(ctx, fmt.Errorf("-o %s: --resume needs a local file", c.Out))
	}
	j.Inputs, j.Out = a.paths(j.Inputs), a.out
	return a.end(ctx, c.run(ctx, con, j))
}

// run does a job in this process.
func (c *filterFlags) run(ctx context.Context, con *console, j job.Config) error {
	if c.Report != "" {
		if err := writable(c.Report); err != nil {
			return err
		}
	}
	errs, closeErrs, err := c.open()
	if err != nil {
		return err
	}
	bar := startBars(con, c.Quiet)
	j.OnProgress = bar.show
	j.OnError = func(e *page.Error) { errs(bar.errors, e) }
	start := time.Now()
	rep, err := job.Run(ctx, j)
	bar.stop()
	if e := closeErrs(); err == nil {
		err = e
	}
	switch {
	case errors.Is(err, pipeline.ErrComplete):
		fmt.Fprintf(con.err, "chaffinch: %v%s\n", err, olderOutputHint)
		return nil
	case errors.Is(err, context.Canceled) && job.Resumable(j.Out):
		return errors.New("stopped: run the same command with --resume to continue")
	case errors.Is(err, context.Canceled) && j.Out != "":
		return errors.New("stopped before the first checkpoint: run the same command to start over")
	case err != nil:
		if j.Out != "" && !errors.Is(err, syscall.EPIPE) && !c.Resume && !c.Force && job.Resumable(j.Out) && !errors.Is(err, pipeline.ErrUnfinished) {
			return fmt.Errorf("%w\n%s is kept: --resume continues from it, --force starts over", err, pipeline.StateFile(j.Out))
		}
		return err
	}
	printWarnings(con.err, rep.Warnings())
	rep.Details = nil // only the HTML page has them
	if err := c.printReport(rep, func() error { return writeFilterReport(con.err, rep, time.Since(start)) }); err != nil {
		return err
	}
	return incompleteError(rep.In.Docs, rep.Bad, rep.Outside, rep.Failed)
}
