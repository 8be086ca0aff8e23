package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"chaffinch/build/cluster"
	"chaffinch/build/recipe"
	"chaffinch/build/stage"
	"chaffinch/clean/method"
	"chaffinch/dedup"
	"chaffinch/extract/documents"
	"chaffinch/filter"
	"chaffinch/format/vertical"
	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

type cleanCmd struct {
	made  *recipe.Recipe // by another command
	rules *filter.Set    // of Filter

	Input []string `arg:"" optional:"" help:"Files and folders: HTML, plain text, JSON lines, WARC, WET, ARC or Parquet, each plain or compressed with gzip, zstd or lz4, or in archives (tar, zip); recognised by content; - is standard input."`

	Out            string     `short:"o" placeholder:"OUT" help:"Output file, or a folder (DIR/) that gets one file per page. Default: standard output."`
	Method         string     `short:"m" default:"" enum:",${methods}" placeholder:"NAME" help:"Method that labels blocks as text or boilerplate: ${methods}. Default: ${method}, and ${textMethod} for plain text and WET records."`
	Model          string     `placeholder:"FILE" help:"Model of the method, written by chaffinch train; replaces the embedded one. For perplexity and ncleaner also the name of an embedded model. Without --method the file determines the method."`
	Format         string     `short:"f" default:"" enum:",${formats}" placeholder:"NAME" help:"text (one line per block or row of a table, an empty line after each page), jsonl (text and metadata, one page per line), json (typed blocks, lists, tables, markup, metadata, one page per line), markdown, parquet (columns, one row per page), xml (TEI P5), warc (text in conversion records, as WET), vertical (one token per line, <doc>, <p>, <s>, <g/>) or prevertical (<doc> and <p> around text). Default: by the suffix of OUT (.txt, .jsonl, .json, .md, .parquet, .xml, .warc, .vert, .prevert; with .gz or .zst after it: compressed), else text."`
	Without        []string   `placeholder:"MARKUP" help:"Markup to omit from markdown, xml and json; its text stays: ${features}."`
	Fields         []string   `placeholder:"NAME" help:"Fields of jsonl and json and columns of parquet to write, such as id,url,text,year; with a minus sign before each (--fields=-counts,-source), all fields except these. Default: all."`
	FrontMatter    bool       `help:"Begin each page of markdown with its metadata as YAML."`
	TokenRules     string     `placeholder:"FILE" help:"With --format vertical: your own rules for tokens and sentences, applied after the rules of each language (docs/reference/formats/token-rules.md). The recipe includes their text."`
	Segmenter      []string   `placeholder:"FILE" help:"With --format vertical: word segmenter for a language written without spaces, written by chaffinch train segmenter; replaces the embedded one for pages in its language. Repeatable."`
	Annotate       bool       `short:"a" help:"Write every page and block with label, score and reason; drop nothing."`
	Lang           string     `short:"l" placeholder:"TAG" help:"Language of all pages, such as en or pt-BR. Default: detected for each page."`
	Langs          []string   `placeholder:"TAG[:X]" help:"Retain only these languages, such as fr,de or fr,de:0.9 (0.9 is the minimum confidence for German). pt includes pt-BR and pt-PT. Default: all."`
	Langid         langidFile `placeholder:"FILE" help:"Language model, written by chaffinch train langid. Default: the embedded one."`
	MinConfidence  *float64   `range:"[0,1]" placeholder:"X" help:"Minimum confidence for --langs, 0 to 1. The confidence of a page is the share of its text that is surely in the language. Default: 0.5."`
	LangUnit       string     `default:"page" enum:"page,block" help:"Unit that --langs filters: page (by the language of most of its text) or block (a page without remaining blocks is dropped). Default: ${default}."`
	Keep           string     `placeholder:"ROLES" help:"Policy for kept text: text (all content, including comments and forum posts), main (main content of any type of page, without its headline; main,title adds it), article (headline, by-line, text, captions), news (headline, standfirst, text), body (running text with its headings), or roles separated by commas, such as body,title,comment (docs/explanation/roles.md). Method blocks only. Default: text."`
	Favour         string     `default:"" enum:",precision,recall" placeholder:"WHAT" help:"Which errors to avoid: precision (lose text rather than keep boilerplate) or recall (keep boilerplate rather than lose text). Method blocks only. Default: balanced."`
	Hidden         string     `default:"drop" enum:"drop,keep" help:"Blocks hidden by the page's styles: drop or keep. Default: drop."`
	RepairMojibake bool       `was:"mend" help:"Repair mojibake: UTF-8 that was decoded as windows-1252, say, and encoded as UTF-8 again (Ã© for é)."`
	Sites          bool       `help:"Compare the pages of each site: blocks that repeat are boilerplate. Reads the input twice, so it must be files. Pages without an address count as one site. Method blocks only."`
	Types          []string   `placeholder:"TYPE" help:"Formats of pages to read: html (with plain text), ${documentFormats}. Pages of other formats are dropped. Default: all."`
	OCR            string     `name:"ocr" placeholder:"COMMAND" help:"Recognise the text of PDF pages that are images, or have no reliable characters, by a program, such as 'tesseract stdin stdout -l deu hocr'. It is run without a shell for each page, reads a PNG and prints text or hOCR (docs/guides/documents.md)."`
	Title          bool       `help:"Begin the text of each page with its title, if the text lacks it."`
	Filter         []string   `placeholder:"NAME|FILE" help:"Drop pages by quality rules, applied in the order given: ${filterRules}, or rule files (.json, docs/guides/filter.md). Rules may drop lines; they do not change lines."`
	URL            string     `name:"url" placeholder:"ADDRESS" help:"Address of the page, if the input is a single page: resolves relative links and helps to find title and site. Default: base or canonical link of the page."`

	MinPageConfidence float64 `range:"[0,1)" placeholder:"X" help:"Drop pages below this confidence, 0 to 1, such as 0.9. The confidence is the probability that the kept text has a word F above 0.9 under the policy of --keep. Method blocks only. Default: keep all pages and record their confidence."`

	PageTypes []string `placeholder:"TYPE" help:"Retain only pages of these types: ${pageTypes}. Pages without a type, such as plain text, are retained. Method blocks only. Default: all types; every page has its type as page_type."`

	Registers bool `help:"Find the registers of the text of each page, such as NA/ne for news, as the field register (docs/explanation/registers.md)."`

	pageFormatFlag
	TextField string `group:"Input" placeholder:"NAME" xor:"field" help:"JSON lines and Parquet: field with plain text. Default: text; for records without it the first of html, raw_html and (if it is HTML) content, as HTML."`
	HTMLField string `group:"Input" placeholder:"NAME" xor:"field" help:"JSON lines and Parquet: field with HTML."`

	Jobs       int           `short:"j" placeholder:"N" help:"Pages processed in parallel. Default: one per processor. Does not change the output."`
	Resume     bool          `help:"Resume an interrupted run; the output is the same as without the interruption. Safe to repeat."`
	Force      bool          `help:"Discard an unfinished run of the same OUT and start over."`
	Checkpoint time.Duration `placeholder:"TIME" help:"Time between two checkpoints of a run with -o. Default: 2s."`

	Dedup string `default:"" enum:",onion,minhash,exact" placeholder:"METHOD" help:"Remove duplicates before OUT appears: onion (mostly copied paragraphs), minhash (near-duplicate pages) or exact (identical paragraphs), with the defaults of chaffinch dedup. Use chaffinch dedup for other settings."`

	TranslationMarks string `placeholder:"FILE" help:"Also detect the marks of machine translation listed in FILE (docs/explanation/metadata.md). The field translated names the mark found."`

	Comments string `placeholder:"FILE" help:"Write readers' comments and replies into this file instead of OUT, with id, address and metadata of their page. Format and compression by the suffix of FILE, else as OUT. Method blocks only."`

	Errors string `placeholder:"FILE" help:"Write one line for each unreadable piece of input, and each failed or damaged page. The terminal shows only the first ${shown}."`

	Registry bool `help:"With --format vertical and -o: also write configuration files for Manatee (NoSketch Engine) and BlackLab, as chaffinch vertical registry does."`

	tagFlags
	Tagger        string   `group:"Tagger" placeholder:"COMMAND" help:"With --format vertical: shell command line of a program that adds columns, such as lemma and tag. It reads one token per line and prints each with its annotation after tabs."`
	TaggerColumns []string `group:"Tagger" placeholder:"NAME" help:"Names of the added columns, in order after the word, such as lemma,tag; NAME=N uses column N of the tagger's output."`
	taggerFlags
	tokenizerFlags

	rankFlags

	Summary string `placeholder:"FILE" help:"Also write the summary as JSON."`
	Quiet   bool   `short:"q" help:"No progress, no summary; errors are still shown."`

	Recipe      string `group:"Recipes" placeholder:"FILE" help:"Read all settings that determine the output from a recipe (method, format, limits, ...); flags for them are then ignored."`
	PrintRecipe bool   `group:"Recipes" help:"Print the recipe of the flags and exit."`
	Compat      string `group:"Recipes" default:"" enum:",${compats}" placeholder:"NAME" help:"Be bug-compatible with another program: pyplexity (method perplexity, with one of its models) or justext-3.0 (method justext)."`
	Config      string `group:"Recipes" placeholder:"JSON" help:"Settings of the method that differ from its defaults, as a JSON object."`

	MaxPageBytes byteSize      `group:"Limits per page (beyond a limit the page is cut or dropped; the summary shows the reasons)" placeholder:"SIZE" help:"Bytes after decompression, such as 200MB or 1GiB. Default: 32 MiB read, of which 16 MiB are parsed."`
	MaxNodes     int           `group:"Limits per page (beyond a limit the page is cut or dropped; the summary shows the reasons)" placeholder:"N" help:"Nodes: elements, lines of plain text, and blocks of text. Default: 300,000."`
	MaxDepth     int           `group:"Limits per page (beyond a limit the page is cut or dropped; the summary shows the reasons)" placeholder:"N" help:"Nested elements. Default: 512."`
	MaxRatio     float64       `group:"Limits per page (beyond a limit the page is cut or dropped; the summary shows the reasons)" placeholder:"X" help:"Ratio of decompressed to compressed bytes. Default: 300."`
	MaxPageTime  time.Duration `group:"Limits per page (beyond a limit the page is cut or dropped; the summary shows the reasons)" placeholder:"TIME" help:"Processing time, such as 5s; after two thirds of it the rest of the page is cut. Default: 30s, with --ocr 10m."`
}

