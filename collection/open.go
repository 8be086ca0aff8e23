package collection

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// sniffBytes is how much of a file is looked at.
const sniffBytes = 16 << 10

var bom = []byte("\ufeff")

// openFile opens the file at hand and recognises its format; r.form stays nil
// if there is nothing to read in it. An error says why nothing can be read in
// this file, which others need not share.
func (r *Reader) openFile() error {
	f := r.files[r.at]
	if f.Err != nil {
		r.wrong(0, -1, f.Err)
		return nil
	}
	name := f.Name
	if name == "-" {
		name = r.cfg.Stdin
	}
	file, err := os.Open(name)
	if err != nil {
		r.wrong(0, -1, files.Cause(err))
		return nil
	}
	r.cur = file
	if r.in, err = packed.NewReader(file, unpacking); err != nil {
		return files.Cause(err)
	}
	r.progress.Read(r.in)
	r.lines = &lines{in: r.in, max: r.cfg.MaxBytes}
	head, err := r.in.Peek(sniffBytes)
	for len(head) == 0 && err != io.EOF {
		var d *packed.Damage
		if !errors.As(err, &d) {
			return files.Cause(err)
		}
		r.wrong(0, d.At, fmt.Errorf("cannot be unpacked: %w", err))
		if r.in.Resync() != nil {
			return nil
		}
		head, err = r.in.Peek(sniffBytes)
	}
	format, err := r.recognise(f.Name, head)
	if err != nil {
		return err
	}
	if format == "" {
		return nil
	}
	if k := r.format; (k == Vertical || k == Prevertical) && (format == Vertical || format == Prevertical) {
		format = k // a file of few words
	}
	if r.format != "" && r.format != format {
		return fmt.Errorf("its format is %s, that of the collection is %s: convert it, or give both in two runs", format, r.format)
	}
	r.format = format
	if bytes.HasPrefix(head, bom) {
		if r.at == 0 { // in the middle of the output it would be a character
			r.outside(bom)
			r.unended = false
		}
		r.in.Discard(int64(len(bom)))
	}
	r.form = r.newForm(f)
	return nil
}

func (r *Reader) newForm(f files.File) form {
	switch r.format {
	case JSONL:
		return &jsonForm{r: r, l: r.lines}
	case Vertical, Prevertical:
		return newVerticalForm(r)
	}
	split := r.cfg.Split
	if split == "" {
		split = SplitFile
		if f.Named {
			split = SplitBlank
		}
	}
	return &textForm{r: r, l: r.lines, split: split}
}

// recognise returns the format of a file that begins with head; "" if it holds
// nothing to read.
func (r *Reader) recognise(name string, head []byte) (Format, error) {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return "", errors.New("UTF-16: a collection is in UTF-8: convert it, for example with iconv -f UTF-16 -t UTF-8")
	}
	if bytes.HasPrefix(head, []byte("PAR1")) {
		return "", errors.New("format Parquet is not read as a collection: write the pages with clean --format jsonl")
	}
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return "", errors.New("PDF is not read as a collection: make text of it first, for example with pdftotext")
	}
	if r.cfg.Format != "" {
		return r.cfg.Format, nil
	}
	if len(bytes.TrimPrefix(head, bom)) == 0 {
		if r.format == "" && r.cfg.Split == SplitFile {
			return Text, nil
		}
		return r.format, nil
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "", errors.New("no text: it holds NUL bytes: take it out of the inputs, or name the format")
	}
	t := bytes.TrimLeft(bytes.TrimPrefix(head, bom), " \t\r\n")
	if len(t) == 0 {
		return Text, nil
	}
	switch t[0] {
	case '{':
		if rest := bytes.TrimLeft(t[1:], " \t"); len(rest) == 0 || rest[0] == '"' || rest[0] == '}' {
			return JSONL, nil
		}
		if rest := bytes.TrimLeft(t[1:], " \t\r\n"); len(rest) > 1 && rest[0] == '"' {
			return "", errors.New("JSON over several lines: write one object a line, for example with jq -c . FILE")
		}
	case '[':
		if rest := bytes.TrimLeft(t[1:], " \t\r\n"); len(rest) > 1 && rest[0] == '{' && bytes.IndexByte(rest, '"') >= 0 {
			return "", errors.New("a JSON array: write one object a line, for example with jq -c '.[]'")
		}
	case '<':
		return r.markup(t)
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown":
		return "", errors.New("format Markdown is not read as a collection: write the pages with clean --format text, or name the format text")
	case ".vert", ".vertical":
		return Vertical, nil
	case ".prevert", ".prevertical":
		return Prevertical, nil
	}
	if hasTag(head, r.cfg.Doc) {
		return verticalKind(head), nil
	}
	if isAnnotated(t) {
		return "", errors.New("text with labels, of clean --annotate: write it without, or as jsonl")
	}
	return Text, nil
}

// isAnnotated tells whether t begins as annotated text of the cleaner does: with
// a line "# page" and one of columns with a label and a kind.
func isAnnotated(t []byte) bool {
	first, rest, _ := bytes.Cut(t, []byte("\n"))
	label, rest, _ := bytes.Cut(rest, []byte("\t"))
	kind, _, tab := bytes.Cut(rest, []byte("\t"))
	if !tab || !bytes.HasPrefix(first, []byte("# ")) {
		return false
	}
	for l := page.Unknown; l <= page.Bad; l++ {
		if string(label) == l.String() {
			return len(kind) < 20 && !bytes.ContainsAny(kind, " \n")
		}
	}
	return false
}

// markup tells verticals from XML and HTML.
func (r *Reader) markup(t []byte) (Format, error) {
	low := bytes.ToLower(t[:min(len(t), 2048)])
	switch {
	case bytes.HasPrefix(low, []byte("<!doctype html")), bytes.HasPrefix(low, []byte("<html")):
		return "", errors.New("HTML: clean it first, with clean --format jsonl")
	case bytes.Contains(low, []byte("<tei")):
		return "", errors.New("TEI is not read as a collection: write the pages with clean --format jsonl")
	case hasTag(t, r.cfg.Doc), hasTag(t, r.cfg.Para):
		return verticalKind(t), nil
	case bytes.HasPrefix(low, []byte("<?xml")):
		return "", errors.New("XML is not read as a collection: write the pages with clean --format jsonl")
	}
	return Text, nil
}

// hasTag tells whether a line of b begins with the tag of that name.
func hasTag(b []byte, name string) bool {
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		if opens(line, name) {
			return true
		}
		b = rest
	}
	return false
}

// verticalKind tells a vertical from a prevertical: running text has blanks in
// its lines, tokens have tabs behind them or nothing.
func verticalKind(head []byte) Format {
	if i := bytes.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	lines, blanks := 0, 0
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		line = bytes.TrimRight(line, "\r")
		if _, tag := tagName(line); tag {
			if opens(line, "g") || string(line) == "<g/>" || opens(line, "sp") {
				return Vertical
			}
			continue
		}
		if bytes.IndexByte(line, '\t') >= 0 {
			return Vertical
		}
		lines++
		if bytes.IndexByte(line, ' ') >= 0 {
			blanks++
		}
	}
	if 4*blanks > lines {
		return Prevertical
	}
	return Vertical
}
