package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/format/sniff"
	"chaffinch/format/warc"
	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/internal/parallel"
	"chaffinch/internal/readers"
)

// warcCmd holds the commands for web archives.
type warcCmd struct {
	Ls      warcLs      `cmd:"" help:"List the records: offset, type, date, media type, status, length, address."`
	Check   warcCheck   `cmd:"" help:"Check structure, lengths and digests; exit code 1 if there are errors."`
	Extract warcExtract `cmd:"" help:"Write the payload of a record, or the whole record."`
	Index   warcIndex   `cmd:"" help:"Write a sorted CDXJ index."`
}

// openedFile is a file that was opened to find web archives in it.
type openedFile struct {
	in   *packed.Reader
	file *os.File // nil for standard input
	shut func()
}

// openArchive opens a file; "-" is standard input.
func openArchive(ctx context.Context, name string, con *console) (*openedFile, error) {
	f := &openedFile{shut: func() {}}
	in := con.in
	if name != "-" {
		var err error
		if f.file, err = os.Open(name); err != nil {
			return nil, err
		}
		in = struct {
			io.Reader
			io.Seeker
		}{readers.Until(ctx, f.file), f.file}
		f.shut = func() { f.file.Close() }
	}
	var err error
	if f.in, err = packed.NewReader(in, packed.Config{Accept: warc.Looks, Workers: parallel.Workers(0)}); err != nil {
		f.shut()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func (f *openedFile) close() {
	f.in.Close()
	f.shut()
}

// members returns the files of a zip archive, which has to be a WACZ file.
func (f *openedFile) members(name string) (archive.Members, error) {
	list, err := archive.Open(f.in, f.file, packed.Default)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p, ok := list.(archive.Package); !ok || p.Kind() != archive.WACZ {
		return nil, fmt.Errorf("%s: %w", name, &sniff.Error{Form: sniff.Zip, Want: "web archives: WARC, WET, ARC or WACZ"})
	}
	return list, nil
}

// form returns the detected format of the file.
func (f *openedFile) form() sniff.Form {
	head, _ := f.in.Peek(sniff.Bytes)
	return sniff.Of(head)
}

// archiveName reports whether a file is a web archive by its name.
func archiveName(name string) bool {
	name = strings.ToLower(filepath.Base(name))
	for _, part := range []string{".warc", ".arc", ".wet", ".wat", ".wacz"} {
		if before, after, ok := strings.Cut(name, part); ok && before != "" && (after == "" || after[0] == '.') {
			return true
		}
	}
	return false
}

// eachWARC calls fn for every archive: named files, members of WACZ files, and files in
// folders that are archives by content or name. It reports archives that cannot be opened;
// bad counts them and the errors of fn. Errors after the end of ctx do not count.
func eachWARC(ctx context.Context, paths []string, con *console, fn func(name string, r *warc.Reader) (bad int, err error)) error {
	total, found := 0, 0
	report := func(err error) {
		fmt.Fprintf(con.err, "%v\n", err)
		total++
	}
	each := func(name string, in io.Reader) error {
		found++
		r, err := warc.NewReader(in, warc.Config{})
		if err != nil {
			report(fmt.Errorf("%s: %w", name, err))
			return ctx.Err()
		}
		defer r.Close()
		bad, err := fn(name, r)
		total += bad
		return cmp.Or(ctx.Err(), err)
	}
	for _, f := range files.List(paths) {
		if f.Err != nil {
			report(fmt.Errorf("%s: %w", f.Name, f.Err))
			continue
		}
		if err := oneWARC(ctx, f, con, each, report); err != nil {
			return err
		}
	}
	switch {
	case total > 0:
		return errNo{count(int64(total), "problem")}
	case found == 0:
		return errNo{"no web archive in " + strings.Join(paths, ", ")}
	}
	return nil
}

// oneWARC calls each for the archives of a file, and report with the errors of a file
// that cannot be opened.
func oneWARC(ctx context.Context, f files.File, con *console, each func(string, io.Reader) error, report func(error)) error {
	opened, err := openArchive(ctx, f.Name, con)
	if ctx.Err() != nil {
		if err == nil {
			opened.close()
		}
		return ctx.Err()
	}
	if err != nil {
		report(err)
		return nil
	}
	defer opened.close()
	form := opened.form()
	if form != sniff.Zip {
		if !f.Named && form != sniff.WARC && !archiveName(f.Name) {
			return ctx.Err()
		}
		return each(f.Name, opened.in)
	}
	list, err := opened.members(f.Name)
	if err != nil {
		if f.Named || archiveName(f.Name) {
			report(err)
		}
		return nil
	}
	for {
		m, err := list.Next()
		var bad *archive.Error
		switch {
		case errors.As(err, &bad):
			report(fmt.Errorf("%s: %w", f.Name, err))
			continue
		case err == io.EOF || err == nil && m.Extra: // the archives come first
			return nil
		case err != nil:
			report(fmt.Errorf("%s: %w", f.Name, err))
			return nil
		}
		if err := each(f.Name+"/"+m.Name, readers.Until(ctx, m.Reader)); err != nil {
			return err
		}
	}
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
