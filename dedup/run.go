package dedup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"chaffinch/input/records"
	"chaffinch/internal/extsort"
	"chaffinch/internal/workdir"
)

// run is a run at work.
type run struct {
	cfg    Config
	plan   plan
	dir    string
	folder *extsort.Folder
	m      *manifest
	ranks  ranks
	index  *Index           // nil without one
	fresh  bool             // the work folder holds nothing worth keeping
	bad    int64            // bad pieces of the source that the manifest counts
	known  map[int64]string // ids of documents, in place of the files of the work folder

	// held holds the sketches of the whole input, nil if they are in tables. While it does, the
	// state of the run is not saved: a resumed run sketches again.
	held []Holder

	shards bool   // a step over shards
	part   Part   // of the marking
	asked  bitmap // documents that the method asks about, nil for all

	mu   sync.Mutex
	gone []extsort.Run // to remove once the manifest no longer names them
}

// Run removes duplicates from a collection.
func Run(ctx context.Context, cfg Config) (rep *Result, err error) {
	if cfg, err = cfg.withDefaults(); err != nil {
		return nil, err
	}
	r := &run{cfg: cfg, plan: newPlan(cfg.Memory - cfg.held()), dir: cfg.Work, part: wholeTask}
	if r.dir == "" {
		work, err := workdir.Temp()
		if err != nil {
			return nil, err
		}
		defer work.Close()
		r.dir = work.Path
	}
	unlock, err := r.openFolder()
	if err != nil {
		return nil, err
	}
	defer unlock()
	defer func() {
		if err != nil {
			err = blame(err, cfg.Index)
			if r.fresh || ctx.Err() == nil && r.m.empty() {
				err = errors.Join(err, r.clear())
			}
		}
	}()
	if err := r.openIndex(); err != nil {
		return nil, err
	}
	src, err := r.open(false)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if err := r.begin(src); err != nil {
		return nil, err
	}
	r.fresh = false
	defer r.ranks.close()
	if !r.m.Finished {
		if err := r.sketch(ctx, src); err != nil {
			return nil, err
		}
		if err := r.group(ctx); err != nil {
			return nil, err
		}
		if err := r.rewrite(ctx); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// fileSource reads a collection from files.
type fileSource struct{ *records.Reader }

// open opens the input. Only the first reading reports errors.
func (r *run) open(second bool) (src fileSource, err error) {
	in := r.cfg.Input
	if slices.Contains(r.cfg.Inputs, "-") {
		in.Stdin = r.stdin()
	}
	if second {
		in.OnError = nil
	} else if err := records.CheckOutputs(r.cfg.Inputs, in, r.cfg.Out, r.cfg.Dropped); err != nil {
		return src, err
	}
	src.Reader, err = records.Open(r.cfg.Inputs, in)
	return src, err
}

// tables returns the tables that sketching fills: the tables of the method and the
// tables of ranks and ids.
func (r *run) tables() []Table {
	t := slices.Clone(r.cfg.Method.Tables())
	if r.cfg.Rank != ByInput {
		t = append(t, rankTable)
	}
	if r.cfg.Rank != ByID || r.shards {
		t = append(t, orderTable)
	}
	return t
}

// keeps reports whether the index needs a table after grouping.
func (r *run) keeps(table string) bool {
	return r.cfg.Update && slices.ContainsFunc(r.cfg.Method.Tables(), func(t Table) bool { return t.Name == table })
}

// timed adds the duration of a step to the manifest.
func (r *run) timed(step string, do func() error) error {
	start := time.Now()
	err := do()
	r.m.Times[step] += time.Since(start).Seconds()
	return err
}

func sum(m map[string]float64) (s float64) {
	for _, x := range m {
		s += x
	}
	return s
}

// group decides.
func (r *run) group(ctx context.Context) error {
	const last = "group"
	if slices.Contains(r.m.Steps, last) {
		return nil
	}
	marks, err := r.newWriter(marksTable, r.plan.marks)
	if err != nil {
		return err
	}
	g := &Group{run: r, ctx: ctx, marks: marks, counts: map[string]int64{}}
	if err := g.rank(); err != nil {
		return err
	}
	if err := r.openRanks(r.plan.ranks); err != nil {
		return err
	}
	start, steps := time.Now(), sum(r.m.Times)
	err = r.cfg.Method.Group(ctx, g)
	r.m.Times[last] += time.Since(start).Seconds() - (sum(r.m.Times) - steps) // time outside steps
	if err != nil {
		return fmt.Errorf("%s: %w", r.cfg.Method.Name(), err)
	}
	for _, t := range r.m.Tables {
		if t.Name != marksTable.Name && !r.keeps(t.Name) && (r.cfg.Order != InID || t.Name != r.orderBy()) {
			r.remove(t.Name)
		}
	}
	r.held = nil
	return g.commit(last)
}
