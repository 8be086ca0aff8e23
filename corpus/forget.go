package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"chaffinch/format/vertical"
)

// ForgetConfig configures [Forget].
type ForgetConfig struct {
	// Match reports whether documents with a URL are removed. Required.
	Match func(url string) bool
	// DryRun only counts.
	DryRun bool
	// Memory bounds the memory of the new index. Default: the memory of [DefaultBuild].
	Memory int64
	// Tool is the program and version that writes the index.
	Tool string
}

// Forgotten describes the documents that [Forget] removed, or would remove.
type Forgotten struct {
	Documents, Tokens int64
	// URLs holds the URLs of the documents in order, each once, at most 1,000.
	URLs []string
	// Aligned holds the names of the alignments that were written again.
	Aligned []string
}

// maxForgotten is the most URLs that Forget returns.
const maxForgotten = 1000

// urlAttr is the attribute of documents that holds their URL.
const urlAttr = "url"

// Forget removes the documents with matching URLs from the index in a folder. The index is built again
// from the remaining documents and replaces the old one when it is complete. It equals the index of the
// vertical without these documents; only the recorded checksum of the vertical differs if another program
// wrote the vertical. Alignments keep the pairs of remaining segments. Word sketches are not computed
// again: see package sketch.
func Forget(ctx context.Context, dir string, cfg ForgetConfig) (rep Forgotten, err error) {
	c, err := Open(dir)
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	gone, err := c.matching(ctx, cfg.Match, &rep)
	if err != nil || rep.Documents == 0 {
		return rep, err
	}
	if rep.Tokens == c.size {
		return rep, fmt.Errorf("corpus %s: all tokens are in the documents to remove, and an index needs one: remove the folder instead", dir)
	}
	pairs, err := c.pairings()
	if err != nil || cfg.DryRun {
		return rep, err
	}
	b, err := NewBuilder(dir, c.buildConfig(cfg))
	if err != nil {
		return rep, err
	}
	cut := &remover{doc: c.doc.name, gone: gone, kept: map[string][]bool{}}
	for _, p := range pairs {
		cut.kept[p.unit] = nil
	}
	err = piped(func(w io.Writer) error { return cut.copy(ctx, c, w) }, func(in io.Reader) error { return b.Add(ctx, dir, in) })
	if err != nil {
		return rep, errors.Join(err, b.Close())
	}
	if _, err := b.Finish(); err != nil {
		return rep, err
	}
	for _, p := range pairs {
		if err := p.restore(ctx, dir, cut.kept[p.unit], cfg.Tool); err != nil {
			return rep, fmt.Errorf("the documents are removed, without the alignment with %s: align the corpora again: %w", p.names[1], err)
		}
		rep.Aligned = append(rep.Aligned, p.names[1])
	}
	return rep, nil
}

// matching returns the documents that match, by number, and counts them.
func (c *Corpus) matching(ctx context.Context, match func(string) bool, rep *Forgotten) (gone []bool, err error) {
	if c.doc == nil {
		return nil, fmt.Errorf("corpus %s: no documents: wanted an index of structures such as <doc url=\"...\">", c.dir)
	}
	urls, err := c.doc.Attr(urlAttr)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w: documents are found by their URL", c.dir, err)
	}
	matches := make([]bool, urls.Len()) // by value
	for id := range matches {
		if id&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		matches[id] = match(urls.Word(uint32(id)))
	}
	gone = make([]bool, c.doc.Len())
	listed := map[uint32]bool{}
	for i := range gone {
		id := urls.At(int64(i))
		if !matches[id] {
			continue
		}
		gone[i] = true
		start, end := c.doc.Span(i)
		rep.Documents++
		rep.Tokens += end - start
		if !listed[id] && len(rep.URLs) < maxForgotten {
			listed[id] = true
			rep.URLs = append(rep.URLs, urls.Word(id))
		}
	}
	return gone, nil
}

// buildConfig returns the configuration with which the index was built.
func (c *Corpus) buildConfig(cfg ForgetConfig) BuildConfig {
	b := DefaultBuild
	b.Columns, b.Lower, b.Document, b.Tool = c.Columns(), "", c.doc.name, cfg.Tool
	if lower := c.Folded(); lower != c.attrs[0] {
		b.Lower = lower.name
	}
	if cfg.Memory > 0 {
		b.Memory = cfg.Memory
	}
	return b
}

