package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"chaffinch/format/sniff"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/internal/parallel"
	"chaffinch/internal/runes"
	"chaffinch/page"
)

var bom = []byte("\ufeff")

// openFile opens the current file and detects its format. r.form remains nil if the file has
// nothing to read. An error concerns only this file.
func (r *Reader) openFile() error {
	f := r.files.Current()
	if f.Err != nil {
		r.wrong(0, -1, f.Err)
		return nil
	}
	if err := r.files.Open(); err != nil {
		r.wrong(0, -1, err)
		return nil
	}
	cfg := unpacking
	cfg.Workers = parallel.Workers(r.cfg.Workers)
	in, err := packed.NewReader(r.files.File, cfg)
	if err != nil {
		return files.Cause(err)
	}
	r.in = in
	r.files.Read(in)
	r.lines = &lines{in: r.in, max: r.cfg.MaxBytes}
	head, err := r.in.Peek(sniff.Bytes)
	damaged := false
	for len(head) == 0 && err != io.EOF {
		damaged = true
		var d *packed.Damage
		if !errors.As(err, &d) {
			return files.Cause(err)
		}
		r.wrong(0, d.At, fmt.Errorf("cannot be unpacked: %w", err))
		if r.in.Resync() != nil {
			return nil
		}
		head, err = r.in.Peek(sniff.Bytes)
	}
	if len(head) == 0 {
		if !damaged {
			r.reportProblem(0, -1, page.ErrEmpty)
		}
		return nil
	}
	found, format := sniff.UTF8(head, r.cfg.Doc, r.cfg.Para), Format("")
	switch found {
	case sniff.Tar, sniff.Zip, sniff.Parquet:
		if head, err = r.openStream(f, found); err != nil {
			return err
		}
		if len(head) == 0 {
			return nil
		}
		format = JSONL
		if r.num == 0 { // a configured format applies to the files of the container
			r.format = ""
		}
	default:
		if format, err = r.recognise(f.Name, found, head); err != nil {
			return err
		}
	}
	if format == "" {
		return nil
	}
	if k := r.format; (k == Vertical || k == Prevertical) && (format == Vertical || format == Prevertical) {
		format = k // a file with few words
	}
	if r.format != "" && r.format != format {
		return fmt.Errorf("its format is %s, the format of the collection is %s: convert it, or give both in two runs", format, r.format)
	}
	r.format = format
	if bytes.HasPrefix(head, bom) {
		if r.files.At == 0 { // in the middle of the output it would be a character
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

// recognise returns the format of a file that begins with head and has the detected form found.
// It returns "" if the file has nothing to read.
func (r *Reader) recognise(name string, found sniff.Form, head []byte) (Format, error) {
	if runes.HasUTF16Mark(head) {
		return "", errors.New("UTF-16: a collection is in UTF-8: convert it, for example with iconv -f UTF-16 -t UTF-8")
	}
	if found == sniff.Document {
		return "", foreign(found)
	}
	if r.cfg.Format != "" {
		return r.cfg.Format, nil
	}
	if len(bytes.TrimPrefix(head, bom)) == 0 {
		return r.format, nil
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "", errors.New("no text: it holds NUL bytes: take it out of the inputs, or name the format")
	}
	switch found {
	case sniff.Legacy:
		return "", foreign(found)
	case sniff.JSONLines:
		return JSONL, nil
	case sniff.Vertical:
		return Vertical, nil
	case sniff.Prevertical:
		return Prevertical, nil
	case sniff.JSONDocument, sniff.JSONArray, sniff.HTML, sniff.TEI, sniff.XML, sniff.WARC, sniff.Annotated, sniff.Binary:
		return "", foreign(found)
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown":
		return "", foreign(sniff.Markdown)
	case ".vert", ".vertical":
		return Vertical, nil
	case ".prevert", ".prevertical":
		return Prevertical, nil
	}
	return Text, nil
}

// foreign returns the error for a file in a form that is not a collection.
func foreign(found sniff.Form) error {
	return &sniff.Error{Form: found, Want: "a collection: JSON lines, text, a vertical or a prevertical"}
}
