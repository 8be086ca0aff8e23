// Package job runs one task at a time in the background of a server, such as a training.
//
// Unstable: this package may change in any release.
package job

import (
	"context"
	"errors"
	"sync"

	"chaffinch/internal/panics"
)

// State is the state of a job.
type State struct {
	Running bool   `json:"running"`
	Step    string `json:"step,omitempty"`
	Done    int    `json:"done"`
	Total   int    `json:"total"`
	Error   string `json:"error,omitempty" doc:"Why the last run failed."`
}

// ErrRunning is returned by Start while the job is running.
var ErrRunning = errors.New("already running")

// Job is a task that runs at most once at a time. The zero Job is ready to use. It is safe for
// concurrent use.
type Job struct {
	mu     sync.Mutex
	state  State
	cancel context.CancelFunc // nil: not running
	ended  chan struct{}
}

// Start runs a function in the background, with the values but not the end of ctx.
func (j *Job) Start(ctx context.Context, run func(context.Context) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		return ErrRunning
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel, j.ended, j.state = cancel, make(chan struct{}), State{Running: true}
	go func() {
		err := panics.Catch(func() error { return run(ctx) })
		j.mu.Lock()
		defer j.mu.Unlock()
		j.state = State{}
		switch {
		case errors.Is(err, context.Canceled):
			j.state.Error = "cancelled"
		case err != nil:
			j.state.Error = err.Error()
		}
		cancel()
		j.cancel = nil
		close(j.ended)
	}()
	return nil
}

// Show sets the current step of the running task.
func (j *Job) Show(step string, done, total int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.state.Step, j.state.Done, j.state.Total = step, done, total
}

// State returns the state.
func (j *Job) State() State {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.state
}

// Stop cancels the running task and waits for its end.
func (j *Job) Stop() {
	j.mu.Lock()
	cancel, ended := j.cancel, j.ended
	j.mu.Unlock()
	if cancel != nil {
		cancel()
		<-ended
	}
}