// Help is the long text of --help.
func (cleanCmd) Help() string {
	return `Examples:
  chaffinch clean page.html
  chaffinch clean pages/ -o text/
  chaffinch clean pages.tar.gz -o corpus.jsonl.zst
  chaffinch clean crawl-*.warc.gz -o corpus.jsonl --errors bad.txt
  chaffinch clean news/ -o articles.jsonl --comments comments.jsonl
  chaffinch clean https://example.org/
  chaffinch clean s3://bucket/crawl/ -o corpus.jsonl.zst

A run with -o can be stopped at any time and resumed with --resume.
Exit code: 0 completed; 1 completed, but some input could not be read; 2 failed.`
}

// shownErrors is the number of errors shown on the screen.
const shownErrors = 20

// Run cleans the inputs.
func (c *cleanCmd) Run(ctx context.Context, con *console) error {
	r, err := c.recipe()
	if err != nil {
		return err
	}
	if c.PrintRecipe {
		_, err := con.out.Write(r.Bytes())
		return err
	}
	job, err := c.job(r, con)
	if err != nil {
		return err
	}
	if err := job.Check(); err != nil {
		return err
	}
	if len(job.Inputs) == 0 {
		if isTerminal(con.in) {
			return errors.New("no input: name files or folders, or pipe a page in; see chaffinch clean --help")
		}
		job.Inputs = []string{"-"}
	}
	if c.Rank != "" {
		return c.ranks(ctx, r, job, con)
	}
	a, err := fetchAway(ctx, c.Input, job.Out, true)
	if err != nil {
		return err
	}
	if a.to != "" && (c.Resume || c.Registry) {
		return a.end(ctx, fmt.Errorf("-o %s: --resume and --registry need a local file: write one and copy it to the address", c.Out))
	}
	job.Out = a.out
	if a.pieces != nil {
		job.Inputs, job.Pieces = nil, a.pieces
	}
	return a.end(ctx, c.make(ctx, job, con))
}

