package corpus

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"chaffinch/format/vertical"
	"chaffinch/internal/disk"
	"chaffinch/internal/panics"
	"chaffinch/internal/parallel"
	"chaffinch/internal/workdir"
	"chaffinch/page"
)

// BuildConfig configures how an index is built.
type BuildConfig struct {
	// Columns names the columns of a token line, such as word, lemma, tag. The
	// first column is the default attribute of queries and the displayed text.
	Columns []string
	// Lower names an additional attribute with the first column in lower case, for
	// case-insensitive queries. If empty, no such attribute is added.
	Lower string
	// Document is the structure that bounds matches. A corpus without this
	// structure is one document.
	Document string
	// Memory bounds the bytes held in memory. Data that does not fit is written to
	// temporary files next to the index. It does not affect the index.
	Memory int64
	// Strict makes the first fault in the vertical an error. Otherwise, faults are
	// repaired, counted and reported to OnRepair, if set.
	Strict   bool
	OnRepair func(vertical.Repair, *page.Error)
	// OnFailed, if set, is called for each document that is skipped because the
	// program failed on it.
	OnFailed func(error)
	// Tool is the program and version that built the index. It is stored in the
	// index.
	Tool string
}

// DefaultBuild is the default configuration.
var DefaultBuild = BuildConfig{
	Columns:  []string{"word"},
	Lower:    "lc",
	Document: "doc",
	Memory:   128 << 20,
}

// maxTokens is the maximum number of tokens in an index.
const maxTokens = math.MaxUint32 - 1

// BuildReport describes a completed build.
type BuildReport struct {
	Tokens  int64
	Structs []Count               // number of structures of each name
	Values  []Count               // distinct values of each attribute of tokens
	Bytes   int64                 // size of the index
	Runs    int                   // number of times words were written to disk
	Read    vertical.ReaderReport // lines read and repairs made
	Failed  int64                 // documents skipped because the program failed on them
}

// Count holds the number of items with a name.
type Count struct {
	Name  string
	Count int64
}

// Builder builds an index from one or more verticals, read one after another.
type Builder struct {
	cfg     BuildConfig
	dir     string
	made    []string // folders created by the builder, the innermost first
	work    *workdir.Folder
	cols    []*column
	glue    *part           // tokens without a blank before them: uvarint tokens between two of them
	glued   int64           // after the last one of them
	ahead   vertical.Tokens // counted in size, not yet added to cols
	structs []*structBuilder
	byName  map[string]*structBuilder
	size    int64
	sum     hash.Hash
	read    vertical.ReaderReport
	border  border // before the current document
	failed  int64
}

// NewBuilder starts an index in the folder dir, which is created if missing.
// The index appears in the folder only when Finish returns.
func NewBuilder(dir string, cfg BuildConfig) (*Builder, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return nil, fmt.Errorf("corpus %s: a file, wanted a folder for the index: name another one", dir)
	}
	b := &Builder{cfg: cfg, dir: dir, made: missing(dir), byName: map[string]*structBuilder{}, sum: sha256.New()}
	if err := disk.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("corpus: %w", errors.Join(err, b.Close()))
	}
	work, err := workdir.Make(dir)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", errors.Join(err, b.Close()))
	}
	b.work = work
	for _, name := range cfg.Columns {
		c, err := newColumn(work.Path, "attr/"+name)
		if err != nil {
			return nil, errors.Join(err, b.Close())
		}
		c.share()
		b.cols = append(b.cols, c)
	}
	if b.glue, err = newPart(work.Path); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// missing returns the folders of a path that do not exist, the innermost first.
func missing(dir string) (dirs []string) {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			return dirs
		}
		dirs = append(dirs, dir)
	}
}

// Check returns an error if a setting is invalid.
func (cfg BuildConfig) Check() error {
	if len(cfg.Columns) == 0 {
		return errors.New("corpus: no columns: name at least one, such as word")
	}
	for i, c := range cfg.Columns {
		if !isName(c) {
			return fmt.Errorf("corpus: column name %q: wanted letters, digits and _", c)
		}
		if slices.Contains(cfg.Columns[:i], c) || c == cfg.Lower {
			return fmt.Errorf("corpus: column %s is named twice", c)
		}
	}
	if cfg.Lower != "" && !isName(cfg.Lower) {
		return fmt.Errorf("corpus: attribute name %q: wanted letters, digits and _", cfg.Lower)
	}
	return nil
}

