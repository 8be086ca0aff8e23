package dedup

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch/collection"
)

// worker sketches documents into buffers of its own.
type worker struct {
	run    *run
	sketch Sketcher
	bufs   []*buffer // one a table, that of the ranks last
	runs   [][]runFile
	err    error
	full   *atomic.Bool
	emit   func(int) []byte
}

func (r *run) newWorker(full *atomic.Bool) *worker {
	tables := r.tables()
	w := &worker{run: r, sketch: r.job.Method.Sketcher(), full: full, runs: make([][]runFile, len(tables))}
	for _, t := range tables {
		w.bufs = append(w.bufs, newBuffer(t, r.plan.records/int64(r.job.Jobs*len(tables))))
	}
	w.emit = w.room
	return w
}

// room returns room for a record of table t. Errors wait in w.err.
func (w *worker) room(t int) []byte {
	b := w.bufs[t]
	if b.full() {
		w.spill(t)
		b.data = b.data[:0] // after an error too
	}
	if len(b.data) > b.max/4*3 {
		w.full.Store(true)
	}
	return b.add()
}

func (w *worker) spill(t int) {
	x, err := w.run.write(w.bufs[t])
	if err != nil {
		w.err = errors.Join(w.err, err)
	} else if x != nil {
		w.runs[t] = append(w.runs[t], *x)
	}
}

func (w *worker) do(d *collection.Doc, num int64) {
	w.sketch.Sketch(d, num, w.emit)
	if w.run.job.Rank != ByInput {
		w.run.job.Rank.put(w.emit(len(w.bufs)-1), d, num)
	}
}

// task is a document on its way to a worker.
type task struct {
	doc *collection.Doc
	num int64
}

// batchBytes and batchDocs end a batch.
const batchBytes, batchDocs = 1 << 18, 64

// sketch reads the collection, from the last checkpoint, and fills the tables.
// The reader stops at checkpoints until all workers are done, so that what is
// on disk is always of the first so many documents.
func (r *run) sketch(ctx context.Context, src Source) error {
	if r.m.Sketched {
		return nil
	}
	return r.timed("sketch", func() error { return r.sketchAll(ctx, src) })
}

func (r *run) sketchAll(ctx context.Context, src Source) (err error) {
	if r.m.Mark != nil {
		if err := src.Goto(r.m.Mark); err != nil {
			return err
		}
	}
	ids, err := openIDs(r.dir, r.m.IDs, r.m.Docs)
	if err != nil {
		return err
	}
	defer ids.close()
	var full atomic.Bool
	var busy sync.WaitGroup // batches that are not done
	flight := newBudget(r.plan.flight)
	defer flight.stopWith(ctx)()
	batches := make(chan []task, r.job.Jobs)
	workers := make([]*worker, r.job.Jobs)
	var alive sync.WaitGroup
	for i := range workers {
		w := r.newWorker(&full)
		workers[i] = w
		alive.Go(func() {
			for b := range batches {
				for _, t := range b {
					n := docCost(t.doc)
					w.do(t.doc, t.num)
					src.Release(t.doc)
					flight.give(n)
				}
				busy.Done()
			}
		})
	}
	defer alive.Wait()
	defer close(batches)
	var batch []task
	size := 0
	send := func() {
		if len(batch) > 0 {
			busy.Add(1)
			batches <- batch
			batch, size = nil, 0
		}
	}
	safe := time.Now()
	docs := r.m.Docs
	for {
		if full.Load() || time.Since(safe) > r.job.Checkpoint {
			send()
			busy.Wait()
			if err := r.checkpoint(workers, ids, docs, src); err != nil {
				return err
			}
			full.Store(false)
			safe = time.Now()
		}
		d, err := src.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if docs&0xff == 0 {
			done, total := src.Progress()
			r.job.Progress("sketch", done, total)
		}
		if err := ids.add(d.ID); err != nil {
			return err
		}
		cost := docCost(d)
		if !flight.tryTake(cost) {
			send() // what waits here would never be done
			if !flight.take(cost) {
				return ctx.Err()
			}
		}
		batch = append(batch, task{d, r.m.Indexed + docs})
		docs++
		if size += int(cost); size >= batchBytes || len(batch) == batchDocs {
			send()
		}
	}
	send()
	busy.Wait()
	r.m.Sketched = true
	return r.checkpoint(workers, ids, docs, src)
}

// docCost is what a document holds in memory, about.
func docCost(d *collection.Doc) int64 { return int64(2*len(d.Raw) + 64*len(d.Paras) + 512) }

// checkpoint makes safe what was sketched. No worker is at work.
func (r *run) checkpoint(workers []*worker, ids *idWriter, docs int64, src Source) error {
	err := parallel(len(workers), func(i int) error {
		for t := range workers[i].bufs {
			workers[i].spill(t)
		}
		return workers[i].err
	})
	if err != nil {
		return err
	}
	if err := ids.sync(); err != nil {
		return err
	}
	for t, table := range r.tables() {
		for _, w := range workers {
			r.m.Tables[table.Name].Runs = append(r.m.Tables[table.Name].Runs, w.runs[t]...)
			w.runs[t] = nil
		}
	}
	r.m.Docs, r.m.IDs = docs, ids.idState
	if r.m.Mark, err = src.Mark(); err != nil {
		return err
	}
	return r.save()
}