// make does the job in this process.
func (c *cleanCmd) make(ctx context.Context, job recipe.MakeOptions, con *console) error {
	if c.Summary != "" {
		if err := writable(c.Summary); err != nil {
			return err
		}
	}
	bar := startBars(con, c.Quiet)
	job.OnProgress = bar.show
	job.OnError = c.showErrors(bar.errors)
	job.OnStep = c.limitMemory
	job.OnPages = func(rep *pipeline.Report) error {
		if err := c.printReport(rep, bar.errors); err != nil {
			return err
		}
		untagged, err := job.Recipe.Output.Untagged(rep.Langs)
		for _, line := range untagged {
			fmt.Fprintf(bar.errors, "chaffinch: %s\n", line)
		}
		return err
	}
	rep, err := recipe.Make(ctx, job)
	bar.stop()
	return c.end(rep, err, con)
}

// ranks does the part of this process.
func (c *cleanCmd) ranks(ctx context.Context, r *recipe.Recipe, job recipe.MakeOptions, con *console) error {
	if err := rankFile(c.Out); err != nil {
		return err
	}
	if c.Dedup != "" || c.Sites || c.Registry || c.Resume || c.Force || c.Summary != "" {
		return errors.New("--rank cannot be combined with --dedup, --sites and --registry (they need all pages), --summary (build merge writes it), or --resume and --force (finished shards are skipped)")
	}
	outputs := []rankOutput{{base(c.Out), joins(r.Output.Format, c.Out)}}
	if c.Comments != "" {
		outputs = append(outputs, rankOutput{base(c.Comments), joins(r.Output.Aside[0].Format, c.Comments)})
	}
	if c.Errors != "" {
		outputs = append(outputs, rankOutput{base(c.Errors), true})
	}
	set, err := r.Behaviour()
	if err != nil {
		return err
	}
	settings := struct {
		Recipe            any
		Tokenizer, Tagger string
		TaggerColumns     []string
		TaggerInput       string
		MaxPageTime       time.Duration
	}{set, c.Tokenizer, c.Tagger, c.TaggerColumns, c.TaggerInput, c.MaxPageTime}
	work := rankJob("clean", settings, job.Inputs, outputs, func(ctx context.Context, t *cluster.Task) error {
		at := job
		at.Inputs, at.Pieces, at.Out, at.OnProgress = nil, t.Pieces, filepath.Join(t.Out, outputs[0].Name), nil
		at.OnError = c.showErrors(con.err)
		if c.Comments != "" {
			at.Aside = []string{filepath.Join(t.Out, base(c.Comments))}
		}
		if c.Errors != "" {
			at.ErrorList = filepath.Join(t.Out, base(c.Errors))
		}
		at.OnPages = func(rep *pipeline.Report) error { t.Report = rep; return nil }
		_, err := recipe.Make(ctx, at)
		return err
	})
	work.Steps[0].Streams = true
	return c.rankFlags.run(ctx, con, c.Quiet, work, c.Out+shardsSuffix)
}

