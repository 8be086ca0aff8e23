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
	"sort"
	"strings"
	"sync"

	"chaffinch/internal/bitpack"
	"chaffinch/model"
)

// Kind and version of an alignment file in the container of package model. Its name is
// alignedPrefix, the name of the other corpus and alignedSuffix.
const (
	alignedKind      = "corpus.alignment"
	alignedBehaviour = 1
	alignedPrefix    = "aligned-"
	alignedSuffix    = ".chf"
)

// alignedMeta is the metadata in the header of an alignment file.
type alignedMeta struct {
	Index uint32 `json:"index"` // checksum of the index
	Unit  string `json:"unit"`  // structure of the segments
	Beads int    `json:"beads"`
	Other struct {
		Dir   string `json:"dir"` // relative to the folder of the index
		Index uint32 `json:"index"`
		Unit  string `json:"unit"`
	} `json:"other"`
}

// ErrNotAligned reports that a corpus has no alignment with this name.
var ErrNotAligned = errors.New("not aligned")

// Alignment holds the beads between the segments of a corpus and of another one, the aligned corpus.
// A bead is a range of segments and their translation; a segment is in at most one bead. An Alignment
// is safe for concurrent use and is closed with the corpus.
type Alignment struct {
	name   string
	path   string
	file   *model.File
	opened fs.FileInfo
	beads  int
	own    side
	other  side
	to     *Corpus

	mu     sync.Mutex
	recent []alignedQuery // oldest first
}

// side is one side of the beads. They are in the order of the side own.
type side struct {
	unit   *Struct
	starts bitpack.Array // first segment of each bead
	ends   bitpack.Array // segment after the last
	order  []uint32      // beads in the order of this side; nil if they are in order
}

// Alignments returns the names of the aligned corpora, sorted.
func (c *Corpus) Alignments() []string {
	names := []string{}
	files, err := os.ReadDir(c.dir)
	if err != nil {
		return names // the corpus is open, but its folder has gone
	}
	for _, f := range files {
		name, ok := strings.CutPrefix(f.Name(), alignedPrefix)
		if name, suffix := strings.CutSuffix(name, alignedSuffix); ok && suffix && isName(name) {
			names = append(names, name)
		}
	}
	return names
}

// Aligned returns the alignment with a name. The error is ErrNotAligned if there is none.
func (c *Corpus) Aligned(name string) (*Alignment, error) {
	if !isName(name) { // a path, for example
		return nil, c.notAligned(name)
	}
	file := alignedPrefix + name + alignedSuffix
	a, err := c.Attach(file, func() (Attachment, error) { return c.openAligned(name, filepath.Join(c.dir, file)) })
	if err != nil {
		return nil, err
	}
	return a.(*Alignment), nil
}

// notAligned returns the error that the corpus has no alignment with a name.
func (c *Corpus) notAligned(name string) error {
	have := "none: align two corpora with chaffinch corpus align"
	if names := c.Alignments(); len(names) > 0 {
		have = strings.Join(names, ", ")
	}
	return fmt.Errorf("corpus %s: %w with %q: it has %s", c.dir, ErrNotAligned, name, have)
}

func (c *Corpus) openAligned(name, path string) (_ *Alignment, err error) {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, c.notAligned(name)
	}
	if err != nil {
		return nil, err
	}
	f, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	a := &Alignment{name: name, path: path, file: f, opened: st}
	if err := a.read(c); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), a.Close())
	}
	return a, nil
}

// read reads the sections and opens the aligned corpus.
func (a *Alignment) read(c *Corpus) error {
	if err := a.file.Want(alignedKind, alignedBehaviour, alignedBehaviour); err != nil {
		return err
	}
	var m alignedMeta
	if err := json.Unmarshal(a.file.Config, &m); err != nil {
		return errors.New("header: the file is damaged: align the corpora again")
	}
	if m.Index != c.Checksum() {
		return errors.New("belongs to another index: align the corpora again")
	}
	dir := filepath.FromSlash(m.Other.Dir)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.dir, dir)
	}
	var err error
	if a.to, err = Open(dir); err != nil {
		return fmt.Errorf("aligned corpus: %w", err)
	}
	if m.Other.Index != a.to.Checksum() {
		return fmt.Errorf("the aligned corpus %s is another index now: align the corpora again", dir)
	}
	a.beads = m.Beads
	return cmp.Or(a.own.read(a.file, "own", c, m.Unit, m.Beads), a.other.read(a.file, "other", a.to, m.Other.Unit, m.Beads))
}

