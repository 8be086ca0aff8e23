package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// held is a lease: an object that tells others that somebody is at work on a task. It
// saves work and nothing hangs on it: two workers at one task make the same.
type held struct {
	j    *Job
	name string
	quit context.CancelFunc
	wait sync.WaitGroup
}

// leaseFolder holds the leases.
const leaseFolder = "leases/"

// lease takes a task, nil if somebody else has it.
func (j *Job) lease(ctx context.Context, step string, n int) (*held, error) {
	name := leaseFolder + taskName(step, n)
	host, _ := os.Hostname()
	text := fmt.Appendf(nil, "%s, process %d\n", host, os.Getpid())
	err := j.put(ctx, name, text, false)
	if errors.Is(err, fs.ErrExist) {
		o, e := j.Out.Stat(ctx, name)
		switch {
		case errors.Is(e, fs.ErrNotExist): // it has just ended
			return nil, nil
		case e != nil:
			return nil, e
		case time.Since(o.Changed) < j.Lease:
			return nil, nil
		}
		if err = j.Out.Remove(ctx, name); err == nil {
			err = j.put(ctx, name, text, false)
		}
		if errors.Is(err, fs.ErrExist) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	ctx, quit := context.WithCancel(ctx)
	h := &held{j: j, name: name, quit: quit}
	h.wait.Go(func() {
		for pause(ctx, j.Lease/4) == nil {
			j.put(ctx, name, text, true) // one that fails is made up for by the next
		}
	})
	return h, nil
}

// end gives the task back.
func (h *held) end() {
	h.quit()
	h.wait.Wait()
	h.j.Out.Remove(context.Background(), h.name)
}
