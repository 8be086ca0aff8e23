package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chaffinch/internal/budget"
	"chaffinch/internal/panics"
	"chaffinch/page"
)

// grace is the time after its deadline in which a page may still return with partial results
// before it is abandoned.
const grace = 100 * time.Millisecond

// worker runs the stages on one page at a time. The stages run in a separate goroutine, so that
// a page that never returns can be abandoned there.
type worker struct {
	ctx     context.Context
	chain   *Chain
	limit   time.Duration
	memory  *budget.Budget   // shared by all workers, for the pages being processed
	release func(*page.Page) // of the source, nil if it does not recycle pages
	jobs    chan *page.Page
	done    chan outcome
	timer   *time.Timer
	buf     []byte // for records, if there is no time limit
}

// outcome is the result of a page: its record without bytes, the bytes for each output, its
// counts for the report, and an error if a stage failed.
type outcome struct {
	rec   Record
	bytes [][]byte
	tall  tally
	err   error
}

func newWorker(ctx context.Context, chain *Chain, limit time.Duration, memory *budget.Budget) *worker {
	w := &worker{ctx: ctx, chain: chain, limit: limit, memory: memory}
	if r, ok := chain.Source.(Releaser); ok {
		w.release = r.Release
	}
	if limit > 0 {
		w.timer = time.NewTimer(time.Hour)
		w.start()
	}
	return w
}

// start starts the goroutine that runs the stages.
func (w *worker) start() {
	w.jobs, w.done = make(chan *page.Page), make(chan outcome, 1)
	go func(jobs <-chan *page.Page, done chan<- outcome) {
		var buf []byte
		for {
			select {
			case p, ok := <-jobs:
				if !ok {
					return
				}
				ctx, cancel := context.WithTimeout(w.ctx, w.limit)
				done <- w.carry(ctx, p, &buf)
				cancel()
			case <-w.ctx.Done():
				return
			}
		}
	}(w.jobs, w.done)
}

// Estimated memory of a page: a multiple of its bytes, plus a block of text with its element
// per two tags (opening and closing) or per line end.
const (
	bytesAByte = 4
	bytesATag  = 400
)

// Memory returns the approximate memory in bytes that processing p takes, for a budget such as
// [Config.PageMemory].
func Memory(p *page.Page) int64 {
	tags, size := 0, len(p.Raw)
	if p.HTML != "" {
		tags, size = strings.Count(p.HTML, "<")+strings.Count(p.HTML, "\n"), size+len(p.HTML)
	} else {
		tags = bytes.Count(p.Raw, []byte("<")) + bytes.Count(p.Raw, []byte("\n")) + bytes.Count(p.Raw, []byte("\r"))
	}
	return int64(bytesAByte*size + bytesATag*tags)
}

// do runs the stages on p within the time limit, as soon as the memory budget allows.
func (w *worker) do(p *page.Page) outcome {
	need := Memory(p)
	if !w.memory.Take(need, 0) {
		return outcome{} // the run drops pages in flight
	}
	defer w.memory.Give(need)
	if w.limit <= 0 {
		return w.carry(w.ctx, p, &w.buf)
	}
	if err := Prepare(w.ctx, w.chain.Stages, p); err != nil {
		return finish(w.chain, withoutResults(p, page.Failed), new([]byte), err)
	}
	late := withoutResults(p, page.TooSlow) // p must not be read after the timeout
	w.timer.Reset(w.limit + grace)
	select {
	case w.jobs <- p:
	case <-w.ctx.Done():
		return outcome{}
	}
	select {
	case o := <-w.done:
		return o
	case <-w.ctx.Done(): // the run drops pages in flight
		return outcome{}
	case <-w.timer.C:
		// The stuck goroutine keeps p and ends when its stage returns.
		close(w.jobs)
		w.start()
		return finish(w.chain, late, new([]byte), nil)
	}
}

// maxBuf is the maximum size in bytes of a record buffer that is kept for reuse.
const maxBuf = 1 << 20

// carry runs the stages on p and releases it to the source. If a stage failed, p is not
// released, because the stage may still refer to it.
func (w *worker) carry(ctx context.Context, p *page.Page, buf *[]byte) outcome {
	o := carry(ctx, w.chain, p, buf)
	if w.release != nil && o.err == nil {
		for _, s := range slices.Backward(w.chain.Stages) {
			if r, ok := s.(Releaser); ok {
				r.Release(p)
			}
		}
		w.release(p)
	}
	return o
}