// job returns the job that the flags describe.
func (c *cleanCmd) job(r *recipe.Recipe, con *console) (job recipe.MakeOptions, err error) {
	job = recipe.MakeOptions{Recipe: r, RunOptions: recipe.DefaultRun}
	job.Inputs, job.Stdin, job.Stdout, job.ErrorList = c.Input, con.in, con.out, c.Errors
	job.Resume, job.Force, job.Workers, job.Checkpoint = c.Resume, c.Force, c.Jobs, c.Checkpoint
	if c.Out != "-" {
		job.Out = c.Out
	}
	if job.Aside, err = c.aside(r); err != nil {
		return job, err
	}
	if !c.Quiet {
		job.OnHTML, job.OnTable = reportHTMLField(con), reportTable(con)
	}
	job.PageTime = cmp.Or(c.MaxPageTime, stage.PageTime(r.Stages), job.PageTime)
	job.Registry = c.Registry
	if c.Dedup != "" {
		if job.Dedup, err = recipe.Dedup(c.Dedup, nil); err != nil {
			return job, err
		}
	}
	job.Tokenizer = c.tokenizer(c.Jobs, con)
	switch {
	case c.Tagger == "" && len(c.TaggerColumns) > 0:
		return job, errors.New("--tagger-columns needs --tagger COMMAND")
	case c.Tagger != "" && len(c.TaggerColumns) == 0:
		return job, errors.New("--tagger: name the columns that it adds, such as --tagger-columns lemma,tag")
	case c.Tagger != "":
		job.Tagger = c.tagger(c.Tagger, c.TaggerColumns, c.Jobs, con)
	}
	return job, nil
}

