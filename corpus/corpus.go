// Package corpus builds and queries corpus indexes. [Build] writes an index from a
// vertical, and [Open] opens it for queries in the corpus query language. The
// package also provides concordances, word lists, collocations, keywords, and
// comparisons of a corpus before and after cleaning (docs/guides/corpus-statistics.md).
//
// An index (docs/reference/formats/corpus-index.md) has three parts for each attribute of
// tokens and of structures. They are a sorted lexicon, the numbers of the values in
// corpus order, and a list of places for each value. Queries are evaluated starting
// from the rarest of these lists; see [Query] and docs/guides/corpus.md.
//
// Unstable: this package may change in any release.
package corpus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/bitpack"
	"chaffinch/internal/mapfile"
	"chaffinch/model"
)

// verifyBytes is the maximum size of an index that Open verifies in full against its
// checksum.
const verifyBytes = 256 << 20

// Corpus is an open index. It is safe for concurrent use.
type Corpus struct {
	dir     string
	opened  fs.FileInfo // the index file when it was opened
	file    *model.File
	size    int64
	attrs   []*Attr
	structs []*Struct
	doc     *Struct // structure that bounds matches; nil if there is none
	space   *Struct // white space before tokens; nil if only single spaces occur
	glue    bitpack.Array
	sub     *subcorpus // the selected part; nil means the whole corpus

	attached *attached
}

// Open opens the index in the folder dir. The file is mapped into memory. Files up
// to 256 MiB are verified against their checksum; for larger files, call Verify.
func Open(dir string) (*Corpus, error) {
	path := filepath.Join(dir, fileName)
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return nil, fmt.Errorf("corpus %s: a file, wanted the folder of an index: make one with chaffinch corpus index %s -o FOLDER", dir, dir)
	}
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("corpus %s: no such folder: make an index with chaffinch corpus index", dir)
		}
		return nil, fmt.Errorf("corpus %s: no %s in this folder: make an index with chaffinch corpus index", dir, fileName)
	}
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", dir, err)
	}
	open := model.OpenUnverified
	if st.Size() <= verifyBytes {
		open = model.Open
	}
	f, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", dir, err)
	}
	c, err := readIndex(dir, f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("corpus %s: %w", dir, err), f.Close())
	}
	c.opened = st
	return c, nil
}

// Changed reports whether the folder now holds an index other than the opened one.
func (c *Corpus) Changed() bool {
	st, err := os.Stat(filepath.Join(c.dir, fileName))
	return err == nil && (!os.SameFile(st, c.opened) || !st.ModTime().Equal(c.opened.ModTime()) || st.Size() != c.opened.Size())
}

// readIndex parses the sections of an index file.
func readIndex(dir string, f *model.File) (*Corpus, error) {
	if f.Kind != kind {
		return nil, fmt.Errorf("%s holds a %q, wanted a %q: is it an index?", fileName, f.Kind, kind)
	}
	if f.Behaviour != behaviour {
		return nil, fmt.Errorf("index of version %d, written by %s; this program reads version %d: make the index again with this program, or use the one that wrote it", f.Behaviour, cmp.Or(f.Tool, "another program"), behaviour)
	}
	var m meta
	if err := json.Unmarshal(f.Config, &m); err != nil {
		return nil, fmt.Errorf("header: %w: the file is damaged, make the index again", err)
	}
	c := &Corpus{dir: dir, file: f, size: m.Tokens, attached: new(attached)}
	if m.Tokens < 0 || m.Tokens > maxTokens || len(m.Attrs) == 0 {
		return nil, fmt.Errorf("header: %d tokens with %d attributes: the file is damaged, make the index again", m.Tokens, len(m.Attrs))
	}
	p := &parser{file: f}
	for _, a := range m.Attrs {
		at := p.attr("attr/"+a.Name, a.Name, c.size, a.From, c.attrs)
		c.attrs = append(c.attrs, at)
	}
	for _, s := range m.Structs {
		c.structs = append(c.structs, p.structure(s, c.size))
	}
	c.glue = p.array("glue", c.size)
	if p.err != nil {
		return nil, fmt.Errorf("%w: the file is damaged, make the index again", p.err)
	}
	c.doc, _ = c.Struct(m.Document)
	c.space, _ = c.Struct(spaceStruct)
	return c, nil
}

// parser reads sections and keeps the first error.
type parser struct {
	file *model.File
	err  error
}

