package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"chaffinch/build/recipe"
	"chaffinch/dedup"
	"chaffinch/internal/forecast"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// dedupGroup is the command and what belongs to it.
type dedupGroup struct {
	Run   dedupCmd      `cmd:"" default:"withargs" help:"Remove duplicates from a collection (also: chaffinch dedup INPUT)."`
	Index dedupIndexCmd `cmd:"" help:"Inspect and compact an index, or remove documents from it."`
}

// Help is the long text of --help.
func (dedupGroup) Help() string {
	return `Examples:
  chaffinch dedup corpus.jsonl -o unique.jsonl
  chaffinch dedup -m minhash crawl/ -o unique.jsonl --rank longest
  chaffinch dedup month2.jsonl -o new.jsonl --index corpus.index --update

Run "chaffinch dedup run --help" for all flags.`
}

type dedupCmd struct {
	Input []string `arg:"" optional:"" help:"Files and folders: JSONL, plain text, verticals and the other outputs of clean (json, prevertical), each plain or compressed, recognised by content; - is standard input."`

	Out     string `short:"o" placeholder:"OUT" help:"Output file, in the format of the input. It appears when the run is done. Default: standard output."`
	Dropped string `placeholder:"FILE" help:"Write the removed documents and paragraphs, in the same format."`
	Report  string `placeholder:"FILE" help:"Also write an HTML report to FILE: dropped text by reason, number of copies of kept documents, samples of kept text beside its copies, and sites."`
	Method  string `short:"m" default:"onion" enum:"${dedups}" help:"Method: onion (paragraphs or documents most of whose word n-grams occur in better ranked documents), minhash (near-duplicate documents), exact (identical units), or decontaminate (units that share n-grams with test sets). Default: ${default}."`
	Unit    string `short:"u" default:"" placeholder:"UNIT" help:"Unit to compare. onion: paragraph or document. minhash: document. exact: page, paragraph, sentence (removes paragraphs by their sentences) or url (addresses that fetch the same page). decontaminate: document or paragraph. Default: paragraph; for minhash and decontaminate document."`

	Annotate bool   `short:"a" help:"Remove nothing. Annotate each paragraph with its share of duplicate text and the id of the first document with it. Annotate each document with its cluster and whether it is kept."`
	Rank     string `default:"id" enum:"id,longest,date,input" help:"Which copy to keep: by smallest id, longest document, earliest date, or position in the input. Only input depends on the order of the input. Default: ${default}."`
	Order    string `default:"input" enum:"input,id" help:"Order of the output: input order, or by id, so that shuffled input gives the same bytes. Default: ${default}."`
	MinWords int    `placeholder:"N" help:"Drop documents with fewer remaining words. Default: 0."`

	Index  string `group:"Index of a corpus" placeholder:"DIR" help:"Also remove duplicates of the documents in this index."`
	Update bool   `group:"Index of a corpus" help:"Add the retained documents to the index; create it if needed. See chaffinch dedup index."`

	Ngram         int      `range:"[0,65536]" was:"n" short:"n" group:"Methods (the defaults depend on the method)" placeholder:"N" help:"Length of n-grams in words. Default: onion 7, minhash by preset, decontaminate 13."`
	Percent       *float64 `range:"[0,100]" short:"p" group:"Methods (the defaults depend on the method)" placeholder:"P" help:"Per cent. onion: share of words covered by earlier n-grams at which a unit is removed; default 50. exact with sentence: share of duplicate text at which a paragraph is removed; default 100. decontaminate: share of words that shared n-grams may cover; default 0."`
	Stub          *int     `group:"Methods (the defaults depend on the method)" placeholder:"N" help:"onion: also remove stubs of at most N words between removed paragraphs (smoothing); 0 for none. Default: 20."`
	Template      *int     `group:"Methods (the defaults depend on the method)" placeholder:"N" help:"onion: a paragraph on at least N pages of a host is template text, not copied text; 0 for no template text. Default: 5."`
	OnTemplate    string   `default:"" enum:",first,drop,keep" group:"Methods (the defaults depend on the method)" placeholder:"WHAT" help:"onion: keep template text on one page (first), on no page (drop) or on all pages (keep). Default: first."`
	Preset        string   `group:"Methods (the defaults depend on the method)" placeholder:"NAME" help:"minhash: published settings: ${presets}. Default: the first of these. data-juicer treats all texts of fewer than 5 space-separated tokens as duplicates, such as all Chinese pages: use it with --verify."`
	Bands         int      `range:"[0,1024]" group:"Methods (the defaults depend on the method)" placeholder:"N" help:"minhash: number of bands of a signature. Documents that agree in all values of a band are candidates."`
	Rows          int      `range:"[0,256]" group:"Methods (the defaults depend on the method)" placeholder:"N" help:"minhash: values per band. Most pairs with a similarity above (1/bands)^(1/rows) are found."`
	Bits          int      `group:"Methods (the defaults depend on the method)" placeholder:"N" help:"minhash: length of band keys, 64 or 128 (for collections of more than about 10^9 documents)."`
	Threshold     *float64 `range:"[0,1]" group:"Methods (the defaults depend on the method)" placeholder:"X" help:"minhash: minimum similarity of two documents, estimated from their signatures. Default, and for 0: 0.65; published settings accept all candidates."`
	Verify        *float64 `range:"[0,1]" group:"Methods (the defaults depend on the method)" placeholder:"X" help:"minhash: minimum exact Jaccard similarity of two documents, instead of --threshold. All n-grams are stored on disk and compared."`
	Fold          []string `group:"Methods (the defaults depend on the method)" placeholder:"WHAT" help:"exact: differences to ignore: case, digits, punctuation. White space is always ignored."`
	MinUnitWords  int      `was:"least-words" group:"Methods (the defaults depend on the method)" placeholder:"N" help:"exact: keep duplicate units of fewer words. decontaminate: skip shorter test examples; default 8."`
	WWW           bool     `name:"www" group:"Methods (the defaults depend on the method)" help:"exact with url: treat www.example.org as example.org."`
	Against       []string `group:"Methods (the defaults depend on the method)" placeholder:"PATH" help:"decontaminate: files and folders of test sets, read as collections."`
	AgainstFields []string `group:"Methods (the defaults depend on the method)" placeholder:"NAME" help:"decontaminate: fields with text in the JSON lines of test sets, such as question,answer. Default: text."`
	Compat        string   `default:"" enum:",onion" group:"Methods (the defaults depend on the method)" placeholder:"NAME" help:"onion: be bug-compatible with the program onion 1.2 on verticals; with --rank input and --annotate the output is the same."`
	Config        string   `group:"Methods (the defaults depend on the method)" placeholder:"JSON" help:"Settings of the method that differ from its defaults, as a JSON object."`

	collectionInput
	Column int `group:"Input" placeholder:"N" help:"Verticals: column to compare, counted from 0 (the word). Default: 0."`

	Memory  string `default:"" placeholder:"SIZE" help:"Memory limit, such as 1GiB; the rest is sorted on disk, in the work folder. Default: a quarter of the machine's memory, at least 256MiB. Does not change the output."`
	WorkDir string `was:"work" placeholder:"DIR" help:"Work folder, a few times the size of the input; removed at the end. Default: OUT.work, or without -o the system's temporary folder."`
	planFlag
	collectionRun
}

