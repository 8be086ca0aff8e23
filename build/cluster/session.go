package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/build/store"
	"chaffinch/internal/disk"
	"chaffinch/internal/workdir"
)

// Session is a job at work in one process. Its methods may be called from several
// goroutines.
type Session struct {
	// Plan is that of the job.
	Plan *Plan

	job    *Job
	work   *workdir.Folder
	unsync func() // ends what [disk.Temporary] began for work
}

// Open begins to work on a job: it makes the plan, or reads the one that is there. [Run]
// does so by itself; a session is for who says otherwise which process does which task.
func Open(ctx context.Context, job Job) (s *Session, err error) {
	j := &job
	if j.Lease <= 0 {
		j.Lease = 2 * time.Minute
	}
	if err := j.checkSteps(); err != nil {
		return nil, err
	}
	s = &Session{job: j}
	if s.work, err = j.scratch(); err != nil {
		return nil, err
	}
	j.work, j.known = s.work.Path, &manifests{}
	s.unsync = disk.Temporary(j.work)
	if s.Plan, err = j.plan(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close removes the temporary files.
func (s *Session) Close() error {
	s.unsync()
	return s.work.Close()
}

// Do does a task of a step that the plan has, unless it is done.
func (s *Session) Do(ctx context.Context, step Step, n int) error {
	done, err := s.job.done(ctx, s.Plan, step.Name, n)
	if err == nil && (!done || step.Again) {
		_, err = s.job.take(ctx, s.Plan, &step, n)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", taskName(step.Name, n), err)
	}
	return nil
}

func (j *Job) checkSteps() error {
	if j.Until == "" {
		return nil
	}
	var names []string
	for i := range j.Steps {
		names = append(names, j.Steps[i].Name)
	}
	if !slices.Contains(names, j.Until) {
		return fmt.Errorf("step %q: there are %v", j.Until, names)
	}
	return nil
}

// scratch makes a folder for temporary files. On a disk that several machines see each
// has one of its own: locks need not be seen from machine to machine.
func (j *Job) scratch() (*workdir.Folder, error) {
	dir := j.Scratch
	if f, ok := j.Out.(store.Folder); ok && dir == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		dir = f.Path(".work/" + filepath.Base(host))
		if err := disk.MkdirAll(dir); err != nil {
			return nil, err
		}
	}
	if dir == "" {
		return workdir.Temp()
	}
	return workdir.Make(dir)
}
