package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"chaffinch/build/recipe"
	"chaffinch/dedup"
	"chaffinch/internal/files"
	"chaffinch/internal/settings"
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
	Report  string `placeholder:"FILE" help:"Write an HTML page to FILE too: dropped text by reason, how many copies kept documents had, samples of kept text beside its copies, sites."`
	Method  string `short:"m" default:"onion" enum:"${dedups}" help:"How to find duplicates: onion (paragraphs, or documents, most of whose word n-grams occur in better ranked documents), minhash (near-duplicate documents), exact, or decontaminate (what shares n-grams with test sets). Default: ${default}."`
	Unit    string `short:"u" default:"" placeholder:"UNIT" help:"What is compared. onion: paragraph or document. minhash: document. exact: page, paragraph, sentence (a paragraph goes by its sentences) or url (addresses that fetch the same page). decontaminate: document or paragraph. Default: paragraph, of minhash and decontaminate document."`

	Annotate bool   `short:"a" help:"Remove nothing: annotate each paragraph with its share of duplicate text and the id of the document that has it first, each document with its cluster and whether it stays."`
	Rank     string `default:"id" enum:"id,longest,date,input" help:"Which copy stays: the one with the smallest id, of the longest document, with the earliest date, or the first in the input. Only input depends on the order of the input. Default: ${default}."`
	Order    string `default:"input" enum:"input,id" help:"Order of the output: that of the input, or by id, so that shuffled input gives the same bytes. Default: ${default}."`
	MinWords int    `placeholder:"N" help:"Drop documents of which fewer words remain. Default: 0."`

	Index  string `group:"Index of a corpus" placeholder:"DIR" help:"Also compare with the documents of this index; they rank first, so that what they hold is removed."`
	Update bool   `group:"Index of a corpus" help:"Add the retained documents to the index, or make it. chaffinch dedup index inspects it, removes documents from it, and compacts it."`

	Ngram         int      `range:"[0,65536]" was:"n" short:"n" group:"Methods (the defaults depend on the method)" placeholder:"N" help:"Length of n-grams in words. Default: onion 7, minhash that of the preset, decontaminate 13."`
	Percent       *float64 `range:"[0,100]" short:"p" group:"Methods (the defaults depend on the method)" placeholder:"P" help:"onion: share of the words of a unit, in per cent, that n-grams seen before must cover for the unit to be removed; default 50. exact with sentences: share of the text of a paragraph; default 100. decontaminate: share of the words that shared n-grams may cover; default 0."`
	Stub          *int     `group:"Methods (the defaults depend on the method)" placeholder:"N" help:"onion: a stub of at most N words between removed paragraphs is removed with them (smoothing); 0 for none. Default: 20."`
	Template      *int     `group:"Methods (the defaults depend on the method)" placeholder:"N" help:"onion: a paragraph on N pages of one host or more is template text, not copied text; 0: no template text. Default: 5."`
	OnTemplate    string   `default:"" enum:",first,drop,keep" group:"Methods (the defaults depend on the method)" placeholder:"WHAT" help:"onion: what becomes of template text: first (it stays on one page), drop (on none) or keep (on all). Default: first."`
	Preset        string   `group:"Methods (the defaults depend on the method)" placeholder:"NAME" help:"minhash: published settings: ${presets}. Default: the first of these. data-juicer treats all texts of fewer than 5 tokens between spaces as copies of one another, so all Chinese pages; give --verify with it."`
	Bands         int      `range:"[0,1024]" group:"Methods (the defaults depend on the method)" placeholder:"N" help:"minhash: documents are candidates when all values of one of the N bands of their signatures are the same."`
	Rows          int      `range:"[0,256]" group:"Methods (the defaults depend on the method)" placeholder:"N" help:"minhash: values per band. Most pairs above a similarity of about (1/bands)^(1/rows) are found."`
	Bits          int      `group:"Methods (the defaults depend on the method)" placeholder:"N" help:"minhash: length of the key of a band, 64 or 128, for collections beyond some 10^9 documents."`
	Threshold     *float64 `range:"[0,1]" group:"Methods (the defaults depend on the method)" placeholder:"X" help:"minhash: minimum similarity of two documents, estimated from their signatures. Default, and for 0: 0.65; published settings accept all candidates."`
	Verify        *float64 `range:"[0,1]" group:"Methods (the defaults depend on the method)" placeholder:"X" help:"minhash: minimum true Jaccard similarity of two documents in place of --threshold: all n-grams are stored on disk and compared."`
	Fold          []string `group:"Methods (the defaults depend on the method)" placeholder:"WHAT" help:"exact: differences to ignore, of case, digits, punctuation. White space is always ignored."`
	MinUnitWords  int      `was:"least-words" group:"Methods (the defaults depend on the method)" placeholder:"N" help:"exact: units of fewer words stay, also if they are duplicates. decontaminate: shorter examples are left out; default 8."`
	WWW           bool     `name:"www" group:"Methods (the defaults depend on the method)" help:"exact with url: www.example.org is example.org."`
	Against       []string `group:"Methods (the defaults depend on the method)" placeholder:"PATH" help:"decontaminate: files and folders of test sets, read as collections."`
	AgainstFields []string `group:"Methods (the defaults depend on the method)" placeholder:"NAME" help:"decontaminate: fields of their JSON lines that hold text, such as question,answer. Default: text."`
	Compat        string   `default:"" enum:",onion" group:"Methods (the defaults depend on the method)" placeholder:"NAME" help:"onion: be bug-compatible with the program onion 1.2 with a vertical: with --rank input and --annotate, its output."`
	Config        string   `group:"Methods (the defaults depend on the method)" placeholder:"JSON" help:"Settings of the method that differ from its defaults, as JSON object."`

	collectionInput
	Column int `group:"Input" placeholder:"N" help:"Verticals: column to compare, counted from 0, the word. Default: 0."`

	Memory  string `default:"" placeholder:"SIZE" help:"Memory limit of the run, such as 1GiB; what does not fit goes to the work folder. Default: a quarter of the machine's, at least 256MiB. It does not change the output."`
	WorkDir string `was:"work" placeholder:"DIR" help:"Work folder; it takes a few times the size of the input and is removed at the end. Default: OUT.work, without -o in the system's folder for temporary files."`
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

