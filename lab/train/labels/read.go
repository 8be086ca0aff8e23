package labels

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/archive"
	"chaffinch/internal/packed"
	"chaffinch/text/charset"
)

// Data holds the documents of [Read].
type Data struct {
	// Docs are the labelled documents. Unlabelled are records without the key "labels" or "label".
	Docs, Unlabelled []Doc
}

// ReadConfig configures [Read].
type ReadConfig struct {
	// Clean returns the text of an HTML page.
	Clean func(html []byte) (string, error)
	// Lang is the language of documents without one, "" if unknown.
	Lang string
}

// exported is the file of labels that the annotation interface keeps in the folder of a set.
const exported = "labels.jsonl"

// Read reads documents from files, folders and archives, compressed or not:
//
//   - JSON lines with text and labels (a list) or label (a string), and optionally id, url, lang and
//     group. An empty list of labels means none of the classes.
//   - TSV with a header that names columns text and labels or label, and optionally id, url, lang
//     and group; or without a header, a label and a text. Several labels are separated by spaces or
//     commas. \t, \n and \\ are a tab, a line end and a backslash.
//   - a folder or archive of class folders, CLASS/NAME.txt or CLASS/NAME.html. CLASS/SUB/NAME.txt
//     is of the subclass CLASS/SUB.
//   - the folder of a set that was annotated in the browser.
func Read(inputs []string, cfg ReadConfig) (*Data, error) {
	r := &reader{cfg: cfg, data: &Data{}}
	for _, in := range inputs {
		if err := r.input(in); err != nil {
			return nil, err
		}
	}
	if len(r.data.Docs) == 0 {
		return nil, fmt.Errorf("%s: no labelled documents: wanted JSON lines with text and labels, TSV with a label and a text, or folders CLASS/NAME.txt", strings.Join(inputs, ", "))
	}
	return r.data, nil
}

type reader struct {
	cfg  ReadConfig
	data *Data
}

// input reads an input.
func (r *reader) input(name string) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	if st.IsDir() {
		if labels := filepath.Join(name, exported); isFile(labels) {
			name = labels
		} else {
			return r.folder(name)
		}
	} else if isArchive, err := isArchive(name); err != nil {
		return err
	} else if isArchive {
		return r.folder(name)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.table(name, f)
}

func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// isArchive reports whether a file is a tar or zip archive, compressed or not.
func isArchive(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	in, err := packed.NewReader(f, packed.Trusted)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	defer in.Close()
	const block = 512 // of tar
	head := make([]byte, block)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return archive.IsTar(head[:n]) || archive.IsZip(head[:n]), nil
}

// forms of files, by the ending of their name.
const (
	formJSON = ".jsonl"
	formTSV  = ".tsv"
	formText = ".txt"
	formHTML = ".html"
)

// formOf returns the form of a file, "" for other files.
func formOf(name string) string {
	_, name = packed.CutSuffix(name)
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case formJSON, ".ndjson":
		return formJSON
	case formTSV, formText, formHTML:
		return ext
	case ".htm", ".xhtml":
		return formHTML
	}
	return ""
}

