package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/build/store"
	"chaffinch/internal/disk"
	"chaffinch/internal/workdir"
)

// Session is work running in one process. Its methods are safe for concurrent use.
type Session struct {
	// Plan is the plan of the work.
	Plan *Plan

	work   *Work
	temp   *workdir.Folder
	unsync func() // ends the mode that [disk.Temporary] started for temp
}

// defaultLease is the default of [Work.Lease].
const defaultLease = 2 * time.Minute

// Open starts a session of work. It reads the existing plan or makes a new one. [Run] calls
// Open itself; use a session if another program assigns tasks to processes.
func Open(ctx context.Context, work Work) (s *Session, err error) {
	w := &work
	if w.Lease <= 0 {
		w.Lease = defaultLease
	}
	if err := w.checkSteps(); err != nil {
		return nil, err
	}
	s = &Session{work: w}
	if s.temp, err = w.scratch(); err != nil {
		return nil, err
	}
	w.temp, w.known = s.temp.Path, &manifests{}
	s.unsync = disk.Temporary(w.temp)
	if s.Plan, err = w.plan(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close removes the temporary files.
func (s *Session) Close() error {
	s.unsync()
	err := s.temp.Close()
	if dir := s.work.own(); dir != "" && err == nil {
		_ = disk.Remove(dir) // fails while another process uses it
		_ = disk.Remove(filepath.Dir(dir))
	}
	return err
}

// Do runs a task of a step of the plan unless it is done.
func (s *Session) Do(ctx context.Context, step Step, n int) error {
	done, err := s.work.done(ctx, s.Plan, step.Name, n)
	if err == nil && (!done || step.Again) {
		_, err = s.work.take(ctx, s.Plan, &step, n)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", taskName(step.Name, n), err)
	}
	return nil
}

func (w *Work) checkSteps() error {
	if w.Until == "" {
		return nil
	}
	var names []string
	for i := range w.Steps {
		names = append(names, w.Steps[i].Name)
	}
	if !slices.Contains(names, w.Until) {
		return fmt.Errorf("step %q: there are %v", w.Until, names)
	}
	return nil
}

// scratch creates a folder for temporary files.
func (w *Work) scratch() (temp *workdir.Folder, err error) {
	dir := cmp.Or(w.Scratch, w.own())
	if dir == "" {
		return workdir.Temp()
	}
	for range 100 {
		if err = disk.MkdirAll(dir); err == nil {
			temp, err = workdir.Make(dir)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
		// another process that ended has just removed dir
	}
	return temp, err
}

// own returns the folder of this machine beside the shards, or "" if temporary files are
// elsewhere. Machines do not share a folder, because they may not see each other's locks.
func (w *Work) own() string {
	f, ok := w.Out.(store.Folder)
	if !ok || w.Scratch != "" {
		return ""
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return f.Path(".work/" + filepath.Base(host))
}
