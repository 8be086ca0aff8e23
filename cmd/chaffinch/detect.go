package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"chaffinch/internal/panics"
)

// detectCmd holds the commands that detect encodings, languages and labels.
type detectCmd struct {
	Charset detectCharsetCmd `cmd:"" help:"Detect the encoding of files."`
	Lang    detectLangCmd    `cmd:"" help:"Detect the language of pages, blocks or lines."`
	Labels  detectLabelsCmd  `cmd:"" help:"Classify pages, documents or lines by a model of train labels."`
}

// eachInput calls fn for each input and flushes out after it, so that results and errors are
// in order. Unreadable inputs are reported and skipped, and cause an error after the last one.
func eachInput(ctx context.Context, con *console, inputs []string, out *bufio.Writer, fn func(name string) error) error {
	bad := int64(0)
	for _, name := range inputs {
		err := panics.Catch(func() error { return fn(name) })
		if e := out.Flush(); e != nil {
			return e
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.As(err, new(*panics.Panic)) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			bad++
			fmt.Fprintf(con.err, "chaffinch: %v\n", err)
		}
	}
	if bad > 0 {
		return errNo{fmt.Sprintf("%s could not be read", count(bad, "input"))}
	}
	return nil
}
