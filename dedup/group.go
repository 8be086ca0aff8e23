package dedup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"chaffinch/internal/extsort"
	"chaffinch/internal/parallel"
	"chaffinch/pipeline"
)

// Group gives a method the sorted tables and the data on documents that it needs to
// decide. Its methods may be called from several goroutines unless stated otherwise.
type Group struct {
	run *run
	ctx context.Context

	mu     sync.Mutex
	marks  *extsort.Writer
	open   []*Sorter
	err    error // of Rank
	counts map[string]int64
}

// Docs returns the number of documents of the index and the input together. Documents
// are numbered from 0; see [Group.Indexed].
func (g *Group) Docs() int64 { return g.run.m.Indexed + g.run.m.Docs }

// Indexed returns the number of documents of the index that the input is compared
// with, 0 without an index. Their numbers are below it, and they rank better than all
// documents of the input.
func (g *Group) Indexed() int64 { return g.run.m.Indexed }

// Memory returns the number of bytes that a method may hold in addition to the tables
// that it reads and writes.
func (g *Group) Memory() int64 { return g.run.plan.method }

// Dir returns the work folder. Names of files that a method creates and removes there
// begin with "group-", so that a resumed run recognises them.
func (g *Group) Dir() string { return g.run.dir }

// Workers returns the number of goroutines that should work at the same time.
func (g *Group) Workers() int { return g.run.cfg.Workers }

// Rank returns the rank of a document. Of several copies the one with the smallest
// rank stays. Ranks are a permutation of the document numbers.
func (g *Group) Rank(doc int64) int64 {
	r, err := g.run.ranks.at(doc)
	if err != nil {
		g.mu.Lock()
		g.err = cmp.Or(g.err, err)
		g.mu.Unlock()
	}
	return r
}

// Sorted reads a table from its first record to the last. A record is valid
// until the next one and must not be changed. A table that is being filled
// cannot be read.
func (g *Group) Sorted(table string) iter.Seq2[[]byte, error] {
	return g.watched(g.run.scan(table, g.run.plan.merge, nil, nil))
}

