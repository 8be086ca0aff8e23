package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"chaffinch/build/store"
	"chaffinch/internal/periodic"
)

// held is a lease: an object that marks a task as in progress. It only saves work.
// Correctness does not depend on it, since two workers produce the same output for a task.
type held struct {
	w    *Work
	name string
	quit context.CancelFunc
	wait sync.WaitGroup
}

// leaseFolder holds the leases.
const leaseFolder = "leases/"

// lease leases a task. It returns nil if another worker holds it.
func (w *Work) lease(ctx context.Context, step string, n int) (*held, error) {
	name := leaseFolder + taskName(step, n)
	host, _ := os.Hostname()
	text := fmt.Appendf(nil, "%s, process %d\n", host, os.Getpid())
	err := w.put(ctx, name, text, false)
	if errors.Is(err, fs.ErrExist) {
		o, e := w.Out.Stat(ctx, name)
		switch {
		case errors.Is(e, fs.ErrNotExist): // just released
			return nil, nil
		case e != nil:
			return nil, e
		case time.Since(o.Changed) < w.Lease:
			return nil, nil
		}
		if err = w.Out.Remove(ctx, name); err == nil {
			err = w.put(ctx, name, text, false)
		}
		if errors.Is(err, fs.ErrExist) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	ctx, quit := context.WithCancel(ctx)
	h := &held{w: w, name: name, quit: quit}
	h.wait.Go(func() {
		for periodic.Pause(ctx, w.Lease/4) == nil {
			w.put(ctx, name, text, true) // if it fails, the next renewal replaces it
		}
	})
	return h, nil
}

// settle waits until no task up to step last is held by a worker that may be dead. It does
// the tasks whose lease expires and leaves tasks whose lease is renewed. With Wait it also
// waits for the tasks of other workers. It reports whether all tasks are done.
func (w *Work) settle(ctx context.Context, p *Plan, last int, res *Result) (done bool, err error) {
	until := time.Now().Add(w.Wait)
	seen := map[string]time.Time{} // last renewal of each lease at the first check
	for look := 100 * time.Millisecond; ; look = min(2*look, 5*time.Second) {
		missing, alive := 0, 0
		res.Held = nil
		for i := range last + 1 {
			step := p.Steps[i].Name
			list, err := Missing(ctx, w.Out, p, step)
			if err == nil && len(list) > 0 && (i < last || res.Waits == "") {
				_, err = w.tasks(ctx, p, i, list, res)
			}
			if err != nil || len(res.Bad) > 0 {
				return false, err
			}
			if res.Waits != "" && i == last {
				break // its tasks cannot start yet
			}
			if list, err = Missing(ctx, w.Out, p, step); err != nil {
				return false, err
			}
			missing += len(list)
			for _, n := range list {
				by, lives, err := w.lives(ctx, taskName(step, n), seen)
				if err != nil {
					return false, err
				}
				if lives {
					alive++
					res.Held = append(res.Held, fmt.Sprintf("%s (%s)", taskName(step, n), by))
				}
			}
		}
		switch {
		case missing == 0:
			return true, nil
		case alive < missing: // not known yet
		case w.Wait <= 0 || res.Waits != "":
			return false, nil
		case !time.Now().Before(until):
			res.Waits, res.Missing = p.Steps[last].Name, missing
			return false, nil
		}
		if err := periodic.Pause(ctx, min(look, w.Lease/4)); err != nil {
			return false, err
		}
	}
}

// maxLease bounds the bytes of a lease.
const maxLease = 4 << 10

// lives reports whether the lease of a task was renewed since the first check, and returns
// its holder.
func (w *Work) lives(ctx context.Context, task string, seen map[string]time.Time) (by string, lives bool, err error) {
	name := leaseFolder + task
	o, err := w.Out.Stat(ctx, name)
	if err == nil {
		var text []byte
		text, err = store.Read(ctx, w.Out, name, maxLease)
		by = strings.TrimSpace(string(text))
	}
	if errors.Is(err, fs.ErrNotExist) { // just released
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	was, known := seen[task]
	if !known {
		if seen[task] = o.Changed; w.OnHeld != nil {
			w.OnHeld(task, by)
		}
	}
	return by, known && !o.Changed.Equal(was), nil
}

// end releases the task, also of a cancelled work. If the store does not respond, the lease expires.
func (h *held) end() {
	h.quit()
	h.wait.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), h.w.Lease/4)
	defer cancel()
	h.w.Out.Remove(ctx, h.name)
}