// limitMemory keeps the memory of a step within the documented limit.
func (c *cleanCmd) limitMemory(s recipe.Step) {
	switch {
	case s == recipe.StepDedup:
		debug.SetMemoryLimit(dedup.HeapLimit(pipeline.DefaultMemory()))
	case c.Tagger == "" && c.Tokenizer == "": // which hold batches of tokens
		limitMemory(streamMemory)
	}
}

// olderOutputHint is appended to the message that there is nothing to resume: a run that failed
// before its first checkpoint leaves no trace beside the output of an earlier run.
const olderOutputHint = "; if an earlier run wrote that output, run the same command without --resume to write it again"

// end prints the summary, and a hint on how to resume a failed run.
func (c *cleanCmd) end(rep *recipe.Result, err error, con *console) error {
	if rep.Dedup != nil && !c.Quiet {
		if err := writeDedupReport(con.err, rep.Dedup, rep.DedupTime); err != nil {
			return err
		}
	}
	for _, path := range rep.Registry {
		fmt.Fprintln(con.err, path)
	}
	hint := ""
	if rep.Resumable && (rep.Pages == nil || rep.Pages.Pages > 0 || errors.Is(err, context.Canceled)) {
		hint = ": run the same command with --resume to continue"
		if _, err := os.Stat(rep.Part); err == nil {
			hint += " (so far: " + rep.Part + ")"
		}
	}
	switch {
	case errors.Is(err, pipeline.ErrComplete):
		fmt.Fprintf(con.err, "chaffinch: %s: %v%s\n", c.Out, err, olderOutputHint)
		return nil
	case errors.Is(err, context.Canceled) && rep.Step == recipe.StepPages && rep.Pages != nil:
		return fmt.Errorf("stopped after %s%s", count(rep.Pages.Pages, "page"), hint)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped in step %s%s", rep.Step, hint)
	case err != nil && rep.Step == recipe.StepPages && rep.Pages == nil && c.Config != "" && c.Method == "" && c.Recipe == "":
		return fmt.Errorf("%w; --config applies to the method %s, the default for HTML: name another one with --method", err, method.Default)
	case errors.Is(err, vertical.ErrNoTokens): // to resume would not help
		return fmt.Errorf("--registry: %w: see the summary for why no page was kept", err)
	case err != nil && !errors.Is(err, syscall.EPIPE):
		return fmt.Errorf("%w%s", err, hint)
	case err != nil:
		return err
	}
	if len(rep.MissingFields) > 0 {
		printWarnings(con.err, []string{"--fields: no page has the field " + strings.Join(rep.MissingFields, " or ")})
	}
	var left []error // sentences that the external programs left unchanged
	if rep.Tokenizer != nil {
		left = append(left, printTokenizerReport(*rep.Tokenizer, c.Quiet, con))
	}
	if rep.Tagger != nil {
		left = append(left, printTaggerReport(*rep.Tagger, c.Quiet, con))
	}
	if err := cmp.Or(left...); err != nil {
		return err
	}
	if rep.Pages != nil && rep.Pages.Errors() > 0 {
		return errNo{fmt.Sprintf("%s could not be read or cleaned%s", count(rep.Pages.Errors(), "piece"), c.where())}
	}
	return nil
}

