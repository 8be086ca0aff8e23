package gold

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// lineReader reads a file of labelled lines.
type lineReader struct {
	place string            // of the file, for errors
	file  string            // its name
	seen  map[string]string // id of each document -> where it is
	docs  []*LineDoc
}

func (r *lineReader) failed(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.place, line, fmt.Sprintf(format, args...))
}

// named returns the stem of a file name and, for names like sv.dev.jsonl, the language and the
// part.
func named(file string) (stem, lang, split string) {
	stem = strings.TrimSuffix(file, path.Ext(file))
	rest, last := stem, stem
	if i := strings.LastIndexByte(stem, '.'); i >= 0 {
		rest, last = stem[:i], stem[i+1:]
	}
	split = splitNames[strings.ToLower(last)]
	if split == "" || rest == last {
		return stem, "", split
	}
	if i := strings.LastIndexByte(rest, '.'); i >= 0 {
		rest = rest[i+1:]
	}
	if primary, _, _ := strings.Cut(rest, "-"); len(primary) == 2 || len(primary) == 3 {
		lang = rest
	}
	return stem, lang, split
}

// add checks and completes a document and appends it.
func (r *lineReader) add(d *LineDoc, line int) error {
	if len(d.Lines) == 0 {
		return r.failed(line, "document %s has no lines: take it out", d.ID)
	}
	if at, ok := r.seen[d.ID]; ok {
		return r.failed(line, "document %s: duplicate id (first at %s): give each document a unique id", d.ID, at)
	}
	r.seen[d.ID] = fmt.Sprintf("%s:%d", r.place, line)
	_, lang, split := named(r.file)
	d.Lang = cmp.Or(d.Lang, lang)
	if d.Split == "" {
		d.Split = split
	} else if s, ok := splitNames[strings.ToLower(d.Split)]; ok {
		d.Split = s
	} else {
		return r.failed(line, "document %s is of the part %q: write train, dev, test, or nothing", d.ID, d.Split)
	}
	r.docs = append(r.docs, d)
	return nil
}

// ParseLineLabel parses a label: true = text. It accepts 1, text, t, good, true and 0, boilerplate,
// b, bad, false, ignoring case.
func ParseLineLabel(s string) (text, ok bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "1", "1.0", "text", "t", "good", "true":
		return true, true
	case "0", "0.0", "boilerplate", "b", "bad", "false":
		return false, true
	}
	return false, false
}

const wantLabel = "wanted 1 or text, 0 or boilerplate"

// jsonl reads a file with one document per line.
func (r *lineReader) jsonl(b []byte) error {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	n := 0
	for raw := range bytes.Lines(b) {
		n++
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		if !utf8.Valid(raw) {
			return r.failed(n, "not UTF-8: save the file in that encoding")
		}
		var in struct {
			ID                    any
			Lang, Split, Register string
			Text                  []string
			Lines                 []string
			Labels                []any
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(&in); err != nil {
			return r.failed(n, `%v: wanted one object per line: {"id": "a", "text": ["line", "line"], "labels": [1, 0]}`, err)
		}
		d := &LineDoc{Lang: in.Lang, Split: in.Split, Register: in.Register, Lines: in.Text}
		if in.Text == nil {
			d.Lines = in.Lines
		}
		switch id := in.ID.(type) {
		case nil:
		case string:
			d.ID = strings.TrimSpace(id)
		case json.Number:
			d.ID = id.String()
		default:
			return r.failed(n, "the id is neither text nor a number")
		}
		if d.ID == "" {
			stem, _, _ := named(r.file)
			d.ID = fmt.Sprintf("%s#%d", stem, n)
		}
		if len(in.Labels) != len(d.Lines) {
			return r.failed(n, `document %s: %d lines in "text", %d in "labels": one label per line`, d.ID, len(d.Lines), len(in.Labels))
		}
		for i, l := range in.Labels {
			text, ok := ParseLineLabel(fmt.Sprint(l))
			if _, list := l.([]any); list || !ok {
				return r.failed(n, "document %s: label %d is %.40q: %s", d.ID, i+1, fmt.Sprint(l), wantLabel)
			}
			d.Labels = append(d.Labels, text)
		}
		if err := r.add(d, n); err != nil {
			return err
		}
	}
	return nil
}

// lineColumns holds the column numbers of a table of lines.
type lineColumns struct {
	document, label, line, lang, split, register int
	n                                            int
	header                                       bool
}

// columnNames maps the columns to their names in headers.
var columnNames = map[string][]string{
	"document": {"document", "doc", "id"},
	"label":    {"label"},
	"line":     {"line", "text"},
	"lang":     {"lang", "language"},
	"split":    {"split", "part"},
	"register": {"register"},
}

// header returns the columns in the first line of a table. ok is false if it is not a header.
func header(first string) (c lineColumns, ok bool) {
	names := strings.Split(strings.ToLower(first), "\t")
	find := func(column string) int {
		return slices.IndexFunc(names, func(s string) bool {
			return slices.Contains(columnNames[column], unquote(strings.TrimSpace(s)))
		})
	}
	c = lineColumns{find("document"), find("label"), find("line"), find("lang"), find("split"), find("register"), len(names), true}
	if c.document < 0 || c.label < 0 || c.line < 0 {
		return lineColumns{0, 1, 2, -1, -1, -1, 3, false}, false
	}
	return c, true
}

// unquote removes the quotes of a spreadsheet field. A field that is not completely quoted is
// unchanged.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || quotedEnd(s) != len(s) {
		return s
	}
	return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
}

