package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path"

	"chaffinch/charset"
	"chaffinch/internal/archive"
)

type detectCharsetCmd struct {
	Input []string `arg:"" optional:"" help:"Files and folders; - or nothing is standard input."`
}

// Run prints a line for each file.
func (c *detectCharsetCmd) Run(ctx context.Context, con *console) error {
	out := bufio.NewWriter(con.out)
	inputs := c.Input
	if len(inputs) == 0 {
		inputs = []string{"-"}
	}
	for _, in := range inputs {
		if err := eachFile(ctx, in, con.in, func(name string, raw []byte) error {
			r := charset.Decode(raw, "")
			_, err := fmt.Fprintf(out, "%s\t%s\t%s\n", name, r.Name, r.From)
			return err
		}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// eachFile calls fn for a file, for standard input (named "-"), or for each
// file of a folder.
func eachFile(ctx context.Context, name string, stdin io.Reader, fn func(name string, raw []byte) error) error {
	if name == "-" {
		raw, err := io.ReadAll(stdin)
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		return fn(name, raw)
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return fn(name, raw)
	}
	return archive.Walk(name, func(file string, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(name, file), err)
		}
		return fn(path.Join(name, file), raw)
	})
}
