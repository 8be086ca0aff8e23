package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"chaffinch/extract"
	"chaffinch/internal/readers"
	"chaffinch/serve"
)

type workerCmd struct {
	askedCorpora

	Model  string `placeholder:"FILE" help:"Word model for perplexities: a file, or the name of an embedded model. Default: en."`
	Compat string `default:"" enum:",pyplexity" placeholder:"NAME" help:"Be bug-compatible with another program for perplexities: pyplexity, with one of its models."`

	MaxBody  byteSize      `default:"32MiB" placeholder:"SIZE" help:"Largest body of a request. Default: ${default}."`
	PageTime time.Duration `range:"(0,)" default:"30s" placeholder:"TIME" help:"Time limit per page; slower pages are dropped. Default: ${default}."`
}

// Help is the long text of --help.
func (workerCmd) Help() string {
	return `For programs: serves requests over standard input and standard output, one at a time, until standard input ends. Requests and responses are the same as for chaffinch serve, in frames with a binary header (docs/reference/python.md). The Python package starts one worker per processor.

Examples:
  chaffinch worker
  chaffinch worker news.idx --page-time 5s
  chaffinch worker --model bigrams.st --compat pyplexity

Exit code: 0 standard input ended; 2 failed, or standard input ended within a frame.`
}

// Run serves requests until standard input ends. It ignores Ctrl-C, which a terminal sends to
// all programs: the program that started the worker decides when to end its input.
func (c *workerCmd) Run(ctx context.Context, con *console) error {
	if isTerminal(con.in) {
		return errors.New("standard input is a terminal: programs start this command, see docs/reference/python.md")
	}
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	cfg := serve.Config{Version: programVersion(), Corpora: map[string]string{}, WordModel: c.Model, WordCompat: c.Compat, Lazy: true,
		Limits: serve.Limits{Workers: 1, Body: int64(c.MaxBody), Page: int64(extract.Default.MaxBytes), PageTime: c.PageTime}}
	if err := c.folders(cfg.Corpora); err != nil {
		return err
	}
	s, err := serve.New(cfg)
	if err != nil {
		return err
	}
	in := con.in
	if w, ok := in.(*readers.Waiting); ok {
		in = w.Raw() // Pipe ends while it waits, and reads without a second buffer
	}
	if err = s.Pipe(ctx, pollable(in), con.out); err != nil && ctx.Err() == nil && !errors.Is(err, io.ErrClosedPipe) {
		err = fmt.Errorf("standard input: %w", err)
	}
	return errors.Join(err, s.Close())
}
