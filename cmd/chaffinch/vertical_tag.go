package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"chaffinch/format/vertical"
	"chaffinch/internal/readers"
	"chaffinch/page"
	"chaffinch/text/tag/installed"
)

type verticalTagCmd struct {
	verticalFlags
	Input   string `arg:"" optional:"" default:"-" help:"Vertical, plain or compressed; - is standard input."`
	Out     string `short:"o" placeholder:"FILE" help:"Output file. Default: standard output."`
	Builtin bool   `help:"Add the columns lemma, pos, tag, feats and lempos by the built-in taggers."`
	Lang    string `short:"l" placeholder:"TAG" help:"With --builtin: language of documents without the attribute lang."`
	taggersFlag
	Tagger  string   `placeholder:"COMMAND" help:"Shell command line of a program that reads one token per line and prints each with its annotation after tabs."`
	Columns []string `placeholder:"NAME" help:"Names of the added columns, in order after the word, such as lemma,tag; NAME=N uses column N of the tagger's output."`
	Jobs    int      `short:"j" placeholder:"N" help:"Taggers run in parallel. Default: one per processor. Does not change the output."`
	Quiet   bool     `short:"q" help:"No summary; errors are still shown."`
	taggerFlags
}

// taggerFlags holds the settings of an external tagger.
type taggerFlags struct {
	TaggerInput   string        `group:"Tagger" default:"blank" enum:"blank,tags,none" placeholder:"HOW" help:"Separator of sentences in the tagger's input: blank (an empty line), tags (the lines <s> and </s>) or none. Default: ${default}."`
	TaggerWord    int           `range:"[1,)" group:"Tagger" default:"1" placeholder:"N" help:"Column of the tagger's output that repeats the word. Default: ${default}."`
	TaggerTimeout time.Duration `group:"Tagger" default:"2m" placeholder:"TIME" help:"Time without output after which the program is killed. Default: ${default}."`
	TaggerBatch   int           `range:"[1,)" group:"Tagger" default:"200000" placeholder:"N" help:"Tokens after which the program is restarted. Default: ${default}."`
}

// Help is the long text of --help.
func (verticalTagCmd) Help() string {
	return `Examples:
  chaffinch vertical tag corpus.vert --builtin -o tagged.vert
  chaffinch vertical tag corpus.vert --tagger 'hunpos-tag en.model' --columns tag -o tagged.vert
  chaffinch vertical tag corpus.vert --tagger 'run_tagger --input=vertical --output=vertical cs.tagger' --columns lemma,tag
  chaffinch vertical tag corpus.vert --tagger 'tree-tagger -token -lemma -sgml en.par' --columns tag,lemma --tagger-input tags

Each output line is checked against its token. A sentence on which the tagger crashes, hangs or changes words is retried, alone if necessary; if it fails again, its columns stay empty and it is reported.
Exit code: 0 completed; 1 completed, but some sentences have no annotation; 2 failed.`
}

// Run writes the vertical with the columns of the tagger.
func (c *verticalTagCmd) Run(ctx context.Context, con *console) error {
	t, err := c.annotator(con)
	if err != nil {
		return err
	}
	in, shut, err := openFile(c.Input, aVertical.as(c.InputFormat), con)
	if err != nil {
		return err
	}
	defer shut()
	r := vertical.NewReader(readers.Until(ctx, in), c.config(c.Input, con))
	var rep vertical.TaggerReport
	err = writeTo(c.Out, con, func(w io.Writer) error {
		var err error
		rep, err = t.Tag(ctx, w, r)
		return err
	})
	if err != nil {
		return err
	}
	printRepairs(c.Input, r.Report(), con)
	return printTaggerReport(rep, c.Quiet, con)
}

// annotator returns the program or the models that tag.
func (c *verticalTagCmd) annotator(con *console) (vertical.Annotator, error) {
	switch {
	case c.Builtin == (c.Tagger != ""):
		return nil, errors.New("wanted --builtin, or --tagger COMMAND with --columns")
	case c.Builtin && c.Columns != nil:
		return nil, errors.New("--columns: names of columns of --tagger, not of --builtin")
	case c.Tagger != "" && (c.Lang != "" || c.Taggers != nil):
		return nil, errors.New("--lang and --taggers are for --builtin, not for --tagger")
	case c.Builtin:
		set, err := installed.Set(c.Taggers...)
		return &vertical.Models{Set: set, Lang: c.Lang, Workers: c.Jobs}, err
	case len(c.Columns) == 0:
		return nil, errors.New("--tagger: name the columns that it adds, such as --columns lemma,tag")
	}
	return c.tagger(c.Tagger, c.Columns, c.Jobs, con), nil
}

// tagFlags select the built-in tagger.
type tagFlags struct {
	Tag bool `group:"Tagger" help:"Add lemma, part of speech and features of each token by the built-in taggers: columns lemma, pos, tag, feats and lempos of a vertical."`
	taggersFlag
}

// taggersFlag names further models of the built-in tagger.
type taggersFlag struct {
	Taggers []string `group:"Tagger" placeholder:"FILE" help:"Further models of the built-in taggers, from chaffinch train tagger. Default: the embedded models, and ${taggersFile} beside the program or in ~/.local/share/chaffinch."`
}

// tagger returns the tagger that shows the first sentences it fails on.
func (f *taggerFlags) tagger(command string, columns []string, jobs int, con *console) *vertical.Tagger {
	show := con.firstSentences()
	return &vertical.Tagger{
		Command: command, Columns: columns, Word: f.TaggerWord, Input: f.TaggerInput, Batch: f.TaggerBatch, Silence: f.TaggerTimeout, Workers: jobs,
		OnProblem: func(e *page.Error) { show(e) },
	}
}

// firstSentences returns a function that shows the first sentences that a
// program of the user fails on.
func (con *console) firstSentences() func(problem error) {
	shown := 0
	return func(problem error) {
		if shown++; shown <= shownErrors {
			fmt.Fprintf(con.err, "chaffinch: %v\n", problem)
		} else if shown == shownErrors+1 {
			fmt.Fprintf(con.err, "chaffinch: further sentences are not shown\n")
		}
	}
}

// printTaggerReport writes the summary, and returns an error if a sentence failed.
func printTaggerReport(rep vertical.TaggerReport, quiet bool, con *console) error {
	for _, w := range rep.Warnings() {
		fmt.Fprintf(con.err, "chaffinch: %s\n", w)
	}
	if !quiet {
		untagged := int64(0)
		for _, n := range rep.Untagged {
			untagged += n
		}
		fmt.Fprintf(con.err, "tagged  %s in %s", count(rep.Tokens-rep.TokensLeft-untagged, "token"), count(rep.Sentences-rep.SentencesLeft, "sentence"))
		if rep.Starts > 0 {
			fmt.Fprintf(con.err, "; tagger started %s", count(rep.Starts, "time"))
		}
		if rep.Deaths > 0 {
			fmt.Fprintf(con.err, ", failed %s", count(rep.Deaths, "time"))
		}
		if rep.Short > 0 {
			fmt.Fprintf(con.err, "; %s with fewer columns than wanted", count(rep.Short, "row"))
		}
		if rep.Extra > 0 {
			fmt.Fprintf(con.err, "; %s without a token skipped", count(rep.Extra, "row"))
		}
		fmt.Fprintln(con.err)
	}
	if rep.SentencesLeft > 0 {
		return errNo{fmt.Sprintf("%s (%s) not tagged: their columns are empty", count(rep.SentencesLeft, "sentence"), count(rep.TokensLeft, "token"))}
	}
	return nil
}