// folder reads the files of a folder or an archive.
func (r *reader) folder(name string) error {
	type file struct {
		path, dir string
		doc       Doc
	}
	var list []file
	tables := false
	err := archive.Walk(name, func(p string, in io.Reader) error {
		at := name + ": " + p
		switch form := formOf(p); form {
		case formJSON, formTSV:
			tables = true
			return r.table(at, in)
		case formText, formHTML:
			text, err := r.file(in, form)
			if err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			list = append(list, file{p, path.Dir(p), Doc{ID: p, Text: text, Lang: r.cfg.Lang}})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		if !tables {
			return fmt.Errorf("%s: no files .jsonl, .tsv, .txt or .html: wanted folders CLASS/NAME.txt, or tables of documents", name)
		}
		return nil
	}
	// The folders that all files share are no classes.
	common := list[0].dir
	for _, f := range list {
		for common != "." && f.dir != common && !strings.HasPrefix(f.dir, common+"/") {
			common = path.Dir(common)
		}
	}
	for _, f := range list {
		class := classOf(f.dir, common)
		if class == "" {
			// All files are in one folder, which is the class.
			if other := slices.IndexFunc(list, func(g file) bool { return g.dir != f.dir }); other >= 0 {
				return fmt.Errorf("%s: %s is in no class folder, but %s is: move it to one", name, f.path, list[other].path)
			}
			class = strings.ReplaceAll(archive.Stem(filepath.Base(filepath.Clean(name))), " ", "_")
		}
		f.doc.Labels = []string{class}
		r.data.Docs = append(r.data.Docs, f.doc)
	}
	return nil
}

// classOf returns the class of a file in a folder, "" for files in no class folder. common is the
// folder that all files share, "." for none.
func classOf(dir, common string) string {
	if common != "." {
		dir = strings.TrimPrefix(strings.TrimPrefix(dir, common), "/")
	}
	if dir == "." {
		return ""
	}
	return strings.ReplaceAll(dir, " ", "_")
}

// file reads a text or a page.
func (r *reader) file(in io.Reader, form string) (string, error) {
	open, err := packed.NewReader(in, packed.Trusted)
	if err != nil {
		return "", err
	}
	defer open.Close()
	b, err := archive.ReadAll(open)
	if err != nil {
		return "", err
	}
	if form == formHTML {
		return r.cfg.Clean(b)
	}
	if utf8.Valid(b) {
		return string(b), nil
	}
	return charset.Decode(b, "").Text, nil
}

// maxLine is the maximum length of a record in bytes.
const maxLine = 64 << 20

// table reads JSON lines or TSV.
func (r *reader) table(name string, in io.Reader) error {
	open, err := packed.NewReader(in, packed.Trusted)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer open.Close()
	lines := bufio.NewScanner(open)
	lines.Buffer(nil, maxLine)
	var t *columns
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimRight(lines.Bytes(), "\r")
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var d Doc
		labelled := true
		switch {
		case !utf8.Valid(line):
			err = errors.New("not UTF-8: wanted JSON lines or TSV in UTF-8")
		case t == nil && line[0] == '{':
			d, labelled, err = parseJSON(line)
		case t == nil:
			var header bool
			if t, header, err = newColumns(string(line)); header {
				continue
			}
			fallthrough
		default:
			if err == nil {
				d, labelled, err = t.parse(string(line))
			}
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		d.ID, d.Lang = cmp.Or(d.ID, fmt.Sprintf("%s:%d", filepath.Base(name), n)), cmp.Or(d.Lang, r.cfg.Lang)
		if labelled {
			r.data.Docs = append(r.data.Docs, d)
		} else {
			r.data.Unlabelled = append(r.data.Unlabelled, d)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// parseJSON parses a record and reports whether it has labels.
func parseJSON(line []byte) (d Doc, labelled bool, err error) {
	var v struct {
		ID                     json.RawMessage
		URL, Lang, Group, Text *string
		Labels                 *[]string
		Label                  *string
	}
	if err := json.Unmarshal(line, &v); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			return d, false, fmt.Errorf("field %q is a %s: wanted strings, and for labels a list of strings", strings.ToLower(wrong.Field), wrong.Value)
		}
		return d, false, fmt.Errorf("no JSON object: %w", err)
	}
	if v.Text == nil {
		return d, false, errors.New(`no field "text": wanted {"text": "...", "labels": ["..."]}`)
	}
	d.Text = *v.Text
	if err := json.Unmarshal(v.ID, &d.ID); err != nil {
		d.ID = string(v.ID) // a number
	}
	for to, from := range map[*string]*string{&d.URL: v.URL, &d.Lang: v.Lang, &d.Group: v.Group} {
		if from != nil {
			*to = *from
		}
	}
	switch {
	case v.Labels != nil && v.Label != nil:
		return d, false, errors.New(`fields "labels" and "label": wanted one of them`)
	case v.Labels != nil:
		d.Labels = *v.Labels
	case v.Label != nil && *v.Label != "":
		d.Labels = []string{*v.Label}
	case v.Label == nil:
		return d, false, nil
	}
	return d, true, checkLabels(d.Labels)
}

// checkLabels returns an error for names that cannot be classes.
func checkLabels(labels []string) error {
	for _, l := range labels {
		name := strings.TrimPrefix(l, unknown)
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' }) || slices.Contains(strings.Split(name, separator), "") {
			return fmt.Errorf("label %q: wanted a name without spaces, such as news or news/sport", l)
		}
	}
	return nil
}

// columns holds the positions of the columns of a table, -1 for missing ones.
type columns struct {
	count                              int
	id, url, lang, group, labels, text int
}

// newColumns returns the columns of a table with the given first line, and reports whether the line
// is a header.
func newColumns(line string) (t *columns, header bool, err error) {
	names := strings.Split(line, "\t")
	at := func(name string) int {
		return slices.IndexFunc(names, func(s string) bool { return strings.EqualFold(s, name) })
	}
	t = &columns{len(names), at("id"), at("url"), at("lang"), at("group"), max(at("labels"), at("label")), at("text")}
	switch {
	case t.text >= 0:
		return t, true, nil
	case len(names) == 2:
		return &columns{2, -1, -1, -1, -1, 0, 1}, false, nil
	}
	return nil, false, fmt.Errorf("%d columns: wanted a label and a text separated by a tab, or a header with the columns labels and text", len(names))
}

// unescape expands the escapes of a value.
var unescape = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")

// parse parses a row and reports whether the table has labels.
func (t *columns) parse(line string) (d Doc, labelled bool, err error) {
	cells := strings.Split(line, "\t")
	if len(cells) != t.count {
		return d, false, fmt.Errorf("%d columns, wanted %d: write a tab in a text as \\t", len(cells), t.count)
	}
	cell := func(at int) string {
		if at < 0 {
			return ""
		}
		return unescape.Replace(cells[at])
	}
	d = Doc{ID: cell(t.id), URL: cell(t.url), Lang: cell(t.lang), Group: cell(t.group), Text: cell(t.text)}
	d.Labels = strings.FieldsFunc(cell(t.labels), func(r rune) bool { return r == ' ' || r == ',' })
	return d, t.labels >= 0, checkLabels(d.Labels)
}