The output does not depend on the memory, the number of workers, or interruptions; docs/guides/dedup.md explains how it works.
Exit code: 0 done; 1 done, but some input could not be read; 2 not done.`
}

// Run takes out duplicates.
func (c *dedupCmd) Run(ctx context.Context, con *console) error {
	job, err := c.job(con)
	if err != nil {
		return err
	}
	if job.Inputs, err = inputsOf(c.Input, con, "dedup run"); err != nil {
		return err
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
	job.Progress = bar.show
	job.Input.OnError = func(e *page.Error) { errs(bar.errors, e) }
	job.OnFailed = func(e error) { errs(bar.errors, e) }
	debug.SetMemoryLimit(dedup.HeapLimit(job.Memory))
	start := time.Now()
	rep, err := dedup.Run(ctx, job)
	bar.stop()
	if e := closeErrs(); err == nil {
		err = e
	}
	switch {
	case errors.Is(err, pipeline.ErrComplete):
		fmt.Fprintf(con.err, "chaffinch: %v%s\n", err, unlessOlder)
		return nil
	case errors.Is(err, context.Canceled) && job.Out != "" && dedup.Resumable(job.Work):
		return errors.New("stopped: the same command with --resume goes on from there")
	case errors.Is(err, context.Canceled) && job.Out != "":
		return errors.New("stopped before anything was done: the same command starts over")
	case err != nil:
		var bad *page.Error // when it is mended the input is another one
		if job.Out != "" && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, dedup.ErrStartOver) && !errors.As(err, &bad) && dedup.Resumable(job.Work) {
			return fmt.Errorf("%w\n%s is kept: when that is mended, --resume goes on from there", err, job.Work)
		}
		return err
	}
	rep.Details = nil // only the HTML page has them
	if err := c.tell(rep, func() error { return writeDedupReport(con.err, rep, time.Since(start)) }); err != nil {
		return err
	}
	return notAll(rep.In.Docs, rep.Bad, rep.Outside, rep.Failed)
}

// job reads the flags.
func (c *dedupCmd) job(con *console) (job dedup.Job, err error) {
	config, err := c.config()
	if err != nil {
		return job, err
	}
	m, err := recipe.Dedup(c.Method, config)
	if err != nil {
		return job, err
	}
	job = dedup.Job{
		Stdin: con.in, Stdout: con.out, Method: m, Rank: dedup.Rank(c.Rank), Order: dedup.Order(c.Order),
		Input:   c.collectionInput.config(),
		Dropped: c.Dropped, ReportFile: c.Report, Annotate: c.Annotate, MinWords: c.MinWords, Index: c.Index, Update: c.Update, Work: c.WorkDir, Resume: c.Resume, Force: c.Force,
		Memory: dedup.DefaultMemory(), Jobs: c.Jobs, Checkpoint: c.Checkpoint,
	}
	job.Input.Column, job.Input.Compat = c.Column, c.Compat
	if c.Memory != "" {
		if job.Memory, err = settings.ParseSize(c.Memory); err != nil {
			return job, fmt.Errorf("--memory %w", err)
		}
	}
	if c.Out != "-" {
		job.Out = c.Out
	}
	if job.Out != "" && job.Work == "" && !files.Special(job.Out) {
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
			return nil, fmt.Errorf("method %s has no option %s: it has %s", m.Name, flagOf(name), methodFlags(m.Takes))
		}
		set[name] = v
	}
	if c.Unit != "" {
		if !slices.Contains(m.Units, c.Unit) {
			return nil, fmt.Errorf("method %s compares no unit %q: take one of %s", m.Name, c.Unit, strings.Join(m.Units, ", "))
		}
		if len(m.Units) > 1 {
			set["unit"] = c.Unit
		}
	}
	return json.Marshal(set)
}

func flagOf(setting string) string { return "--" + strings.ReplaceAll(setting, "_", "-") }

// flags lists those of the settings that have flags.
func methodFlags(settings []string) string {
	var flags []string
	for _, s := range settings {
		if s != "tokens" && s != "ngram_unit" { // --config has them
			flags = append(flags, flagOf(s))
		}
	}
	return strings.Join(flags, ", ")
}
