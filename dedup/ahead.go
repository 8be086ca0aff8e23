package dedup

import (
	"cmp"
	"context"
	"io"
	"iter"

	"chaffinch/input/records"
	"chaffinch/internal/guard"
	"chaffinch/internal/parallel"
)

// The second reading goes on ahead of the writing, on another goroutine, and others count
// the tokens. Each document carries the place behind it along, so that a checkpoint knows
// where the last one ended that was written, however far the reading is.

// passage is a piece of the input of the second reading.
type passage struct {
	outside []byte // of no document, before those that follow
	docs    []ahead
	memory  int64 // of the documents
}

// ahead is a document that has been read, and not written yet.
type ahead struct {
	doc     *records.Doc
	outside []byte // what stands before it that belongs to no document
	after   records.Position
	tokens  []int // of its paragraphs
	fault   error // of counting them
}

// outsideBytes is how much outside of documents is held before it is handed over.
const outsideBytes = batchBytes

// readAhead reads src to its end: use is given its pieces in their order. outside is set to where
// src tells what belongs to no document.
func (r *run) readAhead(ctx context.Context, src fileSource, outside *func([]byte), use func(*passage) error) error {
	most := batchDocs
	if r.job.Jobs == 1 { // a document stays where it is quickly read again
		most = 1
	}
	var failed error
	next, stop := iter.Pull(func(yield func(passage) bool) {
		var p passage
		var before []byte
		ended := false
		send := func() {
			ended = ended || !yield(p)
			p = passage{}
		}
		*outside = func(b []byte) {
			before = append(before, b...)
			if len(before) < outsideBytes || ended {
				return
			}
			if len(p.docs) > 0 {
				send()
			}
			p.outside, before = before, nil
			send()
		}
		for !ended {
			d, err := src.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				failed = err
				break
			}
			p.docs = append(p.docs, ahead{doc: d, outside: before, after: src.Position()})
			p.memory += d.Memory()
			if before = nil; p.memory >= batchBytes || len(p.docs) == most {
				send()
			}
		}
		if len(p.docs) > 0 && !ended {
			send()
		}
		if len(before) > 0 && !ended {
			p.outside = before
			send()
		}
	})
	defer stop()
	err := parallel.InOrder(r.job.Jobs, r.plan.flight, func() (p passage, bytes int64, more bool) {
		if ctx.Err() == nil {
			p, more = next()
		}
		return p, p.memory, more
	}, func(p *passage) {
		for i := range p.docs {
			a := &p.docs[i]
			a.fault = guard.Do(func() error {
				a.tokens = make([]int, len(a.doc.Paras))
				for k := range a.doc.Paras {
					a.tokens[k] = countWords(&a.doc.Paras[k], a.doc.Tokenized)
				}
				return nil
			})
		}
	}, func(p *passage) error {
		err := use(p)
		for _, a := range p.docs {
			src.Release(a.doc)
		}
		return err
	})
	return cmp.Or(err, ctx.Err(), failed)
}
