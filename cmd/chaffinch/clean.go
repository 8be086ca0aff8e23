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
	"chaffinch/format/vertical"
	"chaffinch/internal/archive"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

type cleanCmd struct {
	made *recipe.Recipe // by another command

	Input []string `arg:"" optional:"" help:"Files and folders: HTML, plain text, JSON lines, WARC, WET, ARC or Parquet, each plain or compressed with gzip, zstd or lz4, or in archives (tar, zip); recognised by content; - is standard input."`

	Out            string   `short:"o" placeholder:"OUT" help:"Output file, or a folder (DIR/) that gets one file per page. Default: standard output."`
	Method         string   `short:"m" default:"" enum:",${methods}" placeholder:"NAME" help:"Method that labels blocks as text or boilerplate: ${methods}. Default: ${method}, and ${textMethod} for plain text and WET records."`
	Model          string   `placeholder:"FILE" help:"Model of the method, made by train, in place of the embedded one; for perplexity and ncleaner also the name of an embedded one. Without --method the file determines the method."`
	Format         string   `short:"f" default:"" enum:",${formats}" placeholder:"NAME" help:"text (one line per block or row of a table, an empty line after each page), jsonl (text and metadata, one page per line), json (typed blocks, lists, tables, markup, metadata, one page per line), markdown, parquet (columns, one row per page), xml (TEI P5), warc (text in conversion records, as WET), vertical (one token per line, <doc>, <p>, <s>, <g/>) or prevertical (<doc> and <p> around text). Default: by the suffix of OUT (.txt, .jsonl, .json, .md, .parquet, .xml, .warc, .vert, .prevert; with .gz or .zst after it: compressed), else text."`
	Without        []string `placeholder:"MARKUP" help:"Markup that markdown, xml and json leave out; its text stays: ${features}."`
	Fields         []string `placeholder:"NAME" help:"Fields of jsonl and json, columns of parquet, that are written, such as id,url,text,year; with a minus sign before each (--fields=-counts,-source) all but these. Default: all."`
	FrontMatter    bool     `help:"Begin each page of markdown with its metadata as YAML."`
	TokenRules     string   `placeholder:"FILE" help:"With --format vertical: rules of your own for tokens and sentences, read after those of each language (docs/reference/formats/token-rules.md). The recipe holds their text."`
	Segmenter      []string `placeholder:"FILE" help:"With --format vertical: model that segments words in a language written without spaces, made by chaffinch train segmenter: for pages in its language, in place of the embedded one. Repeatable."`
	Annotate       bool     `short:"a" help:"Write every page and block with label, score and reason, and delete nothing."`
	Lang           string   `short:"l" placeholder:"TAG" help:"Language of all pages, such as en or pt-BR. Default: detected from the text of each."`
	Langs          []string `placeholder:"TAG[:X]" help:"Retain only these languages, such as fr,de or fr,de:0.9, where .9 is the minimum confidence for German alone. pt includes pt-BR and pt-PT."`
	MinConfidence  *float64 `range:"[0,1]" placeholder:"X" help:"Minimum confidence of a language of --langs, 0 to 1; of a page it is the share of its text that is surely in that language. Default: 0.5."`
	LangUnit       string   `default:"page" enum:"page,block" help:"What --langs filters: page (whole pages, by the language of most of their text) or block (blocks; a page of which none remains is dropped). Default: ${default}."`
	Keep           string   `placeholder:"ROLES" help:"What is kept: text (all that a reader would keep, comments and forum posts too), main (the main content of a page of any type, without its headline: main,title adds it), article (headline, by-line, text, captions), body (running text with its headings, best for news), or roles with commas between, such as body,title,comment: see docs/explanation/roles.md. For the method blocks. Default: text."`
	Favour         string   `default:"" enum:",precision,recall" placeholder:"WHAT" help:"Which errors weigh more: precision (rather lose text than keep boilerplate) or recall (the other way round). For the method blocks. Default: both alike."`
	Hidden         string   `default:"drop" enum:"drop,keep" help:"What to do with blocks that the page does not show: drop or keep. Default: drop."`
	RepairMojibake bool     `was:"mend" help:"Repair mojibake: UTF-8 that was decoded as windows-1252, say, and encoded as UTF-8 again (Ã© for é)."`
	Sites          bool     `help:"Look at the other pages of a site: what repeats on them is frame. Reads the input twice, so it must be files; pages that state no address count as one site. For the method blocks."`
	Title          bool     `help:"Begin the text of each page with its title, where it is not there already."`
	Filter         []string `placeholder:"NAME|FILE" help:"Drop pages by rules of quality, in their order: ${filterRules}, or files of rules (.json, docs/guides/filter.md). Lines that rules take out are left out; no line is changed."`
	URL            string   `name:"url" placeholder:"ADDRESS" help:"Address of the page, for an input that is one page: it makes links absolute and helps to find title and site. Default: base or canonical link of the page."`

	MinPageConfidence float64 `range:"[0,1)" placeholder:"X" help:"Drop pages of a lower confidence, 0 to 1, such as 0.9: how likely it is that what is kept has a word F above 0.9. For the method blocks. Default: keep them, with their confidence in every record."`

	pageFormatFlag
	TextField string `group:"Input" placeholder:"NAME" xor:"field" help:"JSON lines and Parquet: field that holds plain text. Default: text; for records without it the first of html, raw_html and (if it is HTML) content, as HTML."`
	HTMLField string `group:"Input" placeholder:"NAME" xor:"field" help:"JSON lines and Parquet: field that holds HTML."`

	Jobs       int           `short:"j" placeholder:"N" help:"Pages worked on at the same time. Default: one for each processor. The output does not depend on it."`
	Resume     bool          `help:"Go on with an interrupted run; the result is that of an uninterrupted one. Safe to repeat."`
	Force      bool          `help:"Discard an unfinished run of the same OUT and start over."`
	Checkpoint time.Duration `placeholder:"TIME" help:"Time between two checkpoints of a run with -o. Default: 2s."`

	Dedup string `default:"" enum:",onion,minhash,exact" placeholder:"METHOD" help:"Remove duplicates before OUT appears: onion (paragraphs that are mostly copied), minhash (near-duplicate pages) or exact (paragraphs that are the same), with the defaults of chaffinch dedup, which has all settings."`

	TranslationMarks string `placeholder:"FILE" help:"Also look for the marks of machine translation in FILE (docs/explanation/metadata.md); what is found goes into the field translated."`

	Comments string `placeholder:"FILE" help:"Write readers' comments and replies into this file, in records with id, address and metadata of their page, and leave them out of OUT. Format and compression by the suffix of FILE, else as OUT. For the method blocks."`

	Errors string `placeholder:"FILE" help:"Write one line for each bad piece of input and each failed page. On the screen only the first ${shown} are shown."`

	Registry bool `help:"With --format vertical and -o: also write the configuration files with which Manatee (NoSketch Engine) and BlackLab index it, as the command vertical registry does."`

	Tagger        string   `group:"Tagger" placeholder:"COMMAND" help:"With --format vertical: program that adds columns, such as lemma and tag. It reads tokens, one per line, and prints each with its annotation after tabs. A shell command line."`
	TaggerColumns []string `group:"Tagger" placeholder:"NAME" help:"Names of the columns that it adds, from the one after the word, such as lemma,tag; NAME=N takes its Nth column."`
	taggerFlags
	tokenizerFlags

	rankFlags

	Summary string `placeholder:"FILE" help:"Also write the summary as JSON."`
	Quiet   bool   `short:"q" help:"No progress, no summary; errors are still shown."`

	Recipe      string `group:"Recipes" placeholder:"FILE" help:"Read method, format, limits and all other settings that determine the result from a recipe; flags for them are then ignored."`
	PrintRecipe bool   `group:"Recipes" help:"Print the recipe of the flags and exit."`
	Compat      string `group:"Recipes" default:"" enum:",${compats}" placeholder:"NAME" help:"Be bug-compatible with another program: pyplexity (method perplexity, with one of its models) or justext-3.0 (method justext)."`
	Config      string `group:"Recipes" placeholder:"JSON" help:"Settings of the method that differ from its defaults, as JSON object."`

	MaxPageBytes byteSize      `group:"Limits of one page (past one, the page is cut or dropped, and the summary says why)" placeholder:"SIZE" help:"Bytes after unpacking, such as 200MB or 1GiB. Default: 32 MiB read, 16 MiB of them parsed."`
	MaxNodes     int           `group:"Limits of one page (past one, the page is cut or dropped, and the summary says why)" placeholder:"N" help:"Nodes: elements, lines of plain text, and blocks of text. Default: 300,000."`
	MaxDepth     int           `group:"Limits of one page (past one, the page is cut or dropped, and the summary says why)" placeholder:"N" help:"Nested elements. Default: 512."`
	MaxRatio     float64       `group:"Limits of one page (past one, the page is cut or dropped, and the summary says why)" placeholder:"X" help:"Unpacked bytes per packed byte. Default: 300."`
	MaxPageTime  time.Duration `group:"Limits of one page (past one, the page is cut or dropped, and the summary says why)" placeholder:"TIME" help:"Processing time, such as 5s; after two thirds of it the rest of the page is cut off. Default: 30s."`
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

A run with -o can be stopped at any moment and goes on with --resume.
Exit code: 0 done; 1 done, but some input could not be read; 2 not done.`
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
			return errors.New("no input: name files or folders, or pipe a page in; chaffinch clean --help tells more")
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
		return a.end(ctx, fmt.Errorf("-o %s: --resume and --registry need a file here, and write to the address afterwards", c.Out))
	}
	job.Out = a.out
	if a.pieces != nil {
		job.Inputs, job.Pieces = nil, a.pieces
	}
	return a.end(ctx, c.make(ctx, job, con))
}

// make does the job in this process.
func (c *cleanCmd) make(ctx context.Context, job recipe.Job, con *console) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // the heap is small: 4 to 6 % of the time saved for some 30 MB
	}
	bar := startBars(con, c.Quiet)
	job.Progress = bar.show
	job.Pipeline.OnError = c.showErrors(bar.errors)
	job.OnStep = c.limitMemory
	job.OnPages = func(rep *pipeline.Report) error { return c.tell(rep, bar.errors) }
	rep, err := recipe.Make(ctx, job)
	bar.stop()
	return c.end(rep, err, con)
}

// ranks does the part of this process.
func (c *cleanCmd) ranks(ctx context.Context, r *recipe.Recipe, job recipe.Job, con *console) error {
	if err := rankFile(c.Out); err != nil {
		return err
	}
	if c.Dedup != "" || c.Sites || c.Registry || c.Resume || c.Force || c.Summary != "" {
		return errors.New("--rank: it goes without --dedup, --sites and --registry, which need all pages, without --summary, which build merge tells, and without --resume and --force: what is done is not done again")
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
	return c.rankFlags.run(ctx, con, c.Quiet, rankJob("clean", settings, job.Inputs, outputs, func(ctx context.Context, t *cluster.Task) error {
		at := job
		at.Inputs, at.Pieces, at.Out, at.Progress = nil, t.Pieces, filepath.Join(t.Out, outputs[0].Name), nil
		at.Pipeline.OnError = c.showErrors(con.err)
		if c.Comments != "" {
			at.Aside = []string{filepath.Join(t.Out, base(c.Comments))}
		}
		if c.Errors != "" {
			at.ErrorList = filepath.Join(t.Out, base(c.Errors))
		}
		at.OnPages = func(rep *pipeline.Report) error { t.Report = rep; return nil }
		_, err := recipe.Make(ctx, at)
		return err
	}), c.Out+shardsSuffix)
}

// job returns what the flags want done.
func (c *cleanCmd) job(r *recipe.Recipe, con *console) (job recipe.Job, err error) {
	job = recipe.NewJob(r, recipe.RunOptions{Inputs: c.Input, ErrorList: c.Errors, Resume: c.Resume, Force: c.Force, Stdin: con.in, Stdout: con.out})
	if c.Out != "-" {
		job.Out = c.Out
	}
	if job.Aside, err = c.aside(r); err != nil {
		return job, err
	}
	job.Pipeline.Workers = c.Jobs
	if !c.Quiet {
		job.OnHTML = tellHTML(con)
	}
	job.Pipeline.Checkpoint = c.Checkpoint // 0 is the default
	job.Pipeline.PageTime = cmp.Or(c.MaxPageTime, job.Pipeline.PageTime)
	job.Registry = c.Registry
	if c.Dedup != "" {
		if job.Dedup, err = recipe.Dedup(c.Dedup, nil); err != nil {
			return job, err
		}
	}
	job.Tokenizer = c.tokenizer(c.Jobs, con)
	switch {
	case c.Tagger == "" && len(c.TaggerColumns) > 0:
		return job, errors.New("--tagger-columns names the columns of a tagger: name that too, with --tagger COMMAND")
	case c.Tagger != "" && len(c.TaggerColumns) == 0:
		return job, errors.New("--tagger: name the columns that it adds, such as --tagger-columns lemma,tag")
	case c.Tagger != "":
		job.Tagger = c.tagger(c.Tagger, c.TaggerColumns, c.Jobs, con)
	}
	return job, nil
}

// limitMemory keeps a step within what is promised.
func (c *cleanCmd) limitMemory(s recipe.Step) {
	switch {
	case s == recipe.StepDedup:
		debug.SetMemoryLimit(dedup.HeapLimit(dedup.DefaultMemory()))
	case c.Tagger == "" && c.Tokenizer == "": // which hold batches of tokens
		limitMemory(streamMemory)
	}
}

// unlessOlder stands behind the message that nothing is to be resumed: a run that
// failed at its very beginning has left no trace beside an output of an earlier one.
const unlessOlder = "; if an earlier run wrote that output, the same command without --resume makes it anew"

// end tells what came behind the pages, and how to go on with a run that failed.
func (c *cleanCmd) end(rep *recipe.Report, err error, con *console) error {
	if rep.Dedup != nil && !c.Quiet {
		if err := writeDedupReport(con.err, rep.Dedup, rep.DedupTime); err != nil {
			return err
		}
	}
	for _, path := range rep.Registry {
		fmt.Fprintln(con.err, path)
	}
	hint := ""
	if rep.Resumable {
		hint = ": the same command with --resume goes on from there"
		if _, err := os.Stat(rep.Part); err == nil {
			hint += " (so far: " + rep.Part + ")"
		}
	}
	switch {
	case errors.Is(err, pipeline.ErrComplete):
		fmt.Fprintf(con.err, "chaffinch: %s: %v%s\n", c.Out, err, unlessOlder)
		return nil
	case errors.Is(err, context.Canceled) && rep.Step == recipe.StepPages && rep.Pages != nil:
		return fmt.Errorf("stopped after %s%s", count(rep.Pages.Pages, "page"), hint)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped at the step %s%s", rep.Step, hint)
	case err != nil && rep.Step == recipe.StepPages && rep.Pages == nil && c.Config != "" && c.Method == "" && c.Recipe == "":
		return fmt.Errorf("%w; --config goes to the method %s, the default for HTML: name another one with --method", err, method.Default)
	case errors.Is(err, vertical.ErrNoTokens): // to resume would not help
		return fmt.Errorf("--registry: %w: the summary says why no page is kept", err)
	case err != nil && !errors.Is(err, syscall.EPIPE):
		return fmt.Errorf("%w%s", err, hint)
	case err != nil:
		return err
	}
	var left []error // what the programs left as it was
	if rep.Tokenizer != nil {
		left = append(left, tellTokenizer(*rep.Tokenizer, c.Quiet, con))
	}
	if rep.Tagger != nil {
		left = append(left, tellTagger(*rep.Tagger, c.Quiet, con))
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
	if err != nil {
		return nil, err
	}
	o := recipe.CleanOptions{
		Options: stage.Options{
			Langs: langs, MinConfidence: c.MinConfidence, LangUnit: c.LangUnit,
			Method: c.Method, Lang: c.Lang, KeepHidden: c.Hidden == "keep", RepairMojibake: c.RepairMojibake, Title: c.Title, TranslationMarks: c.TranslationMarks, Sites: c.Sites, Keep: c.Keep, Favour: c.Favour, MinPageConfidence: c.MinPageConfidence,
			MaxPageBytes: int64(c.MaxPageBytes), MaxNodes: c.MaxNodes, MaxDepth: c.MaxDepth, MaxPageTime: c.MaxPageTime,
		},
		Format: c.Format, Annotate: c.Annotate, Without: c.Without, FrontMatter: c.FrontMatter, Fields: c.Fields,
		Field: c.TextField, Form: c.InputFormat, URL: c.URL, MaxRatio: c.MaxRatio,
	}
	o.Segmenters = c.Segmenter
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
		set, err := readRules("--filter", c.Filter, nil, nil)
		if err != nil {
			return nil, err
		}
		cfg := set.Config()
		o.Filter = &cfg
	}
	if err := checkKeep(c.Keep); err != nil {
		return nil, err
	}
	if c.Sites && o.Method != "" && o.Method != method.Default {
		return nil, fmt.Errorf("--sites: the method %s looks at one page, only %s at what repeats on the others of its site: leave out --method or --sites", o.Method, method.Default)
	}
	if c.Comments != "" {
		if o.Method != "" && o.Method != method.Default {
			return nil, fmt.Errorf("--comments takes the comments that the method %s finds: leave out --method", method.Default)
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

// checkKeep tells what is wrong with the value of --keep.
func checkKeep(roles string) error {
	if roles == "" {
		return nil
	}
	if _, err := page.ParseRoles(roles); err != nil {
		return fmt.Errorf("--keep: %w", err)
	}
	return nil
}

// aside returns the files of the further outputs of a recipe.
func (c *cleanCmd) aside(r *recipe.Recipe) ([]string, error) {
	has := len(r.Output.Aside) == 1 && r.Output.Aside[0].Role == page.RoleComment
	switch {
	case len(r.Output.Aside) == 0 && c.Comments == "":
		return nil, nil
	case !has && c.Comments != "":
		return nil, fmt.Errorf("--comments: the recipe %s has no further output for comments: clean --comments FILE --print-recipe makes one that has", c.Recipe)
	case !has:
		return nil, fmt.Errorf("--recipe %s: a further output of it is not for comments, which is all that clean writes", c.Recipe)
	case c.Comments == "" || c.Comments == "-" || isFolder(c.Comments):
		return nil, errors.New("comments need a file of their own: name it with --comments FILE")
	}
	return []string{c.Comments}, nil
}

// outputFormat returns the format that is named, else that of the suffix of out.
func outputFormat(out, named string) (string, error) {
	if named != "" || out == "" || out == "-" || isFolder(out) {
		return named, nil
	}
	format, err := recipe.FormatOfName(out)
	if err != nil {
		return "", fmt.Errorf("%w with --format", err)
	}
	return format, nil
}

// langs returns the languages that stay.
func (c *cleanCmd) langs() (langs []langid.Wanted, err error) {
	if c.Lang != "" && len(c.Langs) > 0 {
		return nil, errors.New("--langs filters by detected language, --lang states one language for all: leave out one of them")
	}
	return wantedLangs(c.Langs)
}

// showErrors returns a function that shows the first errors on w.
func (c *cleanCmd) showErrors(w io.Writer) func(*page.Error) {
	show := firstErrors(c.where())
	return func(err *page.Error) { show(w, err) }
}

// where tells where all errors stand.
func (c *cleanCmd) where() string {
	if c.Errors == "" {
		return " (--errors FILE lists all)"
	}
	return ": " + c.Errors + " lists all"
}

// tell writes the summary.
func (c *cleanCmd) tell(rep *pipeline.Report, w io.Writer) error {
	if c.Summary != "" {
		if err := writeJSON(c.Summary, rep); err != nil {
			return err
		}
	}
	if len(rep.LostFields) > 0 {
		fmt.Fprintf(w, "chaffinch: fields without a place in the format of the output, by the pages that had them: %s: take jsonl, json, parquet, xml, or markdown with --front-matter\n", listing(rep.LostFields))
	}
	if c.Quiet {
		return nil
	}
	return writeSummary(w, rep)
}

// isFolder tells whether out is or names a folder.
func isFolder(out string) bool {
	st, err := os.Stat(out)
	return strings.HasSuffix(out, string(filepath.Separator)) || err == nil && st.IsDir()
}
