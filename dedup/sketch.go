package dedup

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch/input/records"
	"chaffinch/internal/extsort"
	"chaffinch/internal/panics"
	"chaffinch/internal/parallel"
	"chaffinch/internal/sorts"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// worker sketches documents into separate tables.
type worker struct {
	run    *run
	sketch Sketcher
	holder Holder // sketch while it holds sketches, else nil
	// mostHeld is the size of held sketches, in bytes, at which it is time for a checkpoint.
	mostHeld int64
	out      []*extsort.Writer // one per table, the rank tables last
	most     []int             // bytes of records that out may hold before it is time for a checkpoint
	seen     []int64           // bytes written to each table
	stop     *atomic.Bool
	err      error
	own      int // tables of the method
	spare    []byte
	emit     func(int) []byte
	failed   []failure
}

// failure is a document on which the method failed.
type failure struct {
	num int64
	err *page.Error
}

// rankShare is the initial fraction, 1/rankShare, of the memory for the records of
// ranks.
const rankShare = 16

func (r *run) newWorker(stop *atomic.Bool) (*worker, error) {
	w := &worker{run: r, sketch: r.cfg.Method.Sketcher(), stop: stop, own: len(r.cfg.Method.Tables())}
	tables := r.tables()
	w.out, w.most, w.seen = make([]*extsort.Writer, len(tables)), make([]int, len(tables)), make([]int64, len(tables))
	all := r.plan.records / int64(r.cfg.Workers)
	if w.mostHeld = min(all/heldShare, maxHeld/int64(r.cfg.Workers)); r.mayHold() {
		w.holder, _ = w.sketch.(Holder)
	}
	for i := range tables {
		share := all / rankShare
		if i < w.own {
			share = (all - share*int64(len(tables)-w.own)) / int64(w.own)
		}
		if err := w.open(i, tables[i], share); err != nil {
			return nil, err
		}
		w.spare = make([]byte, max(len(w.spare), tables[i].Record))
	}
	w.emit = w.newRecord
	return w, nil
}

func (w *worker) open(i int, t Table, memory int64) (err error) {
	w.out[i], err = w.run.newWriter(t, memory)
	w.most[i] = int(memory / 2 * 7 / 8)
	return err
}

// newRecord returns a buffer for a record of table t. The first error is kept in w.err.
func (w *worker) newRecord(t int) []byte {
	if w.err != nil {
		return w.spare
	}
	rec, err := w.out[t].Add()
	if err != nil {
		w.err = err
		w.stop.Store(true)
		return w.spare
	}
	w.seen[t] += int64(len(rec))
	return rec
}

// balance divides the memory among the tables by the bytes written to each, if the
// current division differs much.
func (w *worker) balance(tables []Table) error {
	var all int64
	for _, n := range w.seen {
		all += n
	}
	memory := w.run.plan.records / int64(w.run.cfg.Workers)
	for i, t := range tables {
		share := max(int64(float64(memory)*float64(w.seen[i])/float64(max(all, 1))), memory/128)
		if have := int64(w.most[i]) * 2; share > have+have/2 || share < have/2 {
			w.out[i] = nil
			if err := w.open(i, t, share); err != nil {
				return err
			}
		}
	}
	return nil
}

// do sketches d. If the method fails, only the records emitted before count, and the
// document is ranked like others.
func (w *worker) do(d *records.Doc, num int64) {
	if w.err != nil {
		return // the run ends with it
	}
	if err := panics.Catch(func() error { w.hold(d, num); return nil }); err != nil {
		w.failed = append(w.failed, failure{num, &page.Error{File: d.Source.File, Offset: -1, Err: fmt.Errorf("document %s is kept unchanged: %s: %w", d.ID, w.run.cfg.Method.Name(), err)}})
		w.release()
		w.sketch = w.run.cfg.Method.Sketcher() // the state of the old one is undefined
	}
	for t, out := range w.out {
		if out.Pending() > w.most[t] {
			w.stop.Store(true)
		}
	}
	for t := w.own; t < len(w.out); t++ {
		rule := ByID // of orderTable
		if t == w.own && w.run.cfg.Rank != ByInput {
			rule = w.run.cfg.Rank
		}
		rule.put(w.emit(t), d, num)
	}
}

// task is a document on its way to a worker.
type task struct {
	doc *records.Doc
	num int64
}

// batch holds the tasks that a worker takes at once.
type batch struct {
	tasks  []task
	memory int64
}

// batchBytes and batchDocs limit a batch.
const batchBytes, batchDocs = 1 << 18, 64

// sketching is the state of the first reading.
type sketching struct {
	*run
	src     Source
	ids     *idWriter
	workers []*worker
	stop    atomic.Bool // set by workers when it is time for a checkpoint
	docs    int64       // documents read
	ended   bool        // all documents are read
	saved   time.Time   // the last checkpoint
}

