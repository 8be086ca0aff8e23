// Package external runs another program over a pipe: it is given its whole
// input, and all that it prints is returned, whatever it does with its buffers.
// It is ended when it is silent for too long or prints too much.
package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Config says what to run and when to end it.
type Config struct {
	// Command is a line for the shell.
	Command string
	// Silence is how long the program may print nothing.
	Silence time.Duration
	// MaxOutput is the number of bytes that it may print.
	MaxOutput int64
}

// ErrSilent and ErrTalkative are the reasons for which a program is ended.
var (
	ErrSilent    = errors.New("printed nothing for too long")
	ErrTalkative = errors.New("printed too much")
)

// Failure is what went wrong with a program, and the end of what it printed on
// standard error.
type Failure struct {
	Err    error
	Stderr string
}

// Error says what went wrong.
func (f *Failure) Error() string {
	if f.Stderr == "" {
		return f.Err.Error()
	}
	return fmt.Sprintf("%v; it says: %s", f.Err, f.Stderr)
}

// Unwrap returns what went wrong.
func (f *Failure) Unwrap() error { return f.Err }

// NotFound tells whether the shell did not find the program, or may not run it.
func (f *Failure) NotFound() bool {
	var e *exec.ExitError
	return errors.As(f.Err, &e) && (e.ExitCode() == 126 || e.ExitCode() == 127)
}

// grace is how long a program may take to end when it has closed its output or
// was told to end.
const grace = 5 * time.Second

// Run starts the program, writes in to it, closes its input and returns what it
// printed. Writing and reading go on at the same time, so that no buffer is too
// small. With a [Failure], out is what was printed before it. A program that does
// not read all of its input has not failed for that.
func Run(ctx context.Context, in []byte, cfg Config) (out []byte, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	cmd := exec.CommandContext(ctx, shell, flag, cfg.Command)
	cmd.WaitDelay = grace
	ownGroup(cmd)
	var errs tail
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	w := &watched{max: cfg.MaxOutput, cancel: cancel, limit: cfg.Silence}
	if w.limit > 0 {
		w.timer = time.AfterFunc(w.limit, func() { cancel(ErrSilent) })
		defer w.timer.Stop()
	}
	cmd.Stdout = w
	err = cmd.Run()
	w.mu.Lock()
	defer w.mu.Unlock()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if errors.Is(err, exec.ErrWaitDelay) { // it ended, but left its output to a child
		err = nil
	}
	if err != nil {
		return w.out, &Failure{err, errs.String()}
	}
	return w.out, nil
}

// watched takes the output and moves the timer.
type watched struct {
	mu     sync.Mutex
	out    []byte
	max    int64
	limit  time.Duration
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Reset(w.limit)
	}
	if w.max > 0 && int64(len(w.out)+len(p)) > w.max {
		w.cancel(ErrTalkative)
		return 0, io.ErrShortWrite
	}
	w.out = append(w.out, p...)
	return len(p), nil
}

// tail keeps the end of what is written to it, on one line.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const tailBytes = 400

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if len(t.b) > 4*tailBytes {
		t.b = append(t.b[:0], t.b[len(t.b)-tailBytes:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := bytes.TrimSpace(t.b)
	if len(b) > tailBytes {
		b = append([]byte("…"), bytes.ToValidUTF8(b[len(b)-tailBytes:], nil)...)
	}
	return string(bytes.Join(bytes.Fields(b), []byte(" ")))
}
