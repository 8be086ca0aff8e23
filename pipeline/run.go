package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"chaffinch/internal/budget"
	"chaffinch/internal/merge"
	"chaffinch/internal/panics"
	"chaffinch/internal/termsafe"
	"chaffinch/page"
)

// Chain is the way of pages through one run: the source, the stages, and the outputs.
type Chain struct {
	// Step is the name of the run in its [Status].
	Step   string
	Source Source
	Stages []Stage
	// Outputs are the main output and further outputs, each with an encoder.
	Outputs []Output
	// Errors, if set, receives one line for every error passed to Job.OnError, in the order of
	// the input. In a [State] it is the last output.
	Errors Sink
	// Words, if set, returns the number of words in all visible blocks of a page and the number
	// of kept words, for the report.
	Words func(*page.Page) (all, kept int)
	// Start is the state from which the run resumes; the zero State is the beginning. The
	// caller must position Source, Outputs and Errors accordingly.
	Start PageState
	// Save, if set, saves a checkpoint. Source must then be a [Marker].
	Save func(*PageState) error
}

// Run processes every page of the source with the stages, writes the outputs and returns the
// report. At the end the outputs are published. Bad input and failed pages are counted in the
// report and do not stop the run.
//
// Run stops early with an error if the output cannot be written, if the source returns a
// [Fatal] error, or if ctx is done. The report and the last checkpoint then match the written
// output exactly. A hanging call of the source or of a stage is then abandoned.
func Run(ctx context.Context, chain Chain, cfg Config) (*Report, error) {
	c := &collector{chain: &chain, cfg: cfg.withDefaults()}
	c.Saver = Saver[*Report]{State: chain.Start, Save: chain.Save, Every: c.cfg.Checkpoint}
	for _, o := range chain.Outputs {
		c.Outputs = append(c.Outputs, o.Sink)
	}
	if chain.Errors != nil {
		c.Outputs = append(c.Outputs, chain.Errors)
	}
	if !chain.Start.Done {
		if err := c.run(ctx); err != nil {
			return c.State.Report, err
		}
	}
	if err := c.Publish(); err != nil {
		return c.State.Report, &Fatal{err}
	}
	return c.State.Report, nil
}

// batch is a section of the input: pages, and errors for pieces of input that could not be
// read.
type batch struct {
	items []item
	bytes int64
	mark  []byte         // position of the next batch
	skip  map[string]int // skipped parts of the input, by kind
	end   error          // error that ended the source, in the last batch
}

// item is a page and later its outcome, or an error of the source.
type item struct {
	p   *page.Page
	out outcome
	err error
}

// batches divides a source into batches.
type batches struct {
	chain   *Chain
	cfg     *Config
	skipped map[string]int // so far
	ended   bool
}

// read reads the next batch.
func (r *batches) read(ctx context.Context, b *batch) error {
	if r.ended {
		return io.EOF
	}
	for len(b.items) == 0 || len(b.items) < r.cfg.BatchPages && b.bytes < int64(r.cfg.BatchBytes) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p, err := next(r.chain.Source)
		if err == io.EOF || errors.As(err, new(*Fatal)) {
			b.end, r.ended = err, true
			break
		}
		b.items = append(b.items, item{p: p, err: err})
		if err == nil {
			b.bytes += int64(len(p.Raw) + len(p.HTML))
		}
	}
	if s, ok := r.chain.Source.(Skipper); ok {
		b.skip = since(r.skipped, s.Skipped())
	}
	if r.chain.Save == nil {
		return nil
	}
	var err error
	if b.mark, err = r.chain.Source.(Marker).Mark(); err != nil && b.end == nil {
		b.end, r.ended = fmt.Errorf("checkpoint: %w", err), true
	}
	return nil
}

// since returns the counts in now minus the counts in last, and updates last.
func since(last, now map[string]int) (more map[string]int) {
	for k, n := range now {
		if n == last[k] {
			continue
		}
		if more == nil {
			more = map[string]int{}
		}
		more[k] = n - last[k]
		last[k] = n
	}
	return more
}

// next calls Source.Next. A panic is fatal, because the position of the source is then unknown.
func next(src Source) (p *page.Page, err error) {
	if fault := panics.Catch(func() error { p, err = src.Next(); return nil }); fault != nil {
		return nil, &Fatal{fmt.Errorf("reading the input: %w", fault)}
	}
	return p, err
}

// collector writes the results of the workers in order.
type collector struct {
	Saver[*Report]
	chain *Chain
	cfg   Config
	began time.Time
	base  time.Duration // sum of the previous runs
	pages int64         // at the last checkpoint
	mark  []byte
	ended bool // whether all pages are written
}

