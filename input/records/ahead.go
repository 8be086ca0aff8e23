package records

import (
	"context"
	"io"

	"chaffinch/internal/panics"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Piece is a document that [Ahead] passes on, with the result of work.
type Piece[T any] struct {
	// Outside holds the bytes before the document that belong to no document.
	Outside []byte
	Doc     *Doc // nil at the end of the collection, and if Outside is long
	Result  T
	Fault   error         // the panic of work, if there was one
	After   Position      // after the document
	errs    []*page.Error // of unreadable input before the document
	Bad     int64         // unreadable pieces of the input so far; see [Reader.Bad]
}

// AheadConfig configures [Ahead].
type AheadConfig struct {
	// Workers is the number of goroutines that work is called on, 0 for one per processor.
	Workers int
	// Memory limits the bytes of documents that are read and not yet used. A larger document is
	// processed alone.
	Memory int64
}

// aheadBytes and aheadDocs are the limits of a batch. aheadErrors limits the errors of a piece.
const aheadBytes, aheadDocs, aheadErrors = 1 << 18, 64, 64

// batch holds the pieces that a worker processes at once.
type batch[T any] struct {
	pieces []Piece[T]
	memory int64
}

// Ahead reads a collection to its end. One goroutine reads. Others call work for the documents,
// with the number of the worker from 0. The goroutine of the caller calls use for the pieces in
// input order.
//
// Each piece holds the position after it, so that a checkpoint can record the last used piece
// although the reader is further ahead. Ahead releases the document of a piece after use. It
// stops at the first error. A panic of work becomes the Fault of the piece. OnError of the reader is
// called from the goroutine of the caller, before use of the piece that follows the bad input.
func Ahead[T any](ctx context.Context, r *Reader, cfg AheadConfig, work func(worker int, d *Doc) T, use func(*Piece[T]) error) error {
	onError := r.cfg.OnError
	defer func() { r.cfg.OnError = onError }()
	return pipeline.Flow[batch[T]]{
		Workers: cfg.Workers, Memory: cfg.Memory, Size: func(b *batch[T]) int64 { return b.memory },
		Work: func(w int, b *batch[T]) error {
			for i := range b.pieces {
				if p := &b.pieces[i]; p.Doc != nil {
					p.Fault = panics.Catch(func() error { p.Result = work(w, p.Doc); return nil })
				}
			}
			return nil
		},
		Use: func(b *batch[T]) error {
			for i := range b.pieces {
				for _, e := range b.pieces[i].errs {
					onError(e)
				}
				if err := use(&b.pieces[i]); err != nil {
					return err
				}
				r.Release(b.pieces[i].Doc)
			}
			*b = batch[T]{}
			return nil
		},
	}.RunFrom(ctx, func(send func(batch[T]) bool) error { return readBatches(r, cfg.Workers, send) })
}

// readBatches reads a collection in batches until yield returns false.
func readBatches[T any](r *Reader, workers int, yield func(batch[T]) bool) error {
	most := aheadDocs
	if workers == 1 { // a single document is processed while it is in the cache
		most = 1
	}
	var b batch[T]
	var outside []byte
	var errs []*page.Error
	ended := false
	send := func() {
		if len(b.pieces) > 0 {
			ended = ended || !yield(b)
			b = batch[T]{}
		}
	}
	pass := func(d *Doc) {
		b.pieces = append(b.pieces, Piece[T]{Outside: outside, Doc: d, After: r.Position(), Bad: r.Bad(), errs: errs})
		b.memory += int64(len(outside))
		outside, errs = nil, nil
	}
	r.cfg.Outside = func(bytes []byte) {
		if outside = append(outside, bytes...); (len(outside) >= aheadBytes || len(errs) >= aheadErrors) && !ended {
			pass(nil)
			send()
		}
	}
	if r.cfg.OnError != nil {
		r.cfg.OnError = func(e *page.Error) { errs = append(errs, e) }
	}
	rest := func() {
		if len(outside)+len(errs) > 0 && !ended {
			pass(nil)
		}
		send()
	}
	defer func() { r.cfg.Outside = nil }()
	for !ended {
		d, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			rest()
			return err
		}
		pass(d)
		if b.memory += d.Memory(); b.memory >= aheadBytes || len(b.pieces) >= most {
			send()
		}
	}
	rest()
	return nil
}
