package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/periodic"
)

// Run does the tasks of a worker.
func Run(ctx context.Context, work Work) (*Result, error) {
	s, err := Open(ctx, work)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	w, p := s.work, s.Plan
	res := &Result{Plan: p}
	for {
		last, err := w.steps(ctx, p, res)
		if err != nil || !w.Worker.Lease || len(res.Bad) > 0 {
			return res, err
		}
		waited := res.Waits != ""
		if settled, err := w.settle(ctx, p, last, res); err != nil || !settled || !waited {
			return res, err
		}
		res.Found = -res.Completed // they are found again
	}
}

// steps does the worker's tasks of all steps that can start, and returns the index of the
// last one.
func (w *Work) steps(ctx context.Context, p *Plan, res *Result) (last int, err error) {
	res.Waits, res.Missing = "", 0
	for i := range w.Steps {
		last = i
		if err := w.step(ctx, p, i, res); err != nil || res.Waits != "" || w.Steps[i].Name == w.Until {
			return last, err
		}
	}
	return last, nil
}

// step does the worker's tasks of a step.
func (w *Work) step(ctx context.Context, p *Plan, i int, res *Result) (err error) {
	list := w.mine(p, p.Steps[i].Tasks)
	if i == 0 || !w.Steps[i].All {
		if list, err = w.tasks(ctx, p, i, list, res); err != nil || len(list) == 0 {
			return err
		}
		if w.Wait <= 0 {
			res.Waits, res.Missing = w.Steps[i].Name, len(list)
			return nil
		}
	}
	if err := w.await(ctx, p, i, res); err != nil || res.Waits != "" {
		return err
	}
	_, err = w.tasks(ctx, p, i, list, res)
	return err
}

// tasks does the given tasks of a step that are not done. It returns the tasks whose
// predecessor of the same number is not done by another worker yet.
func (w *Work) tasks(ctx context.Context, p *Plan, i int, list []int, res *Result) (waiting []int, err error) {
	s := &w.Steps[i]
	for _, n := range list {
		done, err := w.done(ctx, p, s.Name, n)
		if err != nil {
			return nil, err
		}
		if !done && !s.All && i > 0 {
			before, err := w.done(ctx, p, w.Steps[i-1].Name, n)
			if err != nil {
				return nil, err
			}
			if !before {
				waiting = append(waiting, n)
				continue
			}
		}
		if done {
			res.Found++
			continue
		}
		switch did, err := w.take(ctx, p, s, n); {
		case errors.Is(err, ErrInput):
			res.Bad = append(res.Bad, err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", taskName(s.Name, n), err)
		case did:
			res.Completed++
		}
	}
	return waiting, nil
}

// mine returns the tasks of the worker, large shards first.
func (w *Work) mine(p *Plan, tasks int) []int {
	order := make([]int, tasks)
	for i := range order {
		order[i] = i
	}
	if tasks == len(p.Shards) {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(p.Shards[b].Bytes(), p.Shards[a].Bytes())
		})
	}
	if w.Worker.Lease {
		return order
	}
	var mine []int
	for i := w.Worker.Rank; i < tasks; i += w.Worker.Of {
		mine = append(mine, order[i])
	}
	return mine
}

// await waits until the tasks of all steps before step i are done. It does not wait if tasks
// were skipped as bad, because these stay missing.
func (w *Work) await(ctx context.Context, p *Plan, i int, res *Result) error {
	until := time.Now().Add(w.Wait)
	first := 0 // earlier steps are done and stay done
	for {
		missing := 0
		for k := first; k < i; k++ {
			list, err := Missing(ctx, w.Out, p, p.Steps[k].Name)
			if err != nil {
				return err
			}
			if len(list) == 0 && k == first {
				first++
			}
			if (missing == 0 || !w.Steps[k].All) && w.Worker.Lease && w.Wait > 0 && len(res.Bad) == 0 { // its worker may be dead
				if _, err := w.tasks(ctx, p, k, list, res); err != nil {
					return err
				}
			}
			missing += len(list)
		}
		if missing == 0 {
			return nil
		}
		if len(res.Bad) > 0 || !time.Now().Before(until) {
			res.Waits, res.Missing = w.Steps[i].Name, missing
			return nil
		}
		if err := periodic.Pause(ctx, min(time.Second, w.Wait)); err != nil {
			return err
		}
	}
}

// take does a task unless another worker holds it.
func (w *Work) take(ctx context.Context, p *Plan, s *Step, n int) (did bool, err error) {
	if w.Worker.Lease {
		l, err := w.lease(ctx, s.Name, n)
		if err != nil || l == nil {
			return false, err
		}
		defer l.end()
		if done, err := w.done(ctx, p, s.Name, n); err != nil || done {
			return false, err
		}
	}
	t := &Task{Step: s.Name, Number: n, Plan: p, work: w}
	dir, err := disk.MkdirTemp(w.temp, "task-")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, disk.RemoveAll(dir)) }()
	t.Out, t.Work = filepath.Join(dir, "out"), filepath.Join(dir, "work")
	for _, d := range []string{t.Out, t.Work} {
		if err := disk.MkdirAll(d); err != nil {
			return false, err
		}
	}
	if w.OnTask != nil {
		w.OnTask(t)
	}
	start := time.Now()
	var pieces []Piece
	if s.Name == p.Steps[0].Name && !s.All && t.Count() == len(p.Shards) {
		pieces = p.Shards[n].Pieces
	}
	var in *fetching
	if t.Pieces, in, err = w.bring(ctx, pieces, filepath.Join(dir, "in")); err != nil {
		return false, err
	}
	defer in.end()
	if !s.Streams {
		err = in.wait()
	}
	if err == nil {
		err = panics.Catch(func() error { return s.Do(ctx, t) })
	}
	if e := in.failed(); e != nil { // to a reader, the rest of the files cannot be read
		err = e
	}
	if err != nil {
		if e := w.unchanged(ctx, pieces); e != nil {
			err = e
		}
		return false, err
	}
	if err := w.unchanged(ctx, pieces); err != nil {
		return false, err
	}
	m := &Manifest{Task: t.Name(), Plan: p.id, Program: w.Program, Pieces: pieces, By: w.Worker.String()}
	if m.Report, err = json.Marshal(t.Report); err != nil {
		return false, err
	}
	return true, w.publish(ctx, t, m, start)
}

// publish publishes the outputs of a task, then its manifest.
func (w *Work) publish(ctx context.Context, t *Task, m *Manifest, start time.Time) error {
	err := filepath.WalkDir(t.Out, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(t.Out, file)
		if err != nil {
			return err
		}
		f := File{Name: filepath.ToSlash(rel)}
		if f.Bytes, f.SHA256, err = sumOf(ctx, file); err != nil {
			return err
		}
		m.Files = append(m.Files, f)
		// An existing output is from a worker that was killed before it wrote its manifest.
		return w.Out.Put(ctx, path.Join(t.Name(), f.Name), file, true)
	})
	if err != nil {
		return err
	}
	m.Seconds = time.Since(start).Seconds()
	b, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return w.put(ctx, manifestName(t.Step, t.Number), files.Seal(b), true)
}
