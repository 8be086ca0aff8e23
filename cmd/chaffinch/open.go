package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/build/recipe"
	"chaffinch/format/jsonl"
	"chaffinch/format/sniff"
	"chaffinch/internal/archive"
	"chaffinch/internal/packed"
	"chaffinch/internal/readers"
	"chaffinch/page"
)

// wanted describes the content that a command reads.
type wanted struct {
	// what says it in messages.
	what string
	// takes reports whether a file of the form, which begins with head, has this content.
	takes func(f sniff.Form, head []byte) bool
}

var (
	aVertical = wanted{"a vertical", func(f sniff.Form, head []byte) bool {
		return f == sniff.Vertical || f == sniff.Empty || f == sniff.Text && sniff.Tokens(head) || (f == sniff.HTML || f == sniff.XML) && sniff.TagLines(head)
	}}
	aPrevertical = wanted{"a prevertical", func(f sniff.Form, _ []byte) bool {
		return f == sniff.Vertical || f == sniff.Prevertical || f == sniff.Empty || f == sniff.Text
	}}
	aText = wanted{"text", func(f sniff.Form, _ []byte) bool {
		return f == sniff.Text || f == sniff.Markdown || f == sniff.Empty || f == sniff.Vertical || f == sniff.Prevertical
	}}
	anything = wanted{"files", func(sniff.Form, []byte) bool { return true }}
)

// orLegacy returns w, but it also takes text in other encodings than UTF-8.
func (w wanted) orLegacy() wanted {
	takes := w.takes
	w.takes = func(f sniff.Form, head []byte) bool { return f == sniff.Legacy || takes(f, head) }
	return w
}

// check returns an error if the content of in, named name, is not the wanted one. An empty
// file is accepted and reported.
func (w wanted) check(in *packed.Reader, name string, con *console) error {
	f, err := w.formOf(in)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case f == sniff.Empty:
		fmt.Fprintf(con.err, "chaffinch: %s: %v\n", name, page.ErrEmpty)
	}
	return nil
}

// formOf returns the form of in, and an error if that is not wanted.
func (w wanted) formOf(in *packed.Reader) (sniff.Form, error) {
	head, err := in.Peek(sniff.Bytes)
	var d *packed.Damage
	if errors.Is(err, context.Canceled) { // the beginning does not determine the format
		return sniff.Empty, err
	}
	if len(head) == 0 && errors.As(err, &d) {
		return sniff.Empty, fmt.Errorf("cannot be unpacked: %w", err)
	}
	f := sniff.UTF8(head)
	if w.takes(f, head) {
		return f, nil
	}
	e := &sniff.Error{Form: f, Want: w.what}
	if w.what == aVertical.what {
		switch f {
		case sniff.JSONLines, sniff.JSONArray, sniff.Markdown, sniff.Parquet, sniff.TEI, sniff.Text:
			e.Advice = "convert it with chaffinch convert FILE -o FILE.vert"
		case sniff.Prevertical:
			e.Advice = "convert it with chaffinch vertical tokenize"
		case sniff.HTML, sniff.WARC, sniff.Tar, sniff.Zip:
			e.Advice = "convert its pages with chaffinch clean -o FILE.vert"
		}
	}
	return f, e
}

// openFile opens a file with the wanted content, plain or compressed with gzip, zstd or lz4.
// "-" is standard input.
func openFile(name string, want wanted, con *console) (io.Reader, func(), error) {
	in, _, shut, err := openPacked(name, con)
	if err != nil {
		return nil, nil, err
	}
	if err := want.check(in, name, con); err != nil {
		shut()
		return nil, nil, err
	}
	return in, shut, nil
}

// openPacked opens a file, whatever it holds; file is nil for standard input.
func openPacked(name string, con *console) (in *packed.Reader, file *os.File, shut func(), err error) {
	raw, end := con.in, func() {}
	if name != "-" {
		if file, err = os.Open(name); err != nil {
			return nil, nil, nil, err
		}
		if info, err := file.Stat(); err == nil && info.IsDir() {
			file.Close()
			return nil, nil, nil, fmt.Errorf("%s: a folder, wanted one file: name a file in it, or pipe several with cat %s", name, filepath.Join(name, "*"))
		}
		raw, end = file, func() { file.Close() }
	}
	in, err = packed.NewReader(raw, packed.Default)
	if err != nil {
		end()
		return nil, nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return in, file, func() { in.Close(); end() }, nil
}

// eachMember calls fn for a file or standard input, or for each file of an archive (tar,
// zip), with the wanted content. For texts it also calls fn for each row of a Parquet file.
func eachMember(ctx context.Context, name string, want wanted, con *console, fn func(name string, in io.Reader) error) error {
	in, file, shut, err := openPacked(name, con)
	if err != nil {
		return err
	}
	defer shut()
	head, _ := in.Peek(sniff.Bytes)
	found := sniff.Of(head)
	if found == sniff.Parquet && want.what == aText.what {
		return eachRow(ctx, name, in, file, fn)
	}
	if !found.Container() {
		if err := want.check(in, name, con); err != nil {
			return err
		}
		return fn(name, readers.Until(ctx, in))
	}
	members, err := archive.Open(in, file, packed.Default)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for {
		m, err := members.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		at := name + "/" + m.Name
		in, err := packed.NewReader(struct{ io.Reader }{m.Reader}, packed.Default)
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if err = want.check(in, at, con); err == nil {
			err = fn(at, readers.Until(ctx, in))
		}
		in.Close()
		if err != nil {
			return err // it names the file
		}
	}
}

// eachRow calls fn for the text of each row of a Parquet file.
func eachRow(ctx context.Context, name string, in *packed.Reader, file *os.File, fn func(name string, in io.Reader) error) error {
	size, err := archive.Table(in, file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	rows, err := recipe.ReadParquet(file, size, jsonl.Default.Field)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer rows.Close()
	p := jsonl.NewParser(jsonl.Default)
	var line []byte
	for {
		if line, err = rows.Next(line[:0]); err == io.EOF {
			return nil
		}
		at := fmt.Sprintf("%s: row %d", name, rows.Row())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		pg, err := p.Parse(line, false)
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if err := fn(at, readers.Until(ctx, strings.NewReader(strings.ToValidUTF8(string(pg.Raw), "\ufffd")+"\n\n"))); err != nil {
			return err
		}
	}
}
