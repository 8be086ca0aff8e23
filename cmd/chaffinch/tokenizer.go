package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"chaffinch/format/vertical"
	"chaffinch/internal/parallel"
	"chaffinch/page"
)

// tokenizerFlags name a program that finds words.
type tokenizerFlags struct {
	Tokenizer        string        `group:"Tokenizer" placeholder:"COMMAND" help:"Shell command line of a program that reads one sentence per line and prints its words separated by spaces, such as 'mecab -Owakati' (docs/guides/tokenizer.md)."`
	TokenizerTimeout time.Duration `group:"Tokenizer" default:"2m" placeholder:"TIME" help:"Time without output after which the program is killed. Default: ${default}."`
	TokenizerBatch   int           `range:"[1,)" group:"Tokenizer" default:"200000" placeholder:"N" help:"Tokens after which the program is restarted. Default: ${default}."`
}

// tokenizer returns the external tokenizer, which prints the first sentences it fails on, or
// nil if no tokenizer is configured.
func (f *tokenizerFlags) tokenizer(jobs int, con *console) *vertical.Tokenizer {
	if f.Tokenizer == "" {
		return nil
	}
	show := con.firstSentences()
	return &vertical.Tokenizer{
		Command: f.Tokenizer, Batch: f.TokenizerBatch, Silence: f.TokenizerTimeout, Workers: jobs,
		OnProblem: func(e *page.Error) { show(e) },
	}
}

// throughTokenizer sends the output of write through t to out.
func throughTokenizer(ctx context.Context, t *vertical.Tokenizer, out io.Writer, con *console, write func(io.Writer) error) (rep vertical.TokenizerReport, err error) {
	err = throughVertical(write, con, func(in *vertical.Reader) (err error) {
		rep, err = t.Tokenize(ctx, out, in)
		return err
	})
	return rep, err
}

// throughVertical calls read with the tokens that write writes. Tokens keep invalid UTF-8 of the text:
// it is repaired and reported.
func throughVertical(write func(io.Writer) error, con *console, read func(*vertical.Reader) error) error {
	return parallel.Pipe(write, func(in io.Reader) error {
		r := vertical.NewReader(in, vertical.DefaultReader)
		err := read(r)
		printRepairs("text", r.Report(), con)
		return err
	})
}

// printTokenizerReport writes the summary, and returns an error if a sentence failed.
func printTokenizerReport(rep vertical.TokenizerReport, quiet bool, con *console) error {
	if !quiet {
		fmt.Fprintf(con.err, "tokenized  %s in %s; tokenizer started %s", count(rep.Tokens, "token"), count(rep.Sentences, "sentence"), count(rep.Starts, "time"))
		if rep.Deaths > 0 {
			fmt.Fprintf(con.err, ", failed %s", count(rep.Deaths, "time"))
		}
		fmt.Fprintln(con.err)
	}
	if rep.Left > 0 {
		return errNo{fmt.Sprintf("%s tokenized by the embedded rules instead", count(rep.Left, "sentence"))}
	}
	return nil
}
