package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"chaffinch/internal/archive"
	"chaffinch/internal/cputime"
	"chaffinch/lab/transformer/tokenizer"
)

type tokensCmd struct {
	Tokenizer string `required:"" placeholder:"FILE" help:"tokenizer.json of the model."`
	IDs       bool   `name:"ids" help:"Print numbers, not pieces."`
	Max       int    `placeholder:"N" help:"Most pieces of a line, special tokens included. Default: what the file says."`
	Time      bool   `help:"Print the time it took to the standard error."`
}

// Help is the long text of --help.
func (tokensCmd) Help() string {
	return "Reads lines from the standard input and prints the pieces of each on a line, with blanks between."
}

// maxInput is the maximum total size of the lines in bytes.
const maxInput = 64 << 20

// Run reads, tokenizes and prints all lines.
func (c *tokensCmd) Run(ctx context.Context, con *console) error {
	tok, err := tokenizer.Load(c.Tokenizer)
	if err != nil {
		return err
	}
	if c.Max > 0 {
		tok.SetMaxLength(c.Max)
	}
	all, err := archive.ReadLimited(con.in, maxInput)
	if err != nil {
		return fmt.Errorf("read lines: %w", err)
	}
	lines := bytes.Split(all, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	var ids []int64
	ends := make([]int, 0, len(lines))
	runtime.GC()
	begun := cputime.Used()
	for _, line := range lines {
		ids = tok.Encode(ids, line)
		ends = append(ends, len(ids))
	}
	took := cputime.Used() - begun
	out := bufio.NewWriter(con.out)
	from := 0
	for _, end := range ends {
		for i, id := range ids[from:end] {
			if i > 0 {
				out.WriteByte(' ')
			}
			if c.IDs {
				out.WriteString(strconv.FormatInt(id, 10))
			} else {
				out.WriteString(tok.Piece(id))
			}
		}
		out.WriteByte('\n')
		from = end
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if c.Time {
		mb := float64(len(all)) / 1e6
		fmt.Fprintf(con.err, "chaffinch: %d lines, %.2f MB, %.3f s of processor, %.2f MB/s\n", len(lines), mb, took.Seconds(), mb/max(took.Seconds(), float64(time.Microsecond)/1e9))
	}
	return ctx.Err()
}