// sketch reads the collection from the last checkpoint and fills the tables. The
// reader stops at checkpoints until all workers are done, so that the files always
// describe a prefix of the documents.
func (r *run) sketch(ctx context.Context, src Source) error {
	if r.m.Sketched {
		return nil
	}
	if r.m.Mark != nil {
		if err := src.Goto(r.m.Mark); err != nil {
			return err
		}
	}
	ids, err := openIDs(r.dir, workIDs, r.m.IDs, r.m.Docs)
	if err != nil {
		return err
	}
	defer ids.close()
	s := &sketching{run: r, src: src, ids: ids, docs: r.m.Docs}
	for range r.cfg.Workers {
		w, err := r.newWorker(&s.stop)
		if err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	for !s.ended {
		s.saved = time.Now()
		if err := s.untilCheckpoint(ctx); err != nil {
			return err
		}
		r.m.Times["sketch"] += time.Since(s.saved).Seconds()
		s.stop.Store(false)
		r.m.Sketched = s.ended
		if err := r.checkpoint(s.workers, ids, s.docs, src); err != nil {
			return err
		}
	}
	return nil
}

// untilCheckpoint sketches documents until a checkpoint is due.
func (s *sketching) untilCheckpoint(ctx context.Context) error {
	return pipeline.Flow[batch]{
		Workers: len(s.workers), Memory: s.plan.flight, Size: func(b *batch) int64 { return b.memory },
		Read: func(b *batch) error { return s.read(ctx, b) },
		Work: func(w int, b *batch) error {
			for _, t := range b.tasks {
				s.workers[w].do(t.doc, t.num)
				s.src.Release(t.doc)
			}
			clear(b.tasks)
			return s.workers[w].err
		},
	}.Run(ctx)
}

// due reports whether it is time for a checkpoint. At least one document is read before.
func (s *sketching) due() bool {
	return s.docs > s.m.Docs && (s.stop.Load() || time.Since(s.saved) > s.cfg.Checkpoint)
}

// read reads a batch. It returns io.EOF at the end of the input and if a checkpoint is due.
func (s *sketching) read(ctx context.Context, b *batch) error {
	*b = batch{tasks: b.tasks[:0]}
	for b.memory < batchBytes && len(b.tasks) < batchDocs && !s.due() {
		d, err := s.src.Next()
		if s.ended = err == io.EOF; s.ended {
			break
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if s.docs&0x3f == 0 {
			done, total := s.src.Progress()
			s.cfg.Notify(pipeline.Status{Step: "sketch", Done: done, Total: total})
		}
		if err := s.ids.add(d.ID); err != nil {
			return err
		}
		b.tasks = append(b.tasks, task{d, s.m.Indexed + s.docs})
		b.memory += d.Memory()
		s.m.Bytes += int64(len(d.Raw))
		s.docs++
	}
	if len(b.tasks) == 0 {
		return io.EOF
	}
	return nil
}

// reportFailed counts and reports the documents on which the method failed, in order. No
// worker may be running.
func (r *run) reportFailed(workers []*worker) {
	var all []failure
	for _, w := range workers {
		all = append(all, w.failed...)
		w.failed = nil
	}
	sorts.Func(all, func(a, b failure) int { return cmp.Compare(a.num, b.num) })
	for _, f := range all {
		r.fail(f.err)
	}
}

// fail counts and reports a document on which the method or the program failed.
func (r *run) fail(err *page.Error) {
	r.m.Failed++
	if r.cfg.OnError != nil {
		r.cfg.OnError(err)
	}
}

// flushRepeated writes the tables of which the workers hold all records. It drops records that no
// step reads.
func (r *run) flushRepeated(workers []*worker) error {
	method, ok := r.cfg.Method.(SingletonIgnorer)
	if !ok || !r.m.Sketched || r.shards {
		return nil
	}
	for i, t := range r.cfg.Method.Tables() {
		state := r.m.Tables[t.Name]
		if !method.IgnoresSingletons(t.Name) || r.keeps(t.Name) || len(state.Runs) > 0 {
			continue
		}
		var writers []*extsort.Writer
		for _, w := range workers {
			writers = append(writers, w.out[i])
		}
		runs, err := extsort.FlushRepeated(writers, t.Key)
		if err != nil {
			return err
		}
		state.Runs = runs
	}
	return nil
}

// checkpoint writes the sketches to stable storage. No worker may be running.
func (r *run) checkpoint(workers []*worker, ids *idWriter, docs int64, src Source) error {
	tables := r.tables()
	r.reportFailed(workers)
	r.settle(workers)
	for _, w := range workers {
		if w.err != nil {
			return w.err
		}
	}
	if err := r.flushRepeated(workers); err != nil {
		return err
	}
	var mu sync.Mutex
	err := parallel.All(len(workers), func(i int) error {
		w := workers[i]
		for t, out := range w.out {
			runs, err := out.Flush()
			if err != nil {
				return err
			}
			mu.Lock()
			state := r.m.Tables[tables[t].Name]
			state.Runs = append(state.Runs, runs...)
			mu.Unlock()
		}
		return w.balance(tables)
	})
	if err != nil {
		return err
	}
	if err := ids.sync(); err != nil {
		return err
	}
	r.m.Docs, r.m.IDs = docs, ids.idState
	if b, ok := src.(interface{ Bad() int64 }); ok {
		r.m.Bad, r.bad = r.m.Bad+b.Bad()-r.bad, b.Bad()
	}
	if r.m.Mark, err = src.Mark(); err != nil {
		return err
	}
	return r.save()
}
