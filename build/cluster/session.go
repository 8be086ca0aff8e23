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

// Session is a job running in one process. Its methods are safe for concurrent use.
type Session struct {
	// Plan is the plan of the job.
	Plan *Plan

	job    *Job
	work   *workdir.Folder
	unsync func() // ends the mode that [disk.Temporary] started for work
}

// Open starts a session of a job. It reads the existing plan or makes a new one. [Run] calls
// Open itself; use a session if another program assigns tasks to processes.
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

// Do runs a task of a step of the plan unless it is done.
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

// scratch creates a folder for temporary files. On a shared disk each machine has a separate
// folder, because locks may not be visible to other machines.
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