// Help is the long text of --help.
func (dedupCmd) Help() string {
	return `Examples:
  chaffinch dedup corpus.jsonl -o unique.jsonl
  chaffinch dedup corpus.vert.gz -o unique.vert --percent 90 --dropped copies.vert
  chaffinch dedup -m minhash --preset fineweb crawl/ -o unique.jsonl --rank longest
  chaffinch dedup corpus.jsonl -o unique.jsonl --report dedup.html
  chaffinch dedup -m exact -u url crawl.jsonl -o pages.jsonl --rank date
  chaffinch dedup -m decontaminate --against tests.jsonl corpus.jsonl -o clean.jsonl
  chaffinch dedup --annotate corpus.jsonl | less

The output does not depend on memory, number of workers, or interruptions. See docs/guides/dedup.md.
Exit code: 0 completed; 1 completed, but some input could not be read; 2 failed.`
}

// Run removes duplicates.
func (c *dedupCmd) Run(ctx context.Context, con *console) error {
	job, err := c.job(con)
	if err != nil {
		return err
	}
	if job.Inputs, err = inputsOf(c.Input, con, "dedup run"); err != nil {
		return err
	}
	if c.Plan {
		return c.estimate(ctx, con, job)
	}
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
	job.OnProgress = bar.show
	job.OnError = func(e *page.Error) { errs(bar.errors, e) }
	debug.SetMemoryLimit(dedup.HeapLimit(job.Memory))
	start := time.Now()
	rep, err := dedup.Run(ctx, job)
	bar.stop()
	if e := closeErrs(); err == nil {
		err = e
	}
	switch {
	case errors.Is(err, pipeline.ErrComplete):
		fmt.Fprintf(con.err, "chaffinch: %v%s\n", err, olderOutputHint)
		return nil
	case errors.Is(err, context.Canceled) && job.Out != "" && dedup.Resumable(job.Work):
		return errors.New("stopped: run the same command with --resume to continue")
	case errors.Is(err, context.Canceled) && job.Out != "":
		return errors.New("stopped before the first checkpoint: run the same command to start over")
	case err != nil:
		var bad *page.Error // when it is mended the input is another one
		if job.Out != "" && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, dedup.ErrStartOver) && !errors.As(err, &bad) && dedup.Resumable(job.Work) {
			return fmt.Errorf("%w\n%s is kept: fix the error and run again with --resume", err, job.Work)
		}
		return err
	}
	rep.Details = nil // only the HTML page has them
	if err := c.printReport(rep, func() error { return writeDedupReport(con.err, rep, time.Since(start)) }); err != nil {
		return err
	}
	return incompleteError(rep.In.Docs, rep.Bad, rep.Outside, rep.Failed)
}