// recipe returns the recipe that the flags make or name.
func (c *cleanCmd) recipe() (*recipe.Recipe, error) {
	if c.made != nil {
		return c.made, nil
	}
	if c.Recipe != "" {
		b, err := archive.ReadFile(c.Recipe)
		if err != nil {
			return nil, err
		}
		return recipe.Parse(b)
	}
	langs, err := c.langs()
	switch {
	case err != nil:
		return nil, err
	case langs == nil && c.MinConfidence != nil:
		return nil, errors.New("--min-confidence: no --langs, whose confidence it limits (--min-page-confidence limits the confidence of pages)")
	case langs == nil && c.LangUnit == "block":
		return nil, errors.New("--lang-unit block: no --langs to keep")
	}
	if _, err := documents.New(documents.Config{Formats: c.Types}); err != nil {
		return nil, fmt.Errorf("--types: %w", err)
	}
	if _, err := documents.New(documents.Config{OCR: c.OCR}); err != nil {
		return nil, fmt.Errorf("--ocr: %w", err)
	}
	o := recipe.CleanOptions{
		Options: stage.Options{
			Langs: langs, MinConfidence: c.MinConfidence, LangUnit: c.LangUnit,
			Method: c.Method, Lang: c.Lang, KeepHidden: c.Hidden == "keep", RepairMojibake: c.RepairMojibake, Title: c.Title, TranslationMarks: c.TranslationMarks, Sites: c.Sites, Keep: c.Keep, Favour: c.Favour, MinPageConfidence: c.MinPageConfidence, PageTypes: c.PageTypes, Formats: c.Types, OCR: c.OCR, Registers: c.Registers,
			MaxPageBytes: int64(c.MaxPageBytes), MaxNodes: c.MaxNodes, MaxDepth: c.MaxDepth, MaxPageTime: c.MaxPageTime,
		},
		Format: c.Format, Annotate: c.Annotate, Without: c.Without, FrontMatter: c.FrontMatter, Fields: c.Fields,
		Field: c.TextField, Form: c.InputFormat, URL: c.URL, MaxRatio: c.MaxRatio,
	}
	o.Segmenters, o.Tag, o.Taggers = c.Segmenter, c.Tag, c.Taggers
	if c.TokenRules != "" {
		b, err := archive.ReadFile(c.TokenRules)
		if err != nil {
			return nil, fmt.Errorf("--token-rules: %w", err)
		}
		o.TokenRules = &recipe.TokenRules{Name: c.TokenRules, Text: string(b)}
	}
	if c.HTMLField != "" {
		o.Field, o.FieldHTML = c.HTMLField, true
	}
	if c.Config != "" {
		if !json.Valid([]byte(c.Config)) {
			return nil, fmt.Errorf("--config %s: not a JSON object", c.Config)
		}
		o.MethodConfig = json.RawMessage(c.Config)
	}
	if c.Model != "" {
		if o.Method, o.MethodConfig, err = method.WithModel(c.Method, c.Model, o.MethodConfig); err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
	}
	if c.Compat != "" {
		if o.MethodConfig, err = method.Compat(c.Compat, cmp.Or(o.Method, method.Default), o.MethodConfig); err != nil {
			return nil, err
		}
	}
	if o.Format, err = outputFormat(c.Out, o.Format); err != nil {
		return nil, err
	}
	if len(c.Filter) > 0 {
		set, err := readRules("--filter", c.Filter, nil, nil, nil)
		if err != nil {
			return nil, err
		}
		cfg := set.Config()
		o.Filter, c.rules = &cfg, set
	}
	if err := checkKeep(c.Keep); err != nil {
		return nil, err
	}
	if c.Sites && o.Method != "" && o.Method != method.Default {
		return nil, fmt.Errorf("--sites: the method %s does not compare the pages of a site, only %s does: leave out --method or --sites", o.Method, method.Default)
	}
	if c.Comments != "" {
		if o.Method != "" && o.Method != method.Default {
			return nil, fmt.Errorf("--comments needs the method %s: leave out --method", method.Default)
		}
		o.Keep = cmp.Or(o.Keep, "text") + "," + page.RoleComment.String()
		format, err := outputFormat(c.Comments, "")
		if err != nil {
			return nil, fmt.Errorf("--comments: %w", err)
		}
		o.Comments = cmp.Or(format, o.Format, "text")
	}
	return recipe.Clean(o), nil
}