// watched yields the records of in until ctx is cancelled or a rank cannot be read. It
// checks both every 4096 records, so that methods need not.
func (g *Group) watched(in iter.Seq2[[]byte, error]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		n := 0
		for rec, err := range in {
			if n++; n&0xfff == 0 && err == nil {
				err = g.fault()
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Parts cuts a table into at most [Group.Workers] parts of about the same size, to be
// read at the same time. Records with the same key are in the same part. While a part
// is read, the tables beside can be read with [Group.OpenFrom].
func (g *Group) Parts(table string, beside ...string) ([]iter.Seq2[[]byte, error], error) {
	t, err := g.run.ready(table)
	if err != nil {
		return nil, err
	}
	runs := max(len(t.Runs), 1)
	for _, name := range beside {
		b, err := g.run.ready(name)
		if err != nil {
			return nil, err
		}
		runs = max(runs, len(b.Runs))
	}
	n := extsort.MaxRuns(g.run.plan.merge) / runs // as many as there is memory for
	cuts, err := g.run.folder.Split(t.Runs, min(max(n, 1), g.Workers()), t.Key)
	if err != nil {
		return nil, err
	}
	var parts []iter.Seq2[[]byte, error]
	var from []byte
	for _, to := range append(cuts, nil) {
		parts = append(parts, g.watched(g.run.scan(table, g.run.plan.merge/int64(len(cuts)+1), from, to)))
		from = to
	}
	return parts, nil
}

// Records are the records of a group, all with the same key.
type Records struct {
	record int
	buf    []byte // the first of them, or all
	spill  *spill
	n      int64
}

// Len returns the number of records.
func (r *Records) Len() int64 { return r.n }

// All reads the records in order. It may be called repeatedly.
func (r *Records) All() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i := 0; i < len(r.buf); i += r.record {
			if !yield(r.buf[i:i+r.record], nil) {
				return
			}
		}
		if r.spill != nil {
			r.spill.all(r.record, yield)
		}
	}
}

// Groups calls fn for each group of a table, on as many goroutines as there are parts.
// worker, less than [Group.Workers], identifies the goroutine. Each worker gets its
// groups in order. Groups may have any size: records that exceed the memory are on
// disk.
func (g *Group) Groups(table string, fn func(worker int, group *Records) error) error {
	t, err := g.run.ready(table)
	if err != nil {
		return err
	}
	parts, err := g.Parts(table)
	if err != nil {
		return err
	}
	return parallel.All(len(parts), func(w int) error {
		r := Records{record: t.Record}
		room := max(int(g.run.plan.groups/int64(len(parts)))/t.Record, 1) * t.Record
		for rec, err := range parts[w] {
			if err != nil {
				return err
			}
			if r.n > 0 && !bytes.Equal(r.buf[:t.Key], rec[:t.Key]) {
				if err := r.hand(w, fn); err != nil {
					return err
				}
			}
			if len(r.buf)+t.Record <= room {
				r.buf = append(r.buf, rec...)
			} else if err := r.toDisk(g.run.dir, rec); err != nil {
				return err
			}
			r.n++
		}
		if r.n == 0 {
			return nil
		}
		return r.hand(w, fn)
	})
}

// hand calls fn and empties r.
func (r *Records) hand(worker int, fn func(int, *Records) error) error {
	err := fn(worker, r)
	if r.spill != nil {
		err = errors.Join(err, r.spill.close())
		r.spill = nil
	}
	r.buf, r.n = r.buf[:0], 0
	return err
}

// NewTable begins a table, to be filled in the current step. At the end of the step
// the table is sorted and on stable storage, and can be read. A few tables may be open
// at the same time.
func (g *Group) NewTable(t Table) (*Sorter, error) {
	s := &Sorter{g: g, state: &tableState{Table: t}, parts: make([]*extsort.Writer, g.Workers())}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.run.m.Tables[t.Name] != nil || slices.ContainsFunc(g.open, func(o *Sorter) bool { return o.state.Name == t.Name }) {
		return nil, fmt.Errorf("dedup: a table %q is there already", t.Name)
	}
	g.open = append(g.open, s)
	return s, nil
}

// Remove frees the disk space of a table when the current step is done.
func (g *Group) Remove(table string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.run.keeps(table) {
		g.run.remove(table)
	}
}

// Sorter fills a table.
type Sorter struct {
	g     *Group
	state *tableState
	parts []*extsort.Writer // one per worker, created on first use
}

// Add returns a buffer for one record, to be filled before the next call with the same
// worker. Workers are numbered from 0 to [Group.Workers]-1. Calls with different workers
// may be concurrent.
func (s *Sorter) Add(worker int) ([]byte, error) {
	w := s.parts[worker]
	if w == nil {
		var err error
		if w, err = s.g.run.newWriter(s.state.Table, s.g.run.plan.table/int64(s.g.Workers())); err != nil {
			return nil, err
		}
		s.parts[worker] = w
	}
	return w.Add()
}

// Mark records the finding about a document or paragraph, at most once for each. Units
// without a mark are unique and stay. A document whose paragraphs are all dropped is
// dropped without a mark. Marks of documents of the index are ignored.
func (g *Group) Mark(m Mark) error {
	if m.Doc < g.Indexed() {
		return nil
	}
	m.fromIndex(g.Indexed())
	g.mu.Lock()
	defer g.mu.Unlock()
	rec, err := g.marks.Add()
	if err != nil {
		return err
	}
	m.put(rec)
	return nil
}

// Count adds n to a counter of the report, such as the number of compared pairs.
func (g *Group) Count(name string, n int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.counts[name] += n
}

// Done reports whether a step is finished.
func (g *Group) Done(step string) bool { return slices.Contains(g.run.m.Steps, step) }

// Step does a part of the work. Its results (tables, marks, counts) are on stable
// storage when it returns; a resumed run skips it. Steps run one after another and are
// not nested. Marks made outside steps are stored when Group returns.
func (g *Group) Step(name string, do func() error) error {
	if g.Done(name) {
		return nil
	}
	g.run.cfg.Notify(pipeline.Status{Step: name})
	return g.run.timed(name, func() error {
		if err := do(); err != nil {
			return err
		}
		return g.commit(name)
	})
}

// commit writes the results of a step to stable storage.
func (g *Group) commit(step string) error {
	if g.err != nil {
		return g.err
	}
	type part struct {
		w  *extsort.Writer
		to *tableState
	}
	parts := []part{{g.marks, g.run.m.Tables[marksTable.Name]}}
	for _, s := range g.open {
		for _, w := range s.parts {
			if w != nil {
				parts = append(parts, part{w, s.state})
			}
		}
	}
	runs, errs := make([][]extsort.Run, len(parts)), make([]error, len(parts))
	parallel.Each(g.Workers(), len(parts), func(i int) { runs[i], errs[i] = parts[i].w.Flush() })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i, p := range parts {
		p.to.Runs = append(p.to.Runs, runs[i]...)
	}
	for _, s := range g.open {
		g.run.m.Tables[s.state.Name] = s.state
	}
	g.open = nil
	for k, n := range g.counts {
		g.run.m.Counts[k] += n
	}
	clear(g.counts)
	g.run.m.Steps = append(g.run.m.Steps, step)
	return g.run.save()
}
