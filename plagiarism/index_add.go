package plagiarism

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"

	"chaffinch/internal/budget"
	"chaffinch/internal/guard"
	"chaffinch/internal/parallel"
	"chaffinch/page"
)

// passages are the sections and fingerprints of a document on its way into an index.
type passages struct {
	secs   []byte // where each section begins, 8 bytes
	recs   []byte // of the sort; sections count from 0
	prints prints
	fault  error
}

// longDocument is the length of texts whose passages are not held but taken section by section.
const longDocument = 1 << 20

// find finds those of a text. each, if set, is called behind each section, to take what
// there is.
func (p *passages) find(text string, common map[uint64]bool, cfg *IndexConfig, each func() error) (err error) {
	p.secs, p.recs = p.secs[:0], p.recs[:0]
	p.fault = guard.Do(func() error {
		cutSections(text, func(s *section) {
			if err != nil {
				return
			}
			num := uint32(len(p.secs) / 8)
			p.secs = binary.LittleEndian.AppendUint64(p.secs, uint64(s.base))
			p.prints.each(&s.words, common, cfg, func(f uint64, place int) {
				p.recs = binary.BigEndian.AppendUint64(p.recs, f)
				p.recs = binary.BigEndian.AppendUint32(p.recs, num)
				p.recs = binary.BigEndian.AppendUint16(p.recs, uint16(place))
			})
			if each != nil {
				err = each()
			}
		})
		return nil
	})
	if p.fault != nil {
		p.prints = prints{} // in no known state
	}
	return err
}

// index finds and takes those of a document.
func (b *IndexBuilder) index(num int, text string) error {
	p := &b.own
	if err := p.find(text, b.common, &b.cfg, func() error { return b.takeSections(num, p) }); err != nil {
		return err
	}
	return b.take(num, p)
}

// take adds the sections and fingerprints of document num. What was found before a
// fault is in the index.
func (b *IndexBuilder) take(num int, p *passages) error {
	if err := b.takeSections(num, p); err != nil {
		return err
	}
	if p.fault != nil {
		return fmt.Errorf("passages of document %q are not all in the index: %w", cutAt(b.ids, b.idEnds, num), p.fault)
	}
	return nil
}

// takeSections takes sections and fingerprints out of p.
func (b *IndexBuilder) takeSections(num int, p *passages) error {
	base := uint32(len(b.secs) / 12)
	for at := p.secs; len(at) > 0; at = at[8:] {
		b.secs = binary.LittleEndian.AppendUint32(b.secs, uint32(num))
		b.secs = append(b.secs, at[:8]...)
	}
	for at := p.recs; len(at) > 0; at = at[recordSize:] {
		rec, err := b.sorter.Add()
		if err != nil {
			return err
		}
		copy(rec, at[:recordSize])
		binary.BigEndian.PutUint32(rec[8:], base+binary.BigEndian.Uint32(at[8:]))
		b.n++
	}
	p.secs, p.recs = p.secs[:0], p.recs[:0]
	return nil
}

// textAhead is about how much text is read ahead of what is in the index.
const textAhead = 4 << 20

// coming is a document that has been read, or what could not be.
type coming struct {
	doc   Document
	bad   *page.Error
	err   error
	found bool // passages are those of the document
	passages
}

// AddFiles adds the documents of files and folders as [Documents] yields them and Add
// takes them, and works on several at a time. bad is told of those that Add would refuse,
// with its error.
func (b *IndexBuilder) AddFiles(ctx context.Context, paths []string, cfg ReadConfig, bad func(Document, error)) error {
	onError := cfg.OnError
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ahead := budget.New(textAhead)
	defer ahead.StopWith(ctx)()
	next, stop := iter.Pull(func(yield func(coming) bool) {
		more := true
		cfg.OnError = func(e *page.Error) { more = more && yield(coming{bad: e}) }
		for d, err := range Documents(paths, cfg) {
			if err == nil && !ahead.Take(int64(len(d.Text)), 0) {
				err = ctx.Err()
			}
			if more = more && yield(coming{doc: d, err: err}); !more {
				return
			}
		}
	})
	defer stop()
	return parallel.Ordered(runtime.GOMAXPROCS(0), func(x *coming) error {
		c, more := next()
		if !more {
			return io.EOF
		}
		x.doc, x.bad, x.err, x.found = c.doc, c.bad, c.err, false
		return nil
	}, func(x *coming) error {
		common := b.known.Load()
		if common == nil || x.bad != nil || x.err != nil || len(x.doc.Text) > longDocument {
			return nil
		}
		x.found = true
		return x.find(x.doc.Text, *common, &b.cfg, nil)
	}, func(x *coming) error {
		err := b.addComing(ctx, x, onError, bad)
		if err != nil {
			cancel() // the reading may wait for what is not given back
		}
		ahead.Give(int64(len(x.doc.Text)))
		return err
	})
}

// addComing adds a document, or tells of what is wrong.
func (b *IndexBuilder) addComing(ctx context.Context, x *coming, onError func(*page.Error), bad func(Document, error)) error {
	switch {
	case x.bad != nil:
		if onError != nil {
			onError(x.bad)
		}
		return nil
	case x.err != nil:
		return x.err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	var found *passages
	if x.found {
		found = &x.passages
	}
	err := b.add(x.doc.ID, x.doc.Text, found)
	if errors.As(err, new(*DuplicateError)) || errors.As(err, new(*guard.Panic)) {
		bad(x.doc, err)
		return nil
	}
	return err
}
