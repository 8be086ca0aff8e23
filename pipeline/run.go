package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"cmp"

	"chaffinch/internal/budget"
	"chaffinch/internal/panics"
	"chaffinch/internal/termsafe"
	"chaffinch/page"
)

// Job is one run: where pages come from, what is done to them, where they go.
type Job struct {
	Source Source
	Stages []Stage
	// Outputs are the main output and further ones, each with its own view of the
	// pages.
	Outputs []Output
	// Errors, if set, takes one line for every piece of input or page that
	// failed, in the order of the input.
	Errors Sink
	// Start is the state that the run goes on from; the zero State is the
	// beginning. The caller has moved Source, Outputs and Errors to it.
	Start State
	// Save, if set, keeps a checkpoint. Source must then be a [Marker].
	Save func(*State) error
}

// sinks returns all that is written, the main output last: when it is there, all
// is there.
func (job *Job) sinks() (list []Sink) {
	if job.Errors != nil {
		list = append(list, job.Errors)
	}
	for _, o := range slices.Backward(job.Outputs) {
		list = append(list, o.Sink)
	}
	return list
}

// publish gives all outputs their names.
func (job *Job) publish() error {
	for _, s := range job.sinks() {
		if err := s.Publish(); err != nil {
			return &Fatal{err}
		}
	}
	return nil
}

