package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"chaffinch/build/recipe"
	"chaffinch/format/suffix"
	"chaffinch/internal/archive"
)

type convertCmd struct {
	Input []string `arg:"" optional:"" help:"Files and folders of clean text: text, JSON lines, Parquet, verticals, preverticals, Markdown, TEI, each plain or compressed with gzip, zstd or lz4, or in archives (tar, zip); recognised by content; - is standard input."`

	Out         string   `short:"o" placeholder:"OUT" help:"Output file, compressed if its name ends in .gz or .zst, or a folder (DIR/) that gets one file per page. Default: standard output."`
	Format      string   `short:"f" default:"" enum:",${formats}" placeholder:"NAME" help:"Format of the output: ${formats}. Default: by the suffix of OUT (.txt, .jsonl, .json, .md, .parquet, .xml, .warc, .vert, .prevert), else text."`
	InputFormat string   `default:"" enum:",text,jsonl,vertical,prevertical,markdown,xml" placeholder:"NAME" help:"Format of all inputs, and of the files in archives: text, jsonl, vertical, prevertical, markdown or xml. Default: by content."`
	TextField   string   `placeholder:"NAME" help:"Field of JSON lines, or column of Parquet, that holds the text. Default: text."`
	Lang        string   `short:"l" placeholder:"TAG" help:"Language of pages that do not state theirs. Default: detected for each page."`
	Without     []string `placeholder:"MARKUP" help:"Markup to omit from markdown, xml and json; its text stays: ${features}."`
	Fields      []string `placeholder:"NAME" help:"Fields of jsonl and json and columns of parquet to write, such as id,url,text,year; with a minus sign before each (--fields=-counts,-source), all fields except these. Default: all."`
	FrontMatter bool     `help:"Begin each page of markdown with its metadata as YAML."`
	TokenRules  string   `placeholder:"FILE" help:"With --format vertical: your own rules for tokens and sentences, applied after the rules of each language (docs/reference/formats/token-rules.md)."`

	tagFlags

	Jobs       int           `short:"j" placeholder:"N" help:"Pages processed in parallel. Default: one per processor. Does not change the output."`
	Resume     bool          `help:"Resume an interrupted run; the output is the same as without the interruption. Safe to repeat."`
	Force      bool          `help:"Discard an unfinished run of the same OUT and start over."`
	Checkpoint time.Duration `placeholder:"TIME" help:"Time between two checkpoints of a run with -o. Default: 2s."`
	Errors     string        `placeholder:"FILE" help:"Write one line for each unreadable piece of input. The terminal shows only the first ${shown}."`
	Summary    string        `placeholder:"FILE" help:"Also write the summary as JSON."`
	Quiet      bool          `short:"q" help:"No progress, no summary; errors are still shown."`
}

// Help is the long text of --help.
func (convertCmd) Help() string {
	return `Writes clean text in another format, without labelling or dropping anything. Blocks, lists, tables and markup are preserved between json, markdown and xml; metadata and custom fields between jsonl, json, parquet, markdown with front matter and verticals.

Examples:
  chaffinch convert corpus.jsonl -o corpus.vert
  chaffinch convert corpus.parquet -o corpus.jsonl.zst
  chaffinch convert corpus.json -f markdown --front-matter -o pages/

Exit code: 0 completed; 1 completed, but some input could not be read; 2 failed.`
}

// Run converts the inputs.
func (c *convertCmd) Run(ctx context.Context, con *console) error {
	o := recipe.ConvertOptions{
		Output: recipe.Output{Format: c.Format, Without: c.Without, FrontMatter: c.FrontMatter, Fields: c.Fields, Tag: c.Tag, Taggers: c.Taggers},
		Field:  c.TextField, Form: c.InputFormat, Lang: c.Lang,
	}
	if n := len(c.Input); n > 1 && c.Out == "" && suffix.Of(c.Input[n-1]).Format != "" {
		if _, err := os.Stat(c.Input[n-1]); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: no such file: write -o %s if it is the output", c.Input[n-1], c.Input[n-1])
		}
	}
	var err error
	if o.Format, err = outputFormat(c.Out, c.Format); err != nil {
		return err
	}
	if c.TokenRules != "" {
		b, err := archive.ReadFile(c.TokenRules)
		if err != nil {
			return fmt.Errorf("--token-rules: %w", err)
		}
		o.TokenRules = &recipe.TokenRules{Name: c.TokenRules, Text: string(b)}
	}
	clean := cleanCmd{
		made: recipe.Convert(o), Input: c.Input, Out: c.Out, Jobs: c.Jobs, Resume: c.Resume, Force: c.Force, Checkpoint: c.Checkpoint,
		Errors: c.Errors, Summary: c.Summary, Quiet: c.Quiet,
	}
	return clean.Run(ctx, con)
}
