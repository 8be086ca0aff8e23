// Package external runs other programs over pipes. [Run] writes the complete input, regardless of
// how the program buffers, and returns its output. [Journal.Run] also stores outputs for later
// runs. A program that prints nothing for too long, or prints too much, is killed.
package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Config configures a program and its limits.
type Config struct {
	// Command is a command line for the shell.
	Command string
	// Args are a program and its arguments, which are run without a shell instead of Command.
	Args []string
	// Silence is the longest time without output. Time is the longest time in all.
	// Default: 0, no limit.
	Silence, Time time.Duration
	// MaxMemory is the largest size of the address space of the program in bytes, on Linux.
	// Default: 0, no limit.
	MaxMemory int64
	// MaxOutput is the maximum size of the output in bytes.
	MaxOutput int64
}

// ErrSilent, ErrTimeout and ErrOutputTooLarge are the reasons for which a program is killed.
var (
	ErrSilent         = errors.New("printed nothing for too long")
	ErrTimeout        = errors.New("took too long")
	ErrOutputTooLarge = errors.New("printed too much")
)

// Failure is the error of a program with the end of its standard error.
type Failure struct {
	Err    error
	Stderr string
}

// Error returns the cause and the end of standard error.
func (f *Failure) Error() string {
	if f.Stderr == "" {
		return f.Err.Error()
	}
	return fmt.Sprintf("%v; it says: %s", f.Err, f.Stderr)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// NotFound reports whether the program was not found or may not be run.
func (f *Failure) NotFound() bool {
	if errors.Is(f.Err, exec.ErrNotFound) || errors.Is(f.Err, fs.ErrNotExist) || errors.Is(f.Err, fs.ErrPermission) {
		return true
	}
	var e *exec.ExitError
	return errors.As(f.Err, &e) && (e.ExitCode() == 126 || e.ExitCode() == 127)
}

// grace is the time that a program may take to exit after it has closed its output or was killed.
const grace = 5 * time.Second

// Run runs the program with the input in and returns its output. It writes and reads concurrently,
// so that no buffer is too small. With a [Failure], out is the output until then. A program that
// does not read all of its input does not fail for this reason.
func Run(ctx context.Context, in []byte, cfg Config) (out []byte, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	args := cfg.Args
	if len(args) == 0 {
		args = []string{"sh", "-c", cfg.Command}
		if runtime.GOOS == "windows" {
			args = []string{"cmd", "/C", cfg.Command}
		}
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.WaitDelay = grace
	setProcessGroup(cmd)
	var errs tail
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	w := &outputBuffer{max: cfg.MaxOutput, cancel: cancel, limit: cfg.Silence}
	if w.limit > 0 {
		w.timer = time.AfterFunc(w.limit, func() { cancel(ErrSilent) })
		defer w.timer.Stop()
	}
	if cfg.Time > 0 {
		defer time.AfterFunc(cfg.Time, func() { cancel(ErrTimeout) }).Stop()
	}
	cmd.Stdout = w
	if err = cmd.Start(); err == nil {
		if cfg.MaxMemory > 0 {
			limitMemory(cmd.Process.Pid, cfg.MaxMemory)
		}
		err = cmd.Wait()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if errors.Is(err, exec.ErrWaitDelay) { // it exited, but a child process still holds its output
		err = nil
	}
	if err != nil {
		return w.out, &Failure{err, errs.String()}
	}
	return w.out, nil
}

// outputBuffer collects the output and resets the timer.
type outputBuffer struct {
	mu     sync.Mutex
	out    []byte
	max    int64
	limit  time.Duration
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

func (w *outputBuffer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Reset(w.limit)
	}
	if w.max > 0 && int64(len(w.out)+len(p)) > w.max {
		w.cancel(ErrOutputTooLarge)
		return 0, io.ErrShortWrite
	}
	w.out = append(w.out, p...)
	return len(p), nil
}

// tail keeps the last tailBytes of its input, on one line.
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