// estimate prints the predicted cost.
func (c *dedupCmd) estimate(ctx context.Context, con *console, job dedup.Config) error {
	return estimate(ctx, con, "dedup "+c.Method, forecast.Config{
		Inputs: job.Inputs, End: "</doc>", Memory: job.Memory, MinMemory: job.Memory,
		Do: func(ctx context.Context, inputs []string, memory int64, out string) error {
			at := *c
			at.Plan, at.Quiet, at.Input, at.Memory, at.WorkDir, at.Resume, at.Force, at.Update = false, true, inputs, fmt.Sprint(memory), out+".work", false, false, false
			for _, name := range []*string{&at.Out, &at.Dropped, &at.Report, &at.Errors} {
				if *name != "" && *name != "-" {
					*name = filepath.Join(filepath.Dir(out), filepath.Base(*name))
				}
			}
			return at.Run(ctx, silent())
		},
	})
}

// job reads the flags.
func (c *dedupCmd) job(con *console) (job dedup.Config, err error) {
	config, err := c.config()
	if err != nil {
		return job, err
	}
	m, err := recipe.Dedup(c.Method, config)
	if err != nil {
		return job, err
	}
	job = dedup.Config{
		Job: c.collectionRun.job(con), Input: c.collectionInput.config(), Method: m, Rank: dedup.Rank(c.Rank), Order: dedup.Order(c.Order),
		Dropped: c.Dropped, ReportFile: c.Report, Annotate: c.Annotate, MinWords: c.MinWords, Index: c.Index, Update: c.Update, Work: c.WorkDir,
	}
	job.Input.Column, job.Input.Compat = c.Column, c.Compat
	if job.Memory, err = memoryLimit(c.Memory, pipeline.DefaultMemory()); err != nil {
		return job, err
	}
	if c.Out != "-" {
		job.Out = c.Out
	}
	if job.Work == "" && job.ToFile() {
		job.Work = job.Out + ".work"
	}
	return job, nil
}

// config returns the settings of the method that flags and --config make.
func (c *dedupCmd) config() (json.RawMessage, error) {
	m, err := recipe.DedupMethodOf(c.Method)
	if err != nil {
		return nil, err
	}
	set := map[string]any{}
	if c.Config != "" {
		if err := json.Unmarshal([]byte(c.Config), &set); err != nil {
			return nil, fmt.Errorf("--config %s: not a JSON object: %w", c.Config, err)
		}
		if set == nil {
			return nil, fmt.Errorf("--config %s: not a JSON object", c.Config)
		}
	}
	for name, v := range map[string]any{
		"ngram": c.Ngram, "percent": c.Percent, "stub": c.Stub, "template": c.Template, "on_template": c.OnTemplate,
		"preset": c.Preset, "bands": c.Bands, "rows": c.Rows, "bits": c.Bits, "threshold": c.Threshold, "verify": c.Verify,
		"fold": c.Fold, "min_unit_words": c.MinUnitWords, "www": c.WWW, "against": c.Against, "against_fields": c.AgainstFields,
		"compat": c.Compat == "onion",
	} {
		if reflect.ValueOf(v).IsZero() {
			continue
		}
		if !slices.Contains(m.Takes, name) {
			return nil, fmt.Errorf("method %s has no option %s, wanted some of %s", m.Name, flagOf(name), methodFlags(m.Takes))
		}
		set[name] = v
	}
	if c.Unit != "" {
		if !slices.Contains(m.Units, c.Unit) {
			return nil, fmt.Errorf("method %s cannot compare units %q, wanted one of %s", m.Name, c.Unit, strings.Join(m.Units, ", "))
		}
		if len(m.Units) > 1 {
			set["unit"] = c.Unit
		}
	}
	return json.Marshal(set)
}

func flagOf(setting string) string { return "--" + strings.ReplaceAll(setting, "_", "-") }

// methodFlags lists the flags of settings.
func methodFlags(settings []string) string {
	var flags []string
	for _, s := range settings {
		if s != "tokens" && s != "ngram_unit" { // --config has them
			flags = append(flags, flagOf(s))
		}
	}
	return strings.Join(flags, ", ")
}