// run processes all remaining pages.
func (c *collector) run(ctx context.Context) error {
	if _, ok := c.chain.Source.(Marker); !ok && c.chain.Save != nil {
		return errors.New("checkpoints need a source that knows its place")
	}
	c.State.Report = newReport()
	if start := c.chain.Start.Report; start != nil {
		merge.Add(c.State.Report, start)
	}
	c.mark, c.began, c.base = c.State.Mark, time.Now(), c.State.Report.Elapsed
	c.notify()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	memory := budget.New(c.cfg.PageMemory)
	defer memory.StopWith(inner)()
	workers := make([]*worker, c.cfg.Workers)
	for i := range workers {
		workers[i] = newWorker(inner, c.chain, c.cfg.PageTime, memory)
	}
	src := &batches{chain: c.chain, cfg: &c.cfg, skipped: map[string]int{}}
	err := Flow[batch]{
		Workers: c.cfg.Workers, Memory: c.cfg.FlightBytes, Leave: true,
		Read: func(b *batch) error { return src.read(ctx, b) },
		Size: func(b *batch) int64 { return b.bytes },
		Work: func(w int, b *batch) error {
			for i := range b.items {
				if it := &b.items[i]; it.p != nil && ctx.Err() == nil { // the flow drops b once ctx is done
					it.out, it.p = workers[w].do(it.p), nil
				}
			}
			return nil
		},
		Use: func(b *batch) error {
			defer func() { *b = batch{} }()
			return c.use(ctx, b)
		},
	}.Run(ctx)
	if ctx.Err() != nil && !c.ended && errors.Is(err, context.Cause(ctx)) { // otherwise a batch may be half-written
		return errors.Join(err, c.step(true))
	}
	return err
}

// notify reports the progress.
func (c *collector) notify() {
	s := Status{Step: c.chain.Step, Done: c.State.Report.Pages}
	if m, ok := c.chain.Source.(Measurer); ok {
		s.Done, s.Total = m.Progress()
	}
	c.cfg.Notify(s)
}

// use writes b and a checkpoint if it is due.
func (c *collector) use(ctx context.Context, b *batch) error {
	if err := c.write(b); err != nil {
		return err
	}
	for kind, n := range b.skip {
		c.State.Report.Skipped[kind] += int64(n)
	}
	if b.mark != nil {
		c.mark = b.mark
	}
	c.State.Report.Elapsed = c.base + time.Since(c.began)
	c.notify()
	if b.end == io.EOF {
		c.ended = true
		if err := c.Finish(ctx); err != nil {
			return &Fatal{err}
		}
		return nil
	}
	if err := c.step(b.end != nil); err != nil {
		return err
	}
	return b.end
}

// step calls Saver.Step. A checkpoint is also due after CheckpointPages pages, and never before
// the first page or error: the state of a run that fails at its beginning has no progress.
func (c *collector) step(now bool) error {
	rep := c.State.Report
	if rep.Pages+rep.BadPieces+rep.EmptyFiles == 0 {
		return nil
	}
	now = now || rep.Pages-c.pages >= c.cfg.CheckpointPages
	err := c.Step(now, func() ([]byte, error) {
		c.pages = c.State.Report.Pages
		return c.mark, nil
	})
	if err != nil {
		return &Fatal{err}
	}
	return nil
}

// write writes the records and errors of b.
func (c *collector) write(b *batch) error {
	for i := range b.items {
		it := &b.items[i]
		rep := c.State.Report
		if err := it.err; err != nil {
			if errors.Is(err, page.ErrEmpty) {
				rep.EmptyFiles++
			} else {
				rep.BadPieces++
				rep.addError(cmp.Or(page.AsError(err).File, "?"))
			}
			if err := c.report(err); err != nil {
				return err
			}
			continue
		}
		if err := it.out.err; err != nil {
			rep.Failed++
			rep.addError(cmp.Or(page.AsError(err).File, "?"))
			if err := c.report(err); err != nil {
				return err
			}
		}
		rec, size := &it.out.rec, 0
		if rec.Drop == page.Damaged || rec.Drop == page.BadEncoding {
			if err := c.report(pageError(&page.Page{ID: rec.ID, Source: rec.Source}, errors.New(rec.Drop.Sentence()))); err != nil {
				return err
			}
		}
		for k, o := range c.chain.Outputs {
			rec.Bytes = it.out.bytes[k]
			if err := o.Sink.Put(rec); err != nil {
				return &Fatal{err}
			}
			size += len(rec.Bytes)
		}
		rep.add(&it.out.tall, size)
		if rec.Shortened != "" {
			rep.addShortened(rec.Source.File, rec.Shortened)
		}
		rec.Bytes, it.out.bytes = nil, nil
	}
	return nil
}

// report reports err to OnError and writes it to the list of errors.
func (c *collector) report(err error) error {
	at := page.AsError(err)
	if c.cfg.OnError != nil {
		c.cfg.OnError(at)
	}
	if c.chain.Errors == nil {
		return nil
	}
	line := append([]byte(termsafe.Line(panics.Detail(err))), '\n')
	if err := c.chain.Errors.Put(&Record{Bytes: line}); err != nil {
		return &Fatal{err}
	}
	return nil
}
