package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chaffinch/format/vertical"
	"chaffinch/internal/panics"
)

// If the program fails on a document, the builder drops the document. It returns to
// the border before the document and resumes after it.

// border is the state of a builder between two documents, or before the first.
type border struct {
	size    int64
	glued   int64
	glue    int64
	cols    []columnBorder
	structs []structBorder
}

type columnBorder struct {
	n, ids int64
	runs   int
}

type structBorder struct {
	builder structBuilder // saved copy
	spans   int64
	attrs   []columnBorder
}

func (c *column) border() columnBorder {
	return columnBorder{c.n, c.ids.n, len(c.runs)}
}

// setBorder records that a document begins or ends here.
func (b *Builder) setBorder() {
	b.flush()
	at := &b.border
	at.size, at.glued, at.glue = b.size, b.glued, b.glue.n
	at.cols = at.cols[:0]
	for _, c := range b.cols {
		at.cols = append(at.cols, c.border())
	}
	for len(at.structs) < len(b.structs) {
		at.structs = append(at.structs, structBorder{})
	}
	at.structs = at.structs[:len(b.structs)]
	for i, s := range b.structs {
		x := &at.structs[i]
		x.builder, x.spans, x.attrs = *s, s.spans.n, x.attrs[:0]
		for _, c := range s.attrs {
			x.attrs = append(x.attrs, c.border())
		}
	}
}

// errSpilled indicates that words of the current document were written to disk.
var errSpilled = errors.New("words of this document are on disk: no index can be made")

// undo returns to the border.
func (b *Builder) undo() error {
	b.ahead = vertical.Tokens{}
	at := &b.border
	b.size, b.glued = at.size, at.glued
	err := b.glue.cut(at.glue)
	for i, c := range b.cols {
		err = errors.Join(err, c.undo(at.cols[i]))
	}
	for _, s := range b.structs[len(at.structs):] {
		delete(b.byName, s.name)
		s.close()
	}
	b.structs = b.structs[:len(at.structs)]
	for i, s := range b.structs {
		x := &at.structs[i]
		for _, c := range s.attrs[len(x.attrs):] {
			c.close()
		}
		*s = x.builder
		err = errors.Join(err, s.spans.cut(x.spans))
		for i, c := range s.attrs {
			err = errors.Join(err, c.undo(x.attrs[i]))
		}
	}
	return err
}

// undo removes the values added after the border. Words that no longer occur are left out of the lexicon.
func (c *column) undo(at columnBorder) error {
	if len(c.runs) != at.runs {
		return errSpilled
	}
	in, err := c.ids.section(at.ids, c.ids.n, partBuffer)
	if err != nil {
		return err
	}
	for range (c.ids.n - at.ids) / 4 {
		id, err := readUint32(in)
		if err != nil {
			return err
		}
		c.lex.count[id]--
	}
	c.n = at.n
	return c.ids.cut(at.ids)
}

// cut truncates the file to its first n bytes.
func (p *part) cut(n int64) error {
	if err := p.flush(); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	if _, err := p.f.Seek(n, io.SeekStart); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	p.n = n
	return nil
}

// leaveOut skips a document on which the program failed. It returns to the border before
// the document, and advances r past its end. Outside documents it resumes at the next
// document, whose first line is next. If no document follows, it returns the fault.
func (b *Builder) leaveOut(ctx context.Context, r *vertical.Reader, fault error) (next *vertical.Line, err error) {
	inside, what := false, "the text here outside of documents"
	if doc := b.byName[b.cfg.Document]; doc != nil && doc.open {
		inside, what = true, fmt.Sprintf("the document of line %d", doc.line)
	}
	err = panics.Catch(b.undo)
	if err == nil {
		next, err = b.pass(ctx, r, inside)
	}
	if err != nil {
		return nil, errors.Join(fault, err)
	}
	b.failed++
	if b.cfg.OnFailed != nil {
		b.cfg.OnFailed(fmt.Errorf("%w: %s is left out", fault, what))
	}
	return next, nil
}

// errNoDocument indicates that no document follows at which to resume.
var errNoDocument = errors.New("no document begins after it from which to go on")

// pass reads to the end of the document, or to the first line of the next one.
func (b *Builder) pass(ctx context.Context, r *vertical.Reader, inside bool) (next *vertical.Line, err error) {
	for n := 0; ; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if t := r.Tokens(pauseLines); t.Lines() > 0 {
			continue
		}
		read := r.Report().Bytes
		var l *vertical.Line
		err := panics.Catch(func() (err error) { l, err = r.Next(); return err })
		switch {
		case err == io.EOF && !inside:
			return nil, errNoDocument
		case err == io.EOF:
			return nil, nil
		case errors.As(err, new(*panics.Panic)) && r.Report().Bytes > read:
		case err != nil:
			return nil, err
		case b.isBorder(l) && l.Kind != vertical.Close:
			return l, nil
		case b.isBorder(l):
			return nil, nil
		case l.Kind == vertical.Close:
			if s := b.byName[string(l.Name)]; s != nil && s.open { // it began before the document
				s.end(uint32(b.size))
			}
		}
	}
}

// isBorder reports whether a line is the beginning or the end of a document.
func (b *Builder) isBorder(l *vertical.Line) bool {
	return l.Kind != vertical.Token && string(l.Name) == b.cfg.Document
}
