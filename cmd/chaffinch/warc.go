package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"chaffinch/format/warc"
	"chaffinch/internal/stop"
)

// warcCmd holds the commands that look into web archives.
type warcCmd struct {
	Ls      warcLs      `cmd:"" help:"List the records: offset, type, date, media type, status, length, address."`
	Check   warcCheck   `cmd:"" help:"Check structure, lengths and digests; exit code 1 if there are errors."`
	Extract warcExtract `cmd:"" help:"Write the payload of a record, or the whole record."`
	Index   warcIndex   `cmd:"" help:"Write a sorted CDXJ index."`
}

// openWARC opens an archive; "-" is standard input.
func openWARC(ctx context.Context, name string, con *console) (*warc.Reader, func(), error) {
	var in io.Reader = con.in
	shut := func() {}
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		in = struct {
			io.Reader
			io.Seeker
		}{stop.Reader(ctx, f), f}
		shut = func() { f.Close() }
	}
	r, err := warc.NewReader(in, warc.Config{})
	if err != nil {
		shut()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, func() { r.Close(); shut() }, nil
}

// eachWARC calls fn for every archive. Archives that cannot be opened are
// reported; bad counts them and what fn returns. What fn meets when ctx is done
// is no problem of the archive.
func eachWARC(ctx context.Context, files []string, con *console, fn func(name string, r *warc.Reader) (bad int, err error)) error {
	total := 0
	for _, name := range files {
		r, shut, err := openWARC(ctx, name, con)
		if ctx.Err() != nil {
			if err == nil {
				shut()
			}
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(con.err, "%v\n", err)
			total++
			continue
		}
		bad, err := fn(name, r)
		shut()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		total += bad
	}
	if total > 0 {
		return errNo{fmt.Sprintf("%d problems", total)}
	}
	return nil
}

// buffered calls fn with a buffer on w and flushes it.
func buffered(w io.Writer, fn func(*bufio.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	err := fn(b)
	if ferr := b.Flush(); err == nil || errors.As(err, new(errNo)) && ferr != nil {
		err = errors.Join(err, ferr)
	}
	return err
}