// remover copies a vertical without some of its documents, whose tags close all other structures.
type remover struct {
	doc  string
	gone []bool // by number of the document
	// kept holds for each structure of some names whether it is kept, in order.
	kept   map[string][]bool
	buf    []byte
	inside bool // in a document to remove
	glue   bool // a <g/> precedes the line
}

// copy writes the vertical of c without the documents.
func (r *remover) copy(ctx context.Context, c *Corpus, w io.Writer) error {
	return c.ReadVertical(ctx, func(in io.Reader) error { return r.filter(c, in, w) })
}

// filter copies a vertical of c without the documents.
func (r *remover) filter(c *Corpus, in io.Reader, w io.Writer) error {
	lines := vertical.NewReader(in, vertical.ReaderConfig{Name: c.dir, Columns: len(c.Columns()), Doc: r.doc})
	for n := 0; ; { // documents
		l, err := lines.Next()
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF || len(r.buf) >= 1<<16 {
			if _, e := w.Write(r.buf); err == io.EOF || e != nil {
				return e
			}
			r.buf = r.buf[:0]
		}
		border := l.Kind != vertical.Token && string(l.Name) == r.doc
		if border && l.Kind != vertical.Close {
			if r.inside = r.gone[n]; r.inside {
				r.glue = false // of the first token
			}
			n++
		}
		r.line(l)
		if border && l.Kind == vertical.Close {
			r.inside = false
		}
	}
}

// line copies a line, unless it is in a document to remove. A <g/> is written with the next line, because
// it belongs to the token after it.
func (r *remover) line(l *vertical.Line) {
	if name := string(l.Name); l.Kind == vertical.Open || l.Kind == vertical.Empty {
		if list, ok := r.kept[name]; ok {
			r.kept[name] = append(list, !r.inside)
		}
	}
	switch {
	case r.inside:
	case l.Kind == vertical.Empty && string(l.Name) == "g":
		r.glue = true
	default:
		if r.glue {
			r.buf, r.glue = append(r.buf, "<g/>\n"...), false
		}
		r.buf = vertical.AppendLine(r.buf, l)
	}
}

// pairing holds an alignment of the index while the index is replaced.
type pairing struct {
	names [2]string
	other string // folder of the other index
	unit  string
	beads []bead
}

// pairings reads all alignments.
func (c *Corpus) pairings() (list []pairing, err error) {
	own, err := os.Stat(c.dir)
	if err != nil {
		return nil, err
	}
	for _, name := range c.Alignments() {
		a, err := c.Aligned(name)
		if err != nil {
			return nil, fmt.Errorf("%w: align the corpora again, or remove the file %s%s%s first", err, alignedPrefix, name, alignedSuffix)
		}
		unit, there := a.Units()
		if unit.Name() != there.Name() {
			return nil, fmt.Errorf("corpus %s: alignment with %s: structures <%s> and <%s>, wanted one structure: align the corpora again", c.dir, name, unit.Name(), there.Name())
		}
		p := pairing{names: [2]string{"", name}, other: a.to.dir, unit: unit.Name()}
		for _, back := range a.to.Alignments() { // the name of this corpus there
			b, err := a.to.Aligned(back)
			if err != nil {
				continue // with a third corpus that has changed
			}
			if st, err := os.Stat(b.to.dir); err == nil && os.SameFile(st, own) {
				p.names[0] = back
			}
		}
		for i := range a.Beads() {
			start, end, otherStart, otherEnd := a.Segments(i)
			p.beads = append(p.beads, bead{start: [2]int{start, otherStart}, end: [2]int{end, otherEnd}})
		}
		list = append(list, p)
	}
	return list, nil
}

// restore aligns the new index, in which the segments have other numbers.
func (p *pairing) restore(ctx context.Context, dir string, kept []bool, tool string) (err error) {
	c, err := Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	other, err := Open(p.other)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, other.Close()) }()
	before := make([]int, len(kept)+1) // kept segments before each
	for i, k := range kept {
		before[i+1] = before[i]
		if k {
			before[i+1]++
		}
	}
	var mapping bytes.Buffer
	for _, b := range p.beads {
		if start, end := before[b.start[0]], before[b.end[0]]; start < end {
			fmt.Fprintf(&mapping, "%s\t%s\n", segmentRange(start, end), segmentRange(b.start[1], b.end[1]))
		}
	}
	if mapping.Len() == 0 {
		return errors.New("no segment of a pair remains")
	}
	_, err = Align(ctx, c, other, AlignConfig{Unit: p.unit, Mapping: &mapping, Names: p.names, Tool: tool})
	return err
}
