package plagiarism

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/format/sniff"
	"chaffinch/input/records"
	"chaffinch/internal/jsonscan"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// Document is a text with its id.
type Document struct {
	// ID is the id of a JSON line or of a <doc>. For a plain text it is the file name
	// without folders, as in the XML files of PAN. If an earlier file has that name,
	// it is the path below the named folder. If that is also taken, it is the path
	// including the named folder.
	ID string
	// Text is the text to which offsets refer: the unchanged file, the field of a
	// JSON line, or the tokens of a vertical joined with single spaces.
	Text string
	// File is the name of the file, for messages.
	File string
}

// headBytes is the number of bytes read to detect whether a file is text.
const headBytes = 4096

// ReadConfig configures how documents are read.
type ReadConfig struct {
	// Collection configures the reading of JSONL and verticals.
	Collection records.Config
	// OnError is called for input that cannot be read, and for empty files
	// ([page.ErrEmpty]), which contain no document. Reading then continues.
	OnError func(*page.Error)
}

// Documents yields the documents of files and folders, in the order of the paths and
// of the names in folders. Files that end in .txt (also compressed) are one document
// each, and so are all files if the format is text. Other files are read as
// collections. In folders, .xml files and hidden files are skipped. A path that does
// not exist is an error and ends the sequence. Read errors in a file are reported to
// OnError.
func Documents(paths []string, cfg ReadConfig) iter.Seq2[Document, error] {
	if cfg.OnError == nil {
		cfg.OnError = func(*page.Error) {}
	}
	return func(yield func(Document, error) bool) {
		ids := fileIDs{ids: map[uint64]bool{}, files: map[uint64]bool{}}
		for _, p := range paths {
			files, err := listFiles(p)
			if err != nil {
				yield(Document{}, err)
				return
			}
			for _, f := range files {
				if !cfg.file(f, func() string { return ids.of(p, f) }, yield) {
					return
				}
			}
		}
	}
}

// listFiles returns the files of a path.
func listFiles(path string) ([]string, error) {
	st, err := os.Stat(path)
	if path == "-" || err == nil && !st.IsDir() {
		return []string{path}, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		hidden := p != path && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return filepath.SkipDir
		case d.IsDir() || hidden || filepath.Ext(p) == ".xml" || filepath.Ext(p) == ".md":
			return nil
		}
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() {
			out = append(out, p)
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}

// fileIDs assigns ids to files that are one document each.
type fileIDs struct {
	ids, files map[uint64]bool // hashes of used ids, and of full paths
}

// of returns the id of a file below the path root, which may be the file itself. A file
// that was already read gets a used id.
func (n *fileIDs) of(root, file string) string {
	base := filepath.Base(file)
	path := absolute(file)
	if k := idKey(path); n.files[k] {
		return base
	} else {
		n.files[k] = true
	}
	below, err := filepath.Rel(absolute(root), path)
	if err != nil || below == "." {
		below, root = base, filepath.Dir(path)
	}
	below = filepath.ToSlash(below)
	for _, id := range []string{base, below, filepath.Base(absolute(root)) + "/" + below} {
		if k := idKey(id); !n.ids[k] {
			n.ids[k] = true
			return id
		}
	}
	return base
}

// absolute returns the absolute path, or path unchanged if it cannot be determined.
func absolute(path string) string {
	if a, err := filepath.Abs(path); err == nil {
		return a
	}
	return path
}

// file yields the documents of a file and reports whether to continue. id returns the
// id of a file that is one document.
func (c *ReadConfig) file(name string, id func() string, yield func(Document, error) bool) bool {
	if c.Collection.Format == records.Text && c.Collection.Split == "" || c.Collection.Format == "" && isText(name) {
		text, err := readText(name, c.Collection.Stdin, cmp.Or(max(c.Collection.MaxBytes, 0), records.Default.MaxBytes))
		if err == nil && c.Collection.Format == "" && strings.IndexByte(text[:min(len(text), headBytes)], 0) >= 0 {
			err = fmt.Errorf("%s: no text in UTF-8: it holds NUL bytes: convert it (UTF-16?) or take it out of the inputs; the format text reads it unchanged", name)
		}
		if err == nil && c.Collection.Format == "" && sniff.Text.IsLegacy([]byte(text[:min(len(text), sniff.Bytes)])) {
			err = fmt.Errorf("%s: %w; the format text reads it unchanged", name, &sniff.Error{Form: sniff.Legacy, Want: "text in UTF-8"})
		}
		if err == nil && text == "" {
			err = &page.Error{File: name, Offset: -1, Err: page.ErrEmpty}
		}
		if err != nil {
			c.OnError(page.AsError(err))
			return true
		}
		return yield(Document{id(), text, name}, nil)
	}
	cfg := c.Collection
	if cfg.Split == "" {
		cfg.Split = records.SplitFile
	}
	cfg.OnError = c.OnError
	r, err := records.Open([]string{name}, cfg)
	if err != nil {
		c.OnError(page.AsError(err))
		return true
	}
	defer r.Close()
	field := cfg.TextField
	if field == "" {
		field = records.Default.TextField
	}
	for {
		d, err := r.Next()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			c.OnError(page.AsError(err))
			return true
		}
		doc := Document{d.ID, textOf(d, field), fmt.Sprintf("%s, document %d", name, d.Num+1)}
		if d.Format() == records.Text && cfg.Split == records.SplitFile {
			doc.ID = id()
		}
		r.Release(d)
		if !yield(doc, nil) {
			return false
		}
	}
}

