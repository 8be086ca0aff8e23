package dedup

import (
	"chaffinch/input/records"
	"chaffinch/internal/parallel"
)

// heldShare is the fraction, 1/heldShare, of the memory for records that held sketches may take. The
// method needs more for its tables of them.
const heldShare = 4

// maxHeld is the maximum size of held sketches in bytes. One goroutine decides on their documents, so
// with many workers the tables are faster for more.
const maxHeld = 512 << 20

// mayHold reports whether workers may hold sketches: no index and no other process reads the
// records, and no checkpoint has been made.
func (r *run) mayHold() bool { return r.cfg.Index == "" && !r.shards && r.m.Docs == 0 }

// hold holds the sketch of a document, or emits its records.
func (w *worker) hold(d *records.Doc, num int64) {
	if w.holder == nil {
		w.sketch.Sketch(d, num, w.emit)
	} else if w.holder.Hold(d, num) > w.mostHeld {
		w.stop.Store(true)
	}
}

// release emits the records of held sketches. Later ones are not held.
func (w *worker) release() {
	if w.holder != nil {
		w.holder.Emit(w.emit)
		w.holder = nil
	}
}

// settle leaves the sketches in memory if they are the sketches of the whole input. Otherwise the
// records of all of them are emitted. No worker may be running.
func (r *run) settle(workers []*worker) {
	all := r.m.Sketched
	for _, w := range workers {
		all = all && w.holder != nil
	}
	if !all {
		parallel.Each(len(workers), len(workers), func(i int) { workers[i].release() })
		return
	}
	for _, w := range workers {
		r.held = append(r.held, w.holder)
	}
}

// Held returns the sketchers that hold the sketches of all documents, nil if the sketches are in the
// tables.
func (g *Group) Held() []Holder { return g.run.held }