// isName reports whether s can be the name of an attribute or a structure in a
// query.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && r != '-') {
			return false
		}
	}
	return s != ""
}

// Close releases all resources. Without an earlier call of Finish, no index is
// written.
func (b *Builder) Close() error {
	for _, c := range b.cols {
		c.close()
	}
	for _, s := range b.structs {
		s.close()
	}
	if b.glue != nil {
		b.glue.close()
	}
	err := b.work.Close()
	for _, d := range b.made {
		disk.Remove(d) // stays if the index is in it
	}
	return err
}

// Add reads a vertical to its end. name identifies it in errors. After an error
// the builder can only be closed.
func (b *Builder) Add(ctx context.Context, name string, r io.Reader) error {
	return vertical.ReadAhead(io.TeeReader(r, b.sum), vertical.ReaderConfig{
		Name: name, Strict: b.cfg.Strict, Doc: b.cfg.Document, OnRepair: b.cfg.OnRepair,
	}, b.numberers(parallel.Workers(0)), func(in *vertical.Reader) error { return b.add(ctx, name, in) })
}

// numberers returns functions that number the values of each column, for a number of goroutines.
func (b *Builder) numberers(workers int) [][]vertical.Numberer {
	all := make([][]vertical.Numberer, workers)
	for i := range all {
		for _, c := range b.cols {
			x := &numberer{c: c, alone: workers == 1}
			all[i] = append(all[i], x.number)
		}
	}
	return all
}

// add is Add without hashing the input.
func (b *Builder) add(ctx context.Context, name string, in *vertical.Reader) (err error) {
	defer func() { b.note(in.Report()) }()
	in.OnBlock = b.flush
	b.setBorder()
	var next *vertical.Line
	for {
		var at vertical.Line // the current line
		err := panics.Catch(func() error { return b.lines(ctx, name, in, next, &at) })
		if !errors.As(err, new(*panics.Panic)) {
			return err
		}
		fault := fmt.Errorf("corpus: %s: line %d: byte %d: %w", name, at.Number, at.Offset, err)
		if next, err = b.leaveOut(ctx, in, fault); err != nil {
			return err
		}
	}
}

// lines reads in to its end, starting with the line l if it is set. at holds the
// current line.
func (b *Builder) lines(ctx context.Context, name string, in *vertical.Reader, l *vertical.Line, at *vertical.Line) (err error) {
	for n := 0; ; n++ {
		if n%pauseLines == 0 {
			if err := b.pause(ctx); err != nil {
				return err
			}
		}
		if l == nil {
			at.Number, at.Offset = in.Place()
			if k := b.tokens(in, pauseLines-n%pauseLines); k > 0 {
				n += k - 1
				continue
			}
			if l, err = in.Next(); err == io.EOF {
				b.flush()
				return nil // the reader has closed all structures
			} else if err != nil {
				return fmt.Errorf("corpus: %w", err)
			}
		}
		at.Number, at.Offset = l.Number, l.Offset
		border := b.isBorder(l)
		if border && l.Kind != vertical.Close {
			b.setBorder()
		}
		if err := b.line(l); err != nil {
			return fmt.Errorf("corpus: %s: line %d: byte %d: %w", name, l.Number, l.Offset, err)
		}
		if border && l.Kind != vertical.Open {
			b.setBorder()
		}
		l = nil
	}
}

// pauseLines is the number of lines between pauses.
const pauseLines = 1 << 12

// tokens adds up to n lines, if the next lines are plain tokens or <g/>. It returns their number.
func (b *Builder) tokens(in *vertical.Reader, n int) int {
	t := in.Tokens(int(min(int64(n), maxTokens-b.size)))
	if t.Lines() == 0 {
		return 0
	}
	if !b.ahead.Extend(&t) {
		b.flush()
		b.ahead = t
	}
	size := b.size
	t.Glue(func(tokens int) {
		b.size = size + int64(tokens)
		b.addGlue()
	})
	b.size = size + int64(t.Len())
	return t.Lines()
}

