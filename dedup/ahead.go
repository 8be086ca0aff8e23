package dedup

import (
	"context"
	"io"
	"iter"

	"chaffinch/collection"
	"chaffinch/internal/budget"
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
}

// ahead is a document that has been read, and not written yet.
type ahead struct {
	doc     *collection.Doc
	outside []byte // what stands before it that belongs to no document
	after   collection.Position
	tokens  []int // of its paragraphs
	fault   error // of counting them
	cost    int64
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
	flight := budget.New(r.plan.flight)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer flight.StopWith(ctx)()
	var failed error
	next, stop := iter.Pull(func(yield func(passage) bool) {
		var p passage
		var before []byte
		size, ended := int64(0), false
		send := func() {
			ended = ended || !yield(p)
			p, size = passage{}, 0
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
			a := ahead{doc: d, outside: before, after: src.Position(), cost: docCost(d)}
			before = nil
			if !flight.TryTake(a.cost) {
				if len(p.docs) > 0 {
					send() // what waits here would never be done
				}
				if !flight.Take(a.cost, 0) {
					failed = ctx.Err()
					break
				}
			}
			p.docs = append(p.docs, a)
			if size += a.cost; size >= batchBytes || len(p.docs) == most {
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
	return parallel.Ordered(r.job.Jobs, func(p *passage) error {
		var more bool
		if *p, more = next(); !more && failed == nil {
			return io.EOF
		} else if !more {
			return failed
		}
		return nil
	}, func(p *passage) error {
		for i := range p.docs {
			a := &p.docs[i]
			a.fault = guard.Do(func() error {
				a.tokens = make([]int, len(a.doc.Paras))
				for k := range a.doc.Paras {
					a.tokens[k] = countTokens(a.doc.Paras[k].Text, a.doc.Tokenized)
				}
				return nil
			})
		}
		return nil
	}, func(p *passage) error {
		ok := false
		defer func() {
			if !ok { // nobody gives back what the reading may wait for
				cancel()
			}
		}()
		err := use(p)
		ok = err == nil
		for _, a := range p.docs {
			src.Release(a.doc)
			flight.Give(a.cost)
		}
		return err
	})
}
