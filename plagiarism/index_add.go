package plagiarism

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"chaffinch/internal/panics"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// sectionPrints holds the sections and fingerprints of a document to be indexed.
type sectionPrints struct {
	secs   []byte // start of each section, 8 bytes
	recs   []byte // sort records; sections count from 0
	prints prints
	sec    section
	fault  error
}

// longDocument is the minimum length of texts that are indexed section by section.
const longDocument = 1 << 20

// find computes the sections and fingerprints of a text. each, if set, is called after
// each section to consume the results.
func (p *sectionPrints) find(text string, common *wordSet, cfg *IndexConfig, each func() error) (err error) {
	p.secs, p.recs = p.secs[:0], p.recs[:0]
	p.fault = panics.Catch(func() error {
		p.sec.each(text, func() {
			if err != nil {
				return
			}
			num := uint32(len(p.secs) / 8)
			p.secs = binary.LittleEndian.AppendUint64(p.secs, uint64(p.sec.base))
			p.prints.compute(&p.sec.words, common, cfg)
			from := len(p.recs)
			p.recs = slices.Grow(p.recs, len(p.prints.f)*recordSize)[:from+len(p.prints.f)*recordSize]
			for i, f := range p.prints.f {
				rec := p.recs[from+i*recordSize:][:recordSize]
				binary.BigEndian.PutUint64(rec, f)
				binary.BigEndian.PutUint32(rec[8:], num)
				binary.BigEndian.PutUint16(rec[12:], uint16(p.prints.at[i]))
			}
			if each != nil {
				err = each()
			}
		})
		return nil
	})
	if p.fault != nil {
		p.prints, p.sec = prints{}, section{} // their state is undefined
	}
	return err
}

// index computes and adds the sections and fingerprints of a document.
func (b *IndexBuilder) index(d document) error {
	p := &b.current
	if err := p.find(d.text, b.common, &b.cfg, func() error { return b.takeSections(d.num, p) }); err != nil {
		return err
	}
	return b.take(d, p)
}

// take adds the sections and fingerprints of a document. If it fails, the results
// found before the failure are in the index.
func (b *IndexBuilder) take(d document, p *sectionPrints) error {
	if err := b.takeSections(d.num, p); err != nil {
		return err
	}
	if p.fault != nil {
		return fmt.Errorf("passages of document %q are not all in the index: %w", d.id, p.fault)
	}
	return nil
}

// takeSections moves sections and fingerprints from p to the index.
func (b *IndexBuilder) takeSections(num int, p *sectionPrints) error {
	base := b.sections
	for at := p.secs; len(at) > 0; at = at[8:] {
		b.secs.buf = binary.LittleEndian.AppendUint32(b.secs.buf, uint32(num))
		b.secs.buf = append(b.secs.buf, at[:8]...)
		b.sections++
	}
	if err := b.secs.flush(); err != nil {
		return err
	}
	for rec := p.recs; len(rec) > 0; rec = rec[recordSize:] {
		binary.BigEndian.PutUint32(rec[8:], base+binary.BigEndian.Uint32(rec[8:]))
	}
	if err := b.prints.Add(p.recs); err != nil {
		return err
	}
	b.n += int64(len(p.recs) / recordSize)
	p.secs, p.recs = p.secs[:0], p.recs[:0]
	return nil
}

// textAhead is the approximate amount of text that is read ahead, in bytes.
const textAhead = 4 << 20

// coming is a document that has been read, or the error of reading it.
type coming struct {
	doc   Document
	bad   *page.Error
	err   error
	found *sectionPrints // of the document; nil if not computed
}

// AddFiles adds the documents of files and folders, as yielded by [Documents], and
// processes several concurrently. bad is called for each document that Add would
// reject, with the error.
func (b *IndexBuilder) AddFiles(ctx context.Context, paths []string, cfg ReadConfig, bad func(Document, error)) error {
	onError := cfg.OnError
	buffers := sync.Pool{New: func() any { return new(sectionPrints) }}
	return pipeline.Flow[coming]{
		Memory: textAhead, Size: func(c *coming) int64 { return int64(len(c.doc.Text)) },
		Work: func(_ int, c *coming) error {
			common := b.known.Load()
			if common == nil || c.bad != nil || c.err != nil || len(c.doc.Text) > longDocument {
				return nil
			}
			c.found = buffers.Get().(*sectionPrints)
			return c.found.find(c.doc.Text, common, &b.cfg, nil)
		},
		Use: func(c *coming) error {
			err := b.addComing(c, onError, bad)
			if c.found != nil {
				buffers.Put(c.found)
			}
			*c = coming{}
			return err
		},
	}.RunFrom(ctx, func(send func(coming) bool) error {
		more := true
		cfg.OnError = func(e *page.Error) { more = more && send(coming{bad: e}) }
		for d, err := range Documents(paths, cfg) {
			if more = more && send(coming{doc: d, err: err}); !more {
				break
			}
		}
		return nil
	})
}

// addComing adds a document or reports its error.
func (b *IndexBuilder) addComing(x *coming, onError func(*page.Error), bad func(Document, error)) error {
	switch {
	case x.bad != nil:
		if onError != nil {
			onError(x.bad)
		}
		return nil
	case x.err != nil:
		return x.err
	}
	err := b.add(x.doc.ID, x.doc.Text, x.found)
	if errors.As(err, new(*DuplicateError)) || errors.As(err, new(*panics.Panic)) {
		bad(x.doc, err)
		return nil
	}
	return err
}
