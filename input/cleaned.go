package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"chaffinch/format/markdown"
	"chaffinch/format/plain"
	"chaffinch/format/sniff"
	"chaffinch/format/tei"
	"chaffinch/format/tree"
	"chaffinch/format/vertical"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// cleanedWants names the accepted formats of cleaned text, for messages.
const cleanedWants = "text that is clean: text, JSON lines, Parquet, a vertical, a prevertical, Markdown or TEI"

// cleanedForm reads the pages of a cleaned file. It seeks backwards by reading again from the
// beginning.
type cleanedForm struct {
	name string
	in   *packed.Reader
	open func(in *packed.Reader) func() (*page.Page, error)
	read func() (*page.Page, error)
	n    int64 // number of pages and errors returned
}

// cleanedForms maps names in [Config.Form] to the forms of cleaned files.
var cleanedForms = map[string]sniff.Form{
	formText: sniff.Text, formJSONL: sniff.JSONLines, "vertical": sniff.Vertical, "prevertical": sniff.Prevertical, "markdown": sniff.Markdown, "xml": sniff.TEI,
}

// cleaned returns the form of a cleaned file that begins with head, nil if the other forms read it.
func (o *opener) cleaned(found sniff.Form, head []byte, p *packed.Reader) (form, error) {
	f := &cleanedForm{name: o.name, in: p}
	limit := o.cfg.MaxPageBytes
	form, forced := cleanedForms[o.cfg.Form]
	if forced && !holds(found) && found != sniff.UTF16 {
		found = form
	}
	if !forced && found.IsLegacy(head) {
		found = sniff.Legacy
	}
	switch found {
	case sniff.JSONLines, sniff.JSONArray, sniff.Parquet, sniff.Tar, sniff.Zip:
		return nil, nil
	case sniff.Vertical, sniff.Prevertical:
		f.open = func(in *packed.Reader) func() (*page.Page, error) {
			return vertical.NewPages(vertical.NewReader(in, vertical.ReaderConfig{Name: o.name, Ragged: true, MaxDoc: int(limit), Text: found == sniff.Prevertical})).Next
		}
	case sniff.TEI:
		f.open = func(in *packed.Reader) func() (*page.Page, error) { return tei.NewPages(in).Next }
	case sniff.Markdown:
		f.open = func(in *packed.Reader) func() (*page.Page, error) { return markdownPages(in, limit) }
	case sniff.Text:
		if !forced && hasSuffix(o.name, ".md", ".markdown") {
			f.open = func(in *packed.Reader) func() (*page.Page, error) { return markdownPages(in, limit) }
			break
		}
		o.cfg.reportTable(o.name)
		whole := !o.named
		f.open = func(in *packed.Reader) func() (*page.Page, error) { return textPages(in, limit, whole) }
	default:
		return nil, o.fail(&sniff.Error{Form: found, Want: cleanedWants})
	}
	f.read = f.open(p)
	return f, nil
}

// hasSuffix reports whether name, without the suffix of a compression format, has one of the
// suffixes.
func hasSuffix(name string, suffixes ...string) bool {
	_, name = packed.CutSuffix(name)
	return slices.ContainsFunc(suffixes, func(s string) bool { return trimSuffixFold(name, s) != name })
}

func trimSuffixFold(s, suffix string) string {
	if k := len(s) - len(suffix); k > 0 && bytes.EqualFold([]byte(s[k:]), []byte(suffix)) {
		return s[:k]
	}
	return s
}

func (f *cleanedForm) next() (*page.Page, error) {
	p, err := f.read()
	if err == io.EOF {
		return nil, err
	}
	f.n++
	if err != nil {
		offset := int64(-1)
		var d *packed.Damage
		if errors.As(err, &d) {
			offset = d.At
			err = fmt.Errorf("cannot be unpacked: %w", err)
		}
		f.read = func() (*page.Page, error) { return nil, io.EOF }
		return nil, &page.Error{File: f.name, Record: "", Offset: offset, Err: err}
	}
	place(p, f.name, strconv.FormatInt(f.n, 10))
	return p, nil
}

func (f *cleanedForm) pos(p *Position) { p.Record = f.n }

func (f *cleanedForm) seek(p Position) error {
	if p.Record < f.n {
		if err := f.in.Seek(packed.Pos{}); err != nil {
			return err
		}
		f.read, f.n = f.open(f.in), 0
	}
	for f.n < p.Record {
		if _, err := f.next(); err == io.EOF {
			return fmt.Errorf("page %d of %d: the file has changed", p.Record, f.n)
		}
	}
	return nil
}

func (f *cleanedForm) close() {}

var errLong = errors.New("a page of more bytes than the limit: raise the limit of the bytes of a page")

// textPages reads plain text. A page ends at an empty line, or is the whole file.
func textPages(in *packed.Reader, limit int64, whole bool) func() (*page.Page, error) {
	var text, line []byte
	first := true
	return func() (*page.Page, error) {
		text = text[:0]
		for {
			var err error
			line, err = readLine(in, line[:0], limit)
			if err != nil && err != io.EOF {
				return nil, err
			}
			if first {
				line, first = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), false
			}
			blank := len(bytes.TrimSpace(line)) == 0
			if !blank || whole {
				text = append(text, line...)
			}
			if int64(len(text)) > limit {
				return nil, errLong
			}
			if len(text) > 0 && (blank && !whole || err == io.EOF) {
				return textPage(text), nil
			}
			if err == io.EOF {
				return nil, err
			}
		}
	}
}

func textPage(text []byte) *page.Page {
	p := &page.Page{MIME: plain.Text}
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	}
	tree.Lines(p, string(text))
	return p
}

// readLine appends the next line with its end to dst. The last line is returned with io.EOF.
func readLine(in *packed.Reader, dst []byte, limit int64) ([]byte, error) {
	for {
		b, err := in.Buffered()
		if err != nil {
			return dst, err
		}
		n := bytes.IndexByte(b, '\n') + 1
		end := n > 0
		if !end {
			n = len(b)
		}
		dst = append(dst, b[:n]...)
		in.Discard(int64(n))
		if end {
			return dst, nil
		}
		if int64(len(dst)) > limit {
			return dst, errLong
		}
	}
}

// markdownPages reads Markdown. A thematic break separates pages.
func markdownPages(in *packed.Reader, limit int64) func() (*page.Page, error) {
	var text, line []byte
	fence := markdown.Fence{}
	end := false
	return func() (*page.Page, error) {
		text = text[:0]
		for !end {
			var err error
			line, err = readLine(in, line[:0], limit)
			if err != nil && err != io.EOF {
				return nil, err
			}
			end = err == io.EOF
			if fence.Rule(line) {
				break
			}
			if text = append(text, line...); int64(len(text)) > limit {
				return nil, errLong
			}
		}
		if len(bytes.TrimSpace(text)) == 0 && end {
			return nil, io.EOF
		}
		return markdown.Page(bytes.Clone(text))
	}
}