// carry runs the stages on p and encodes its records. A stage that fails or panics drops the
// page.
func carry(ctx context.Context, chain *Chain, p *page.Page, buf *[]byte) (o outcome) {
	failed := each(ctx, chain.Stages, p)
	if errors.As(failed, new(*panics.Panic)) {
		p = withoutResults(p, page.Failed) // its content is undefined after a panic
	}
	err := panics.Catch(func() error { o = finish(chain, p, buf, failed); return nil })
	if err != nil {
		p = withoutResults(p, page.Failed)
		o = finish(chain, p, buf, pageError(p, fmt.Errorf("encoder: %w", err)))
	}
	return o
}

// each runs the stages on p until one of them drops it. It returns the error of a stage that
// failed or panicked.
func each(ctx context.Context, stages []Stage, p *page.Page) error {
	for _, s := range stages {
		if p.Drop != page.None {
			break
		}
		err := panics.Catch(func() error { return s.Do(ctx, p) })
		switch {
		case err == nil:
		case errors.Is(err, context.DeadlineExceeded):
			p.Drop = page.TooSlow
		default:
			return failed(s, p, err)
		}
	}
	return nil
}

// failed drops a page on which a stage failed, and returns the error.
func failed(s Stage, p *page.Page, err error) error {
	p.Drop = page.Failed
	return pageError(p, fmt.Errorf("%s: %w", s.Name(), err))
}

// Prepare calls the stages that are a [Preparer], before the time limit of p begins. [Run] and [Do]
// call it.
func Prepare(ctx context.Context, stages []Stage, p *page.Page) error {
	if p.Drop != page.None {
		return nil
	}
	for _, s := range stages {
		if r, ok := s.(Preparer); ok {
			if err := panics.Catch(func() error { return r.Prepare(ctx, p) }); err != nil {
				return failed(s, p, err)
			}
		}
	}
	return nil
}

// withoutResults returns a copy of p that keeps only its identity.
func withoutResults(p *page.Page, reason page.Reason) *page.Page {
	return &page.Page{ID: p.ID, URL: p.URL, Source: p.Source, MIME: p.MIME, Drop: reason}
}

// Do runs the stages on a single page, as a run does. A stage that fails or panics drops the
// page as [page.Failed] with an error. A stage that exceeds limit drops it as [page.TooSlow]; 0
// means no limit. A stage that does not return after the limit is abandoned with its results. The
// limit begins after [Prepare]. If ctx is done first, Do returns its error without results.
func Do(ctx context.Context, stages []Stage, p *page.Page, limit time.Duration) error {
	if limit <= 0 {
		return each(ctx, stages, p)
	}
	if err := Prepare(ctx, stages, p); err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	own := *p // an abandoned stage must not write to p
	done := make(chan error, 1)
	go func() { done <- each(timed, stages, &own) }()
	timer := time.NewTimer(limit + grace)
	defer timer.Stop()
	select {
	case err := <-done:
		if ctx.Err() != nil && (err != nil || own.Drop == page.TooSlow) {
			return ctx.Err()
		}
		*p = own
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		p.Drop = page.TooSlow
		return nil
	}
}

// finish encodes the records of p in the shared buffer buf and returns copies of the right
// size.
func finish(chain *Chain, p *page.Page, buf *[]byte, err error) outcome {
	o := outcome{rec: Record{ID: p.ID, URL: p.URL, Source: p.Source, Drop: p.Drop}, bytes: make([][]byte, len(chain.Outputs)), err: err}
	o.tall.count(p, chain.Words)
	o.tall.loses(p, chain.Outputs[0].Encoder)
	for i, out := range chain.Outputs {
		b := out.Encoder.Append((*buf)[:0], p)
		if *buf = b; cap(b) > maxBuf {
			*buf = nil
		} else {
			b = bytes.Clone(b)
		}
		o.bytes[i] = b
	}
	return o
}

// pageError returns the error of a stage on one page.
func pageError(p *page.Page, err error) error {
	what := "page"
	if p.ID != "" && p.ID != p.Source.File {
		what += " " + p.ID
	}
	e := &page.Error{File: p.Source.File, Record: p.Source.Record, Offset: -1, Err: fmt.Errorf("%s dropped: %w", what, err)}
	if p.Source.Offset > 0 || p.Source.Record != "" {
		e.Offset = p.Source.Offset
	}
	return e
}
