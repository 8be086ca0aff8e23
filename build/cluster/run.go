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
)

// Run does the tasks of a worker.
func Run(ctx context.Context, job Job) (*Result, error) {
	s, err := Open(ctx, job)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	j, p := s.job, s.Plan
	res := &Result{Plan: p}
	for {
		last, err := j.steps(ctx, p, res)
		if err != nil || !j.Worker.Lease || len(res.Bad) > 0 {
			return res, err
		}
		waited := res.Waits != ""
		if settled, err := j.settle(ctx, p, last, res); err != nil || !settled || !waited {
			return res, err
		}
		res.Found = -res.Completed // they are found again
	}
}

// steps does the worker's tasks of all steps that can start, and returns the index of the
// last one.
func (j *Job) steps(ctx context.Context, p *Plan, res *Result) (last int, err error) {
	res.Waits, res.Missing = "", 0
	for i := range j.Steps {
		last = i
		if err := j.step(ctx, p, i, res); err != nil || res.Waits != "" || j.Steps[i].Name == j.Until {
			return last, err
		}
	}
	return last, nil
}

// step does the worker's tasks of a step.
func (j *Job) step(ctx context.Context, p *Plan, i int, res *Result) (err error) {
	list := j.mine(p, p.Steps[i].Tasks)
	if i == 0 || !j.Steps[i].All {
		if list, err = j.tasks(ctx, p, i, list, res); err != nil || len(list) == 0 {
			return err
		}
		if j.Wait <= 0 {
			res.Waits, res.Missing = j.Steps[i].Name, len(list)
			return nil
		}
	}
	if err := j.await(ctx, p, i, res); err != nil || res.Waits != "" {
		return err
	}
	_, err = j.tasks(ctx, p, i, list, res)
	return err
}

// tasks does the given tasks of a step that are not done. It returns the tasks whose
// predecessor of the same number is not done by another worker yet.
func (j *Job) tasks(ctx context.Context, p *Plan, i int, list []int, res *Result) (waiting []int, err error) {
	s := &j.Steps[i]
	for _, n := range list {
		done, err := j.done(ctx, p, s.Name, n)
		if err != nil {
			return nil, err
		}
		if !done && !s.All && i > 0 {
			before, err := j.done(ctx, p, j.Steps[i-1].Name, n)
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
		switch did, err := j.take(ctx, p, s, n); {
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
func (j *Job) mine(p *Plan, tasks int) []int {
	order := make([]int, tasks)
	for i := range order {
		order[i] = i
	}
	if tasks == len(p.Shards) {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(p.Shards[b].Bytes(), p.Shards[a].Bytes())
		})
	}
	if j.Worker.Lease {
		return order
	}
	var mine []int
	for i := j.Worker.Rank; i < tasks; i += j.Worker.Of {
		mine = append(mine, order[i])
	}
	return mine
}

// await waits until the tasks of all steps before step i are done. It does not wait if tasks
// were skipped as bad, because these stay missing.
func (j *Job) await(ctx context.Context, p *Plan, i int, res *Result) error {
	until := time.Now().Add(j.Wait)
	first := 0 // earlier steps are done and stay done
	for {
		missing := 0
		for k := first; k < i; k++ {
			list, err := Missing(ctx, j.Out, p, p.Steps[k].Name)
			if err != nil {
				return err
			}
			if len(list) == 0 && k == first {
				first++
			}
			if (missing == 0 || !j.Steps[k].All) && j.Worker.Lease && j.Wait > 0 && len(res.Bad) == 0 { // its worker may be dead
				if _, err := j.tasks(ctx, p, k, list, res); err != nil {
					return err
				}
			}
			missing += len(list)
		}
		if missing == 0 {
			return nil
		}
		if len(res.Bad) > 0 || !time.Now().Before(until) {
			res.Waits, res.Missing = j.Steps[i].Name, missing
			return nil
		}
		if err := pause(ctx, min(time.Second, j.Wait)); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// take does a task unless another worker holds it.
func (j *Job) take(ctx context.Context, p *Plan, s *Step, n int) (did bool, err error) {
	if j.Worker.Lease {
		l, err := j.lease(ctx, s.Name, n)
		if err != nil || l == nil {
			return false, err
		}
		defer l.end()
		if done, err := j.done(ctx, p, s.Name, n); err != nil || done {
			return false, err
		}
	}
	t := &Task{Step: s.Name, Number: n, Plan: p, job: j}
	dir, err := disk.MkdirTemp(j.work, "task-")
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
	if j.OnTask != nil {
		j.OnTask(t)
	}
	start := time.Now()
	var pieces []Piece
	if s.Name == p.Steps[0].Name && !s.All && t.Count() == len(p.Shards) {
		pieces = p.Shards[n].Pieces
	}
	if t.Pieces, err = j.bring(ctx, pieces, filepath.Join(dir, "in")); err != nil {
		return false, err
	}
	if err := panics.Catch(func() error { return s.Do(ctx, t) }); err != nil {
		if e := j.unchanged(ctx, pieces); e != nil {
			err = e
		}
		return false, err
	}
	if err := j.unchanged(ctx, pieces); err != nil {
		return false, err
	}
	m := &Manifest{Task: t.Name(), Plan: p.id, Program: j.Program, Pieces: pieces, By: j.Worker.String()}
	if m.Report, err = json.Marshal(t.Report); err != nil {
		return false, err
	}
	return true, j.publish(ctx, t, m, start)
}

// publish publishes the outputs of a task, then its manifest.
func (j *Job) publish(ctx context.Context, t *Task, m *Manifest, start time.Time) error {
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
		return j.Out.Put(ctx, path.Join(t.Name(), f.Name), file, true)
	})
	if err != nil {
		return err
	}
	m.Seconds = time.Since(start).Seconds()
	b, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return j.put(ctx, manifestName(t.Step, t.Number), files.Seal(b), true)
}