// read reads one side of n beads.
func (s *side) read(f *model.File, name string, c *Corpus, unit string, n int) error {
	var err error
	if s.unit, err = c.Struct(unit); err != nil {
		return err
	}
	for _, x := range []struct {
		part string
		to   *bitpack.Array
	}{{"/starts", &s.starts}, {"/ends", &s.ends}} {
		b, _ := f.Section(name + x.part)
		if *x.to, err = bitpack.Parse(b); err != nil || x.to.Len() != n {
			return fmt.Errorf("section %s%s: the file is damaged: align the corpora again", name, x.part)
		}
	}
	inOrder := true
	for i := range n {
		start, end := s.starts.At(i), s.ends.At(i)
		if start >= end || end > uint64(s.unit.Len()) {
			return fmt.Errorf("section %s: bead %d: the file is damaged: align the corpora again", name, i)
		}
		inOrder = inOrder && (i == 0 || s.starts.At(i-1) < start)
	}
	if !inOrder {
		s.order = make([]uint32, n)
		for i := range s.order {
			s.order[i] = uint32(i)
		}
		slices.SortFunc(s.order, func(a, b uint32) int { return cmp.Compare(s.starts.At(int(a)), s.starts.At(int(b))) })
	}
	return nil
}

// bead returns the bead at place i of the order of this side.
func (s *side) bead(i int) int {
	if s.order == nil {
		return i
	}
	return int(s.order[i])
}

// find returns the bead that holds the token pos.
func (s *side) find(pos int64) (bead int, ok bool) {
	segment, ok := s.unit.Find(pos)
	if !ok {
		return 0, false
	}
	i := sort.Search(s.starts.Len(), func(i int) bool { return s.starts.At(s.bead(i)) > uint64(segment) }) - 1
	if i < 0 {
		return 0, false
	}
	bead = s.bead(i)
	return bead, uint64(segment) < s.ends.At(bead)
}

// span returns the tokens of a bead, end exclusive.
func (s *side) span(bead int) (start, end int64) {
	start, _ = s.unit.Span(int(s.starts.At(bead)))
	_, end = s.unit.Span(int(s.ends.At(bead)) - 1)
	return start, max(start, end)
}

// Name returns the name of the aligned corpus in queries.
func (a *Alignment) Name() string { return a.name }

// Corpus returns the aligned corpus, which is closed with the alignment.
func (a *Alignment) Corpus() *Corpus { return a.to }

// Beads returns the number of beads.
func (a *Alignment) Beads() int { return a.beads }

// Units returns the structures of the segments of the corpus and of the aligned one.
func (a *Alignment) Units() (own, other *Struct) { return a.own.unit, a.other.unit }

// Segments returns the segments of a bead, ends exclusive.
func (a *Alignment) Segments(bead int) (start, end, otherStart, otherEnd int) {
	return int(a.own.starts.At(bead)), int(a.own.ends.At(bead)), int(a.other.starts.At(bead)), int(a.other.ends.At(bead))
}

// Spans returns the tokens of a bead in the corpus and in the aligned one, ends exclusive.
func (a *Alignment) Spans(bead int) (start, end, otherStart, otherEnd int64) {
	start, end = a.own.span(bead)
	otherStart, otherEnd = a.other.span(bead)
	return start, end, otherStart, otherEnd
}

// Text returns the text that is aligned with the tokens from start to end (exclusive).
func (a *Alignment) Text(start, end int64) string {
	first, ok := a.own.find(start)
	last, both := a.own.find(max(start, end-1))
	switch {
	case !ok && !both:
		return ""
	case !ok:
		first = last
	case !both:
		last = first
	}
	var parts []string
	for b := first; b <= last; b++ {
		if t := a.to.shown(a.other.span(b)); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, " ")
}

// Close closes the file and the aligned corpus. Closing the corpus does that.
func (a *Alignment) Close() error {
	if a.to == nil {
		return a.file.Close()
	}
	return errors.Join(a.to.Close(), a.file.Close())
}

// Release removes the files from the memory of the process. They are read again when needed.
func (a *Alignment) Release() error { return errors.Join(a.to.Release(), a.file.Release()) }

// Changed reports whether another alignment or another aligned corpus is on disk.
func (a *Alignment) Changed() bool {
	st, err := os.Stat(a.path)
	return err == nil && (!os.SameFile(st, a.opened) || !st.ModTime().Equal(a.opened.ModTime()) || st.Size() != a.opened.Size()) || a.to.Changed()
}