// fields splits a row at the tabs outside of quotes. Without a header there is no quoting, and the
// last field is the rest of the row.
func (c lineColumns) fields(row string) []string {
	if !c.header {
		return strings.SplitN(row, "\t", c.n)
	}
	var out []string
	for {
		end := strings.IndexByte(row, '\t')
		if q := quotedEnd(row); q == len(row) {
			end = -1
		} else if q > 0 {
			end = q
		}
		if end < 0 {
			return append(out, unquote(row))
		}
		out = append(out, unquote(row[:end]))
		row = row[end+1:]
	}
}

// quotedEnd returns the end of the quoted field at the start of row, after its closing quote, or 0
// if there is none. A quote that cannot end a field is part of the text.
func quotedEnd(row string) int {
	if !strings.HasPrefix(row, `"`) {
		return 0
	}
	for i := 1; i < len(row); i++ {
		if row[i] != '"' {
			continue
		}
		if i+1 == len(row) || row[i+1] == '\t' {
			return i + 1
		}
		if row[i+1] != '"' {
			return 0
		}
		i++
	}
	return 0
}

// tsv reads a file with one line per row. The columns are those of the header, or document, label,
// line without a header.
func (r *lineReader) tsv(b []byte) error {
	stem, _, _ := named(r.file)
	var (
		c     lineColumns
		d     *LineDoc
		name  string
		began int
		ended = map[string]int{}
	)
	n := 0
	finish := func() error {
		if d == nil {
			return nil
		}
		ended[name] = n - 1
		return r.add(d, began)
	}
	for raw := range bytes.Lines(bytes.TrimPrefix(b, []byte("\ufeff"))) {
		n++
		if !utf8.Valid(raw) {
			return r.failed(n, "not UTF-8: save the file in that encoding (in a spreadsheet: text, tab-delimited, Unicode UTF-8)")
		}
		row := strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")
		if n == 1 {
			var ok bool
			if c, ok = header(row); ok {
				continue
			}
		}
		if strings.Trim(row, "\t ") == "" {
			continue
		}
		f := c.fields(row)
		if len(f) != c.n {
			return r.failed(n, "%s, wanted %d: a tab between document, label and line, and none in the line%s", columns(len(f)), c.n, map[bool]string{true: " unless it is in quotes"}[c.header])
		}
		id := strings.TrimSpace(f[c.document])
		if id == "" {
			return r.failed(n, "no document in the first column: each row names its document")
		}
		if d == nil || id != name {
			if err := finish(); err != nil {
				return err
			}
			if at, ok := ended[id]; ok {
				return r.failed(n, "document %s again, whose lines ended at line %d: keep the lines of a document together, in their order", id, at)
			}
			d, name, began = &LineDoc{ID: id}, id, n
			if !c.header {
				d.ID = stem + "." + id
			}
			for _, opt := range []struct {
				to *string
				at int
			}{{&d.Lang, c.lang}, {&d.Split, c.split}, {&d.Register, c.register}} {
				if opt.at >= 0 {
					*opt.to = strings.TrimSpace(f[opt.at])
				}
			}
		}
		text, ok := ParseLineLabel(f[c.label])
		if !ok {
			return r.failed(n, "label %.40q: %s%s", f[c.label], wantLabel, map[bool]string{true: "; a header, if this is one, names the columns document, label and line"}[n == 1])
		}
		d.Lines = append(d.Lines, f[c.line])
		d.Labels = append(d.Labels, text)
	}
	return finish()
}

func columns(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

// HoldsLineLabels reports whether the named file begins like a file of labelled lines: a table with
// its header, or JSON lines with the field "labels". It is false for files that cannot be read.
func HoldsLineLabels(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	if ext != ".tsv" && ext != ".jsonl" {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 1<<20)).ReadString('\n')
	if ext == ".tsv" {
		return strings.HasPrefix(line, "document\t") && strings.Contains(line, "\tlabel\t")
	}
	return strings.Contains(line, `"labels":`)
}