// Run carries every page of the source through the stages to the outputs and
// returns the report. At the end the outputs get their names. It stops early with an error when the output cannot be
// written, when the source ends with a [Fatal] error, or when ctx is done; what
// was reported and checkpointed by then is exactly what was written. A call of
// the source or of a stage that hangs then is left behind. Bad input and failed
// pages are counted in the report and stop nothing.
func Run(ctx context.Context, job Job, cfg Config) (*Report, error) {
	if job.Start.Done {
		return job.Start.Report, job.publish()
	}
	cfg = cfg.withDefaults()
	if job.Save != nil {
		if _, ok := job.Source.(Marker); !ok {
			return nil, errors.New("checkpoints need a source that knows its place")
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	flight := budget.New(cfg.FlightBytes)
	defer flight.StopWith(ctx)()
	memory := budget.New(cfg.PageMemory)
	defer memory.StopWith(ctx)()

	work := make(chan *batch, cfg.Workers)
	order := make(chan *batch, 4*cfg.Workers)
	var group sync.WaitGroup
	group.Go(func() {
		defer close(work)
		defer close(order)
		read(ctx, &job, cfg, flight, work, order)
	})
	for range cfg.Workers {
		group.Go(func() {
			w := newWorker(ctx, &job, cfg.PageTime, memory)
			defer w.stop()
			for b := range work {
				b.run(ctx, w)
			}
		})
	}
	c := &collector{job: &job, cfg: cfg, flight: flight, began: time.Now()}
	c.packed = slices.ContainsFunc(job.sinks(), func(s Sink) bool { t, ok := s.(Cutter); return ok && t.Packed() })
	err := c.collect(ctx, order)
	if err == nil {
		err = job.publish()
	}
	cancel()
	ended := make(chan struct{})
	go func() { group.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(farewell):
	}
	return c.state.Report, err
}

// farewell is how long a run that ends waits for its workers to come back.
const farewell = time.Second

// batch is a stretch of the input: pages, and errors where pieces of input
// could not be read.
type batch struct {
	items []item
	bytes int64
	mark  []byte         // where the next batch begins
	skip  map[string]int // parts of the input that were passed, by kind
	end   error          // what ended the source, in the last batch
	done  chan struct{}
}

// item is a page and then its outcome, or an error of the source.
type item struct {
	p   *page.Page
	out outcome
	err error
}

// run carries the pages of b through the stages.
func (b *batch) run(ctx context.Context, w *worker) {
	defer close(b.done)
	for i := range b.items {
		it := &b.items[i]
		if it.p == nil {
			continue
		}
		if ctx.Err() != nil {
			return // the collector drops b
		}
		it.out = w.do(it.p)
		it.p = nil
	}
}

// read cuts the source into batches until it ends or ctx is done.
func read(ctx context.Context, job *Job, cfg Config, flight *budget.Budget, work, order chan<- *batch) {
	var b *batch
	skipper, _ := job.Source.(Skipper)
	passed := map[string]int{}
	send := func() bool {
		if skipper != nil {
			b.skip = since(passed, skipper.Skipped())
		}
		if job.Save != nil {
			mark, err := job.Source.(Marker).Mark()
			if err != nil && b.end == nil {
				b.end = fmt.Errorf("checkpoint: %w", err)
			}
			b.mark = mark
		}
		for _, to := range []chan<- *batch{order, work} {
			select {
			case to <- b:
			case <-ctx.Done():
				return false
			}
		}
		return true
	}
	for ctx.Err() == nil {
		if b == nil {
			b = &batch{done: make(chan struct{})}
		}
		p, err := next(job.Source)
		var fatal *Fatal
		switch {
		case err == io.EOF || errors.As(err, &fatal):
			b.end = err
			send()
			return
		case err != nil:
			b.items = append(b.items, item{err: err})
		default:
			n := int64(len(p.Raw) + len(p.HTML))
			// The bytes of the batch at hand are given back only after it is
			// sent, so take must not wait for them.
			if !flight.Take(n, b.bytes) {
				return
			}
			b.items = append(b.items, item{p: p})
			b.bytes += n
		}
		if len(b.items) >= cfg.BatchPages || b.bytes >= int64(cfg.BatchBytes) {
			if !send() {
				return
			}
			b = nil
		}
	}
}

// since returns what was counted in now since last, which it brings up to date.
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

// next is Source.Next. After a panic nobody knows where the source stands.
func next(src Source) (p *page.Page, err error) {
	if fault := panics.Catch(func() error { p, err = src.Next(); return nil }); fault != nil {
		return nil, &Fatal{fmt.Errorf("reading the input: %w", fault)}
	}
	return p, err
}

// collector writes what the workers made, in order.
type collector struct {
	job    *Job
	cfg    Config
	flight *budget.Budget
	began  time.Time
	state  State
	base   time.Duration
	saved  time.Time
	pages  int64 // at the last checkpoint
	safe   State // where the outputs were last cut
	packed bool  // one of them is, and it is cut where one is full
}

// collect takes the batches in order until the source ends or ctx is done.
func (c *collector) collect(ctx context.Context, order <-chan *batch) error {
	c.state = c.job.Start
	c.state.Report = c.job.Start.Report.copy()
	c.base = c.state.Report.Elapsed
	c.saved = c.began
	for {
		var b *batch
		select {
		case b = <-order:
		case <-ctx.Done():
		}
		if b != nil {
			select {
			case <-b.done:
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			err := context.Cause(ctx)
			return errors.Join(err, c.checkpoint(ctx, false))
		}
		if b == nil {
			return errors.New("source stopped without an end")
		}
		if err := c.write(b); err != nil {
			return err
		}
		for kind, n := range b.skip {
			c.state.Report.Skipped[kind] += int64(n)
		}
		c.flight.Give(b.bytes)
		if b.mark != nil {
			c.state.Mark = b.mark
		}
		ended := b.end == io.EOF
		c.tick()
		if c.full() {
			if err := c.cut(false); err != nil {
				return &Fatal{err}
			}
		}
		if c.cfg.OnProgress != nil {
			c.cfg.OnProgress(c.state.Report)
		}
		if ended || b.end != nil || c.due() {
			if err := c.checkpoint(ctx, ended); err != nil {
				return err
			}
		}
		if ended {
			return nil
		}
		if b.end != nil {
			return b.end
		}
	}
}

// full tells that an output wants to be cut.
func (c *collector) full() bool {
	if !c.packed {
		return false
	}
	return slices.ContainsFunc(c.job.sinks(), func(s Sink) bool { t, ok := s.(Cutter); return ok && t.Full() })
}

// cut notes the state, and lets a run go on from there.
func (c *collector) cut(done bool) (err error) {
	c.tick()
	c.safe = c.state
	c.safe.Report, c.safe.Done = c.state.Report.copy(), done
	c.safe.Outputs = make([]int64, len(c.job.Outputs))
	for i, o := range c.job.Outputs {
		if c.safe.Outputs[i], err = o.Sink.Cut(); err != nil {
			return err
		}
	}
	if c.job.Errors != nil {
		c.safe.ErrorList, err = c.job.Errors.Cut()
	}
	return err
}

func (c *collector) tick() { c.state.Report.Elapsed = c.base + time.Since(c.began) }

// write puts the records and errors of b.
func (c *collector) write(b *batch) error {
	for i := range b.items {
		it := &b.items[i]
		rep := c.state.Report
		if err := it.err; err != nil {
			if errors.Is(err, page.ErrEmpty) {
				rep.EmptyFiles++
			} else {
				rep.BadPieces++
				rep.addError(cmp.Or(page.AsError(err).File, "?"))
			}
			if err := c.tell(err); err != nil {
				return err
			}
			continue
		}
		if err := it.out.err; err != nil {
			rep.Failed++
			rep.addError(cmp.Or(page.AsError(err).File, "?"))
			if err := c.tell(err); err != nil {
				return err
			}
		}
		rec, size := &it.out.rec, 0
		for k, o := range c.job.Outputs {
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

// tell tells of err and lists it.
func (c *collector) tell(err error) error {
	at := page.AsError(err)
	if c.cfg.OnError != nil {
		c.cfg.OnError(at)
	}
	if c.job.Errors == nil {
		return nil
	}
	line := append([]byte(termsafe.Line(panics.Detail(err))), '\n')
	if err := c.job.Errors.Put(&Record{Bytes: line}); err != nil {
		return &Fatal{err}
	}
	return nil
}

func (c *collector) due() bool {
	return time.Since(c.saved) >= c.cfg.Checkpoint || c.state.Report.Pages-c.pages >= c.cfg.CheckpointPages
}

// checkpoint brings what was written to stable storage, then saves the state
// that says so.
func (c *collector) checkpoint(ctx context.Context, done bool) error {
	if c.job.Save == nil && !done {
		return nil
	}
	for _, o := range c.job.Outputs {
		if f, ok := o.Sink.(Finisher); ok && done {
			if err := f.Finish(ctx); err != nil {
				return &Fatal{err}
			}
		}
	}
	if done || !c.packed {
		if err := c.cut(done); err != nil {
			return &Fatal{err}
		}
	}
	for _, s := range c.job.sinks() {
		if err := s.Sync(); err != nil {
			return &Fatal{err}
		}
	}
	c.tick()
	c.saved, c.pages = time.Now(), c.state.Report.Pages
	if c.job.Save == nil || c.safe.Report == nil { // the run goes on from where it began
		return nil
	}
	if err := c.job.Save(&c.safe); err != nil {
		return &Fatal{fmt.Errorf("checkpoint: %w", err)}
	}
	return nil
}
