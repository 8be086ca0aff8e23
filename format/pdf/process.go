package pdf

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"chaffinch/format/pdf/internal/wire"
)

var self atomic.Bool

// AllowSelf allows readers to start the program as worker. Package worker calls it.
func AllowSelf() { self.Store(true) }

var errNoWorker = errors.New("no worker of PDF: call chaffinch/format/pdf/worker.Main first in main, or set the command of the reader")

// process is a running worker.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	files int // documents that it opened
}

// startProcess starts a worker and waits until it is ready.
func (r *Reader) startProcess(ctx context.Context) (*process, error) {
	args := r.Command
	if len(args) == 0 {
		if !self.Load() {
			return nil, errNoWorker
		}
		exe, err := os.Executable()
		if err != nil {
			return nil, err
		}
		args = []string{exe}
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), wire.Env+"=1", "GOMAXPROCS=1", "GOMEMLIMIT=600MiB")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a worker of PDF: %w", err)
	}
	p := &process{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64<<10)}
	err = p.within(ctx, startTime, func() error {
		_, _, err := wire.ReadResponse(p.out)
		return err
	})
	if err != nil {
		p.stop()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("starting a worker of PDF: %s: %v", args[0], err) // not the time limit of a page
	}
	return p, nil
}

// within calls an exchange with the process, and kills the process after a limit of time.
func (p *process) within(ctx context.Context, limit time.Duration, exchange func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { p.cmd.Process.Kill() })
	err := exchange()
	if !stop() {
		return context.Cause(ctx)
	}
	return err
}

// stop ends the process.
func (p *process) stop() {
	p.in.Close()
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// failure is a response with an error.
type failure struct {
	status  byte
	message string
}

func (f failure) Error() string { return f.message }

// errTimeout is the error of a request that takes too long.
var errTimeout = errors.New("the worker did not answer in time")

// ask sends a request and returns the response. After an error other than a failure, and after
// a trap, the process must be stopped. A process that ended counts as a trap.
func (p *process) ask(ctx context.Context, limit time.Duration, op byte, number int, payload []byte) ([]byte, error) {
	var status byte
	var b []byte
	err := p.within(ctx, limit, func() (err error) {
		if err = wire.WriteRequest(p.in, op, number, payload); err == nil {
			status, b, err = wire.ReadResponse(p.out)
		}
		return err
	})
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, errTimeout)):
		return nil, err
	case err != nil: // the process ended
		return nil, failure{wire.Trapped, "the worker ended: " + err.Error()}
	case status != wire.OK:
		return nil, failure{status, string(b)}
	}
	return b, nil
}

// fatal reports whether the process cannot be used after err.
func fatal(err error) bool {
	var f failure
	return err != nil && (!errors.As(err, &f) || f.status == wire.Trapped)
}

// session is a document that is open in a worker.
type session struct {
	r      *Reader
	p      *process
	raw    []byte
	doc    wire.Doc
	opened time.Time // after the wait for a process, which may have compiled PDFium
	bad    bool      // the process must be stopped
}

// open opens a document with pages in a worker.
func (r *Reader) open(ctx context.Context, raw []byte) (*session, error) {
	p, err := r.take(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{r: r, p: p, raw: raw, opened: time.Now()}
	if err = s.reopen(ctx); err == nil && s.doc.Pages <= 0 {
		err = failure{wire.Damaged, "no pages"}
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// reopen opens the document, in a new process if the last one failed.
func (s *session) reopen(ctx context.Context) error {
	if s.bad {
		if s.p != nil {
			s.p.stop()
			s.p = nil
		}
		p, err := s.r.startProcess(ctx)
		if err != nil {
			return err
		}
		s.p, s.bad = p, false
	}
	s.p.files++
	b, err := s.p.ask(ctx, s.r.pageTime(), wire.Open, 0, s.raw)
	if err != nil {
		s.bad = fatal(err)
		return err
	}
	return json.Unmarshal(b, &s.doc)
}

// page sends a request about a page, in a new process if the last one failed.
func (s *session) page(ctx context.Context, op byte, number int, payload []byte) ([]byte, error) {
	if s.bad {
		if err := s.reopen(ctx); err != nil {
			return nil, err
		}
	}
	b, err := s.p.ask(ctx, s.r.pageTime(), op, number, payload)
	s.bad = fatal(err)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return b, err
}

// close returns the worker to the reader.
func (s *session) close() {
	if s.p != nil && (s.bad || s.p.files >= s.r.filesPerWorker()) {
		s.p.stop()
		s.p = nil
	}
	s.r.give(s.p)
}
