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

	"chaffinch/input/records"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// Document is a text with its id.
type Document struct {
	// ID is that of a JSON line or of a <doc>; of a plain text the name of its
	// file without folders, as the XML files of PAN have it. If an earlier file
	// has that name it is the path below the folder that was named, and if that is
	// taken, too, the path with that folder before it.
	ID string
	// Text is what places count in: the file as it stands, the field of a JSON
	// line, the tokens of a vertical with single spaces.
	Text string
	// File is where it stands, for messages.
	File string
}

// headBytes is how much of a file is looked at to tell whether it is a text.
const headBytes = 4096

// ReadConfig says how documents are read.
type ReadConfig struct {
	// Collection holds the settings for JSONL and verticals.
	Collection records.Config
	// OnError is told of what cannot be read, and of empty files
	// ([page.ErrEmpty]), which hold no document; reading goes on.
	OnError func(*page.Error)
}

// Documents returns the documents of files and folders, one at a time, in the
// order of the paths and of the names in folders. Files that end in .txt (also
// packed), and all where the format is given as text, are one document each;
// what else there is is read as a collection. Of folders, .xml files and hidden
// ones are left out. A path that does not exist is an error, which ends the
// sequence; what cannot be read in a file is told to OnError.
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

// listFiles lists a path.
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

// fileIDs gives files that are one document each their ids.
type fileIDs struct {
	ids, files map[uint64]bool // hashes of those that are taken, and of whole paths
}

// of returns the id of a file below the path root, which may be the file. One
// that was there before gets an id that is taken.
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

// absolute returns the whole path; as it is if that cannot be known.
func absolute(path string) string {
	if a, err := filepath.Abs(path); err == nil {
		return a
	}
	return path
}

// file yields the documents of a file, of which id is the id if it is one
// document, and tells whether to go on.
func (c *ReadConfig) file(name string, id func() string, yield func(Document, error) bool) bool {
	if c.Collection.Format == records.Text && c.Collection.Split == "" || c.Collection.Format == "" && isText(name) {
		text, err := readText(name, c.Collection.Stdin, cmp.Or(max(c.Collection.MaxBytes, 0), records.Default.MaxBytes))
		if err == nil && c.Collection.Format == "" && strings.IndexByte(text[:min(len(text), headBytes)], 0) >= 0 {
			err = fmt.Errorf("%s: no text in UTF-8: it holds NUL bytes: convert it (UTF-16?) or take it out of the inputs; text as format takes it as it is", name)
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

// isText tells whether the name is that of a plain text, also packed.
func isText(name string) bool {
	_, base := packed.CutSuffix(name)
	return filepath.Ext(base) == ".txt"
}

// readText reads a whole file of at most so many bytes.
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