// flush adds the tokens ahead to the columns.
func (b *Builder) flush() {
	if b.ahead.Len() > 0 {
		for i, c := range b.cols {
			x := b.ahead.Column(i)
			c.addNumbered(&x)
		}
	}
	b.ahead = vertical.Tokens{}
}

// glueName is the name of the empty structure that marks a missing blank.
const glueName = "g"

// addGlue records that there is no blank before the next token.
func (b *Builder) addGlue() {
	if b.size >= b.glued { // not twice
		b.glue.uvarint(uint64(b.size - b.glued))
		b.glued = b.size + 1
	}
}

// pause checks the context. If the memory is used up, it writes the largest lexicon to disk.
func (b *Builder) pause(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var total, most int64
	var largest *column
	look := func(c *column) {
		memory := c.memory()
		if total += memory; memory > most {
			most, largest = memory, c
		}
	}
	for _, c := range b.cols {
		look(c)
	}
	for _, s := range b.structs {
		for _, c := range s.attrs {
			look(c)
		}
	}
	if total > b.cfg.Memory/2 {
		return largest.spill()
	}
	return nil
}

// note adds a reader's report to the total.
func (b *Builder) note(r vertical.ReaderReport) {
	b.read.Lines += r.Lines
	b.read.Tokens += r.Tokens
	b.read.Bytes += r.Bytes
	for i, n := range r.Repairs {
		b.read.Repairs[i] += n
	}
}

func (b *Builder) line(l *vertical.Line) error {
	switch l.Kind {
	case vertical.Token:
		return b.token(l)
	case vertical.Close:
		s := b.byName[string(l.Name)]
		if s == nil || !s.open {
			return fmt.Errorf("</%s> without <%s>", l.Name, l.Name)
		}
		s.end(uint32(b.size))
		return nil
	}
	if l.Kind == vertical.Empty && string(l.Name) == glueName {
		b.addGlue()
		return nil
	}
	s, err := b.structure(l.Name)
	if err != nil {
		return err
	}
	if s.open {
		return fmt.Errorf("<%s> inside the <%s> of line %d: structures of one name do not nest: close that one first", s.name, s.name, s.line)
	}
	if err := s.begin(uint32(b.size), l); err != nil {
		return err
	}
	if l.Kind == vertical.Empty {
		s.end(uint32(b.size))
	}
	return nil
}

func (b *Builder) structure(name []byte) (*structBuilder, error) {
	if s := b.byName[string(name)]; s != nil {
		return s, nil
	}
	if len(b.structs) >= maxColumns {
		return nil, fmt.Errorf("more than %d different structures", maxColumns)
	}
	s, err := newStructBuilder(b.work.Path, string(name))
	if err != nil {
		return nil, err
	}
	b.structs = append(b.structs, s)
	b.byName[s.name] = s
	return s, nil
}

func (b *Builder) token(l *vertical.Line) error {
	if len(l.Fields) != len(b.cols) {
		return fmt.Errorf("%d columns, wanted %d (%s): name all of them, such as word,lemma,tag",
			len(l.Fields), len(b.cols), strings.Join(b.cfg.Columns, ", "))
	}
	if b.size >= maxTokens {
		return fmt.Errorf("more than %d tokens: make two indexes", int64(maxTokens))
	}
	b.flush()
	for i, c := range b.cols {
		c.addToken(l.Fields[i])
	}
	b.size++
	return nil
}

// Build builds an index in the folder dir from the vertical r.
func Build(ctx context.Context, r io.Reader, dir string, cfg BuildConfig) (BuildReport, error) {
	b, err := NewBuilder(dir, cfg)
	if err != nil {
		return BuildReport{}, err
	}
	if err := b.Add(ctx, "vertical", r); err != nil {
		return BuildReport{}, errors.Join(err, b.Close())
	}
	return b.Finish()
}
