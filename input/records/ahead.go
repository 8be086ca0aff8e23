package records

import (
	"cmp"
	"context"
	"io"
	"iter"

	"chaffinch/internal/panics"
	"chaffinch/internal/parallel"
)

// Piece is a document on its way through [Ahead], with what was made of it.
type Piece[T any] struct {
	// Outside is what stands before the document and belongs to none.
	Outside []byte
	Doc     *Doc // nil where Outside ends the collection, or is too long to wait for a document
	Made    T
	Fault   error    // a panic of work
	After   Position // behind the document
	Bad     int64    // what could not be read up to here; see [Reader.Bad]
}

// AheadConfig says how a collection is read ahead.
type AheadConfig struct {
	// Workers is the number of goroutines that work is called on, 0 for one per processor.
	Workers int
	// Memory bounds the bytes of the documents that are read and not used yet; a larger
	// document is worked on alone.
	Memory int64
}

// aheadBytes and aheadDocs end a batch.
const aheadBytes, aheadDocs = 1 << 18, 64

// batch is what a worker takes at a time.
type batch[T any] struct {
	pieces []Piece[T]
	memory int64
}

// Ahead reads a collection to its end: on one goroutine it reads, on others work is called on the
// documents, and on the caller's use gets the pieces in their order. Each carries the place
// behind it along, so that a checkpoint knows where the last one ended that was used, however
// far the reading is. The document of a piece is released after use. The first error ends it;
// a panic of work is the piece's Fault.
func Ahead[T any](ctx context.Context, r *Reader, cfg AheadConfig, work func(*Doc) T, use func(*Piece[T]) error) error {
	var failed error
	next, stop := iter.Pull(func(yield func(batch[T]) bool) {
		failed = readBatches(r, cfg.Workers, yield)
	})
	defer stop()
	err := parallel.InOrder(cfg.Workers, cfg.Memory, func() (b batch[T], bytes int64, more bool) {
		if ctx.Err() == nil {
			b, more = next()
		}
		return b, b.memory, more
	}, func(b *batch[T]) {
		for i := range b.pieces {
			if p := &b.pieces[i]; p.Doc != nil {
				p.Fault = panics.Catch(func() error { p.Made = work(p.Doc); return nil })
			}
		}
	}, func(b *batch[T]) error {
		for i := range b.pieces {
			if err := use(&b.pieces[i]); err != nil {
				return err
			}
			r.Release(b.pieces[i].Doc)
		}
		return nil
	})
	return cmp.Or(err, ctx.Err(), failed)
}

// readBatches reads a collection in batches until yield returns false.
func readBatches[T any](r *Reader, workers int, yield func(batch[T]) bool) error {
	most := aheadDocs
	if workers == 1 { // a document stays where it is quickly read again
		most = 1
	}
	var b batch[T]
	var outside []byte
	ended := false
	send := func() {
		if len(b.pieces) > 0 {
			ended = ended || !yield(b)
			b = batch[T]{}
		}
	}
	pass := func(d *Doc) {
		b.pieces = append(b.pieces, Piece[T]{Outside: outside, Doc: d, After: r.Position(), Bad: r.Bad()})
		b.memory += int64(len(outside))
		outside = nil
	}
	r.cfg.Outside = func(bytes []byte) {
		if outside = append(outside, bytes...); len(outside) >= aheadBytes && !ended {
			pass(nil)
			send()
		}
	}
	defer func() { r.cfg.Outside = nil }()
	for !ended {
		d, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			send()
			return err
		}
		pass(d)
		if b.memory += d.Memory(); b.memory >= aheadBytes || len(b.pieces) >= most {
			send()
		}
	}
	if len(outside) > 0 && !ended {
		pass(nil)
	}
	send()
	return nil
}