// isText reports whether name is the name of a plain text file, possibly compressed.
func isText(name string) bool {
	_, base := packed.CutSuffix(name)
	return filepath.Ext(base) == ".txt"
}

// readText reads a whole file of at most most bytes.
func readText(name, stdin string, most int) (string, error) {
	path := name
	if path == "-" {
		path = stdin
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r, err := packed.NewReader(f, packed.Default)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	var b strings.Builder
	if st, err := f.Stat(); err == nil {
		b.Grow(int(min(st.Size(), int64(most))))
	}
	if _, err := io.Copy(&b, io.LimitReader(r, int64(most)+1)); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if b.Len() > most {
		return "", fmt.Errorf("%s: a document of more than %d bytes: left out: cut it into several files, or %w", name, most, records.ErrTooLong)
	}
	return b.String(), nil
}

// textOf returns the text of a document of a collection.
func textOf(d *records.Doc, field string) string {
	switch d.Format() {
	case records.Text:
		return string(d.Raw)
	case records.JSONL:
		if s, ok := textField(d.Raw, field); ok {
			return s
		}
		var o map[string]json.RawMessage
		var s string
		if json.Unmarshal(d.Raw, &o) == nil && json.Unmarshal(o[field], &s) == nil {
			return s
		}
	}
	var b strings.Builder
	for i, p := range d.Paras {
		if i > 0 {
			b.WriteString("\n")
		}
		if d.Tokenized {
			b.WriteString(strings.ReplaceAll(strings.TrimRight(string(p.Text), "\n"), "\n", " "))
		} else {
			b.Write(p.Text)
		}
	}
	return b.String()
}

// textField returns a field of a JSON object as encoding/json decodes it into a map. ok is false if
// that is uncertain: the object is unusual, damaged, or has no such string.
func textField(raw []byte, field string) (text string, ok bool) {
	s := jsonscan.Scanner{B: raw}
	var value []byte
	err := s.Object(func(key []byte) error {
		if !jsonscan.IsPlain(key) {
			return errUnusual
		}
		v, err := s.Value()
		switch {
		case err != nil:
			return err
		case string(key) == field && value != nil:
			return errUnusual
		case string(key) == field:
			value = v
		case !isPlainString(v) && !json.Valid(v):
			return errUnusual
		}
		return nil
	})
	s.Space()
	if err != nil || s.I < len(raw) || len(value) < 2 || value[0] != '"' {
		return "", false
	}
	return jsonscan.Text(value[1 : len(value)-1])
}

var errUnusual = errors.New("unusual JSON")

// isPlainString reports whether a value is a string without escapes.
func isPlainString(v []byte) bool {
	return len(v) >= 2 && v[0] == '"' && jsonscan.IsPlain(v[1:len(v)-1])
}