func (p *parser) fail(format string, a ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, a...)
	}
}

func (p *parser) section(name string) []byte {
	b, ok := p.file.Section(name)
	if !ok {
		p.fail("section %s is missing", name)
	}
	return b
}

// array reads a packed array; n is its length, or -1.
func (p *parser) array(name string, n int64) bitpack.Array {
	a, err := bitpack.Parse(p.section(name))
	if err != nil {
		p.fail("section %s: %w", name, err)
		return bitpack.Array{}
	}
	if n >= 0 && int64(a.Len()) != n {
		p.fail("section %s has %d entries, wanted %d", name, a.Len(), n)
	}
	return a
}

// Close unmaps the index. Values obtained from it, except strings, must not be used
// afterwards.
func (c *Corpus) Close() error {
	return errors.Join(c.attached.each(Attachment.Close), c.file.Close())
}

// Release removes the index from the process's memory. All operations, including
// concurrent ones, still work: pages are mapped again when they are read.
func (c *Corpus) Release() error {
	return errors.Join(c.attached.each(Attachment.Release), c.file.Release())
}

// passed is the number of tokens after which a search releases their memory. large is
// the minimum size of a corpus whose searches release memory. So one search does not
// hold the whole index in memory.
const (
	passed = 1 << 20
	large  = 32 << 20
)

// leave releases the memory held for tokens first to end-1.
func (c *Corpus) leave(first, end int64) {
	if c.size < large {
		return
	}
	for _, a := range c.attrs {
		if a.from == nil {
			_ = mapfile.Release(a.ids.Bytes(int(first), int(end))) // an error only means that the memory is not released
		}
	}
}

// Verify reads the whole index and compares it with its checksum.
func (c *Corpus) Verify() error {
	if err := c.file.Verify(); err != nil {
		return fmt.Errorf("corpus %s: %w", c.dir, err)
	}
	return nil
}

// Size returns the number of tokens in the corpus or in its part (see Where).
func (c *Corpus) Size() int64 {
	if c.sub != nil {
		return c.sub.size
	}
	return c.size
}

// Dir returns the folder of the index.
func (c *Corpus) Dir() string { return c.dir }

// Document returns the name of the structure of documents, or "" if the corpus has none.
func (c *Corpus) Document() string {
	if c.doc == nil {
		return ""
	}
	return c.doc.name
}

// Bytes returns the size of the index on disk.
func (c *Corpus) Bytes() int64 { return c.file.Size() }

// Header returns the metadata of the index file, such as the tool that built it.
func (c *Corpus) Header() model.Header { return c.file.Header }

// Checksum returns the checksum of the index file.
func (c *Corpus) Checksum() uint32 { return c.file.Checksum() }

// Attrs returns the names of the attributes of tokens: the columns in the order
// of the vertical, then derived attributes. The first one is the default.
func (c *Corpus) Attrs() []string {
	names := make([]string, len(c.attrs))
	for i, a := range c.attrs {
		names[i] = a.name
	}
	return names
}

// Attr returns an attribute of tokens. "" means the default attribute.
func (c *Corpus) Attr(name string) (*Attr, error) {
	if name == "" {
		return c.attrs[0], nil
	}
	for _, a := range c.attrs {
		if a.name == name {
			return a, nil
		}
	}
	return nil, fmt.Errorf("corpus %s: no attribute %q: it has %s", c.dir, name, strings.Join(c.Attrs(), ", "))
}

// Folded returns the attribute that holds the default attribute in lower case. It
// returns the default attribute if there is none.
func (c *Corpus) Folded() *Attr {
	for _, a := range c.attrs {
		if a.from == c.attrs[0] {
			return a
		}
	}
	return c.attrs[0]
}

// Structs returns the names of the structures, sorted.
func (c *Corpus) Structs() []string {
	names := make([]string, len(c.structs))
	for i, s := range c.structs {
		names[i] = s.name
	}
	return names
}

// Struct returns the structures of one name.
func (c *Corpus) Struct(name string) (*Struct, error) {
	i := slices.IndexFunc(c.structs, func(s *Struct) bool { return s.name == name })
	if i < 0 {
		return nil, fmt.Errorf("corpus %s: no structure %q: it has %s", c.dir, name, cmp.Or(strings.Join(c.Structs(), ", "), "none"))
	}
	return c.structs[i], nil
}