// aside returns the files of the further outputs of a recipe.
func (c *cleanCmd) aside(r *recipe.Recipe) ([]string, error) {
	has := len(r.Output.Aside) == 1 && r.Output.Aside[0].Role == page.RoleComment
	switch {
	case len(r.Output.Aside) == 0 && c.Comments == "":
		return nil, nil
	case !has && c.Comments != "":
		return nil, fmt.Errorf("--comments: the recipe %s has no output for comments: clean --comments FILE --print-recipe prints one that has", c.Recipe)
	case !has:
		return nil, fmt.Errorf("--recipe %s: it has an additional output that is not for comments; clean writes no other", c.Recipe)
	case c.Comments == "" || c.Comments == "-" || isFolder(c.Comments):
		return nil, errors.New("no file for comments: name one with --comments FILE")
	}
	return []string{c.Comments}, nil
}

// langs returns the languages that stay.
func (c *cleanCmd) langs() (langs []langid.Wanted, err error) {
	if c.Lang != "" && len(c.Langs) > 0 {
		return nil, errors.New("--langs and --lang cannot be combined: --langs filters by detected language, --lang sets it")
	}
	if keepsAll(c.Langs) {
		return nil, nil
	}
	return wantedLangs(c.Langs)
}

// showErrors returns a function that shows the first errors on w.
func (c *cleanCmd) showErrors(w io.Writer) func(*page.Error) {
	show := firstErrors(c.where())
	return func(err *page.Error) { show(w, err) }
}

// where returns a hint on where all errors are listed.
func (c *cleanCmd) where() string {
	if c.Errors == "" {
		return " (--errors FILE lists all)"
	}
	return ": " + c.Errors + " lists all"
}

// printReport writes the summary.
func (c *cleanCmd) printReport(rep *pipeline.Report, w io.Writer) error {
	if c.Summary != "" {
		if err := files.WriteJSON(c.Summary, rep, "  "); err != nil {
			return err
		}
	}
	if c.rules != nil {
		printWarnings(w, c.rules.Gaps(rep.LangsBeforeRules()).Warnings())
	}
	if len(rep.LostFields) > 0 {
		fmt.Fprintf(w, "chaffinch: fields that the output format cannot hold, with the number of pages: %s: use jsonl, json, parquet, xml, or markdown with --front-matter\n", listing(rep.LostFields))
	}
	if c.Quiet {
		return nil
	}
	return writeSummary(w, rep)
}
