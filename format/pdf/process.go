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

func (r *Reader) startProcess() (*process, error) {
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
	return &process{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64<<10)}, nil
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
// a trap, the process must be stopped.
func (p *process) ask(ctx context.Context, limit time.Duration, op byte, number int, payload []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { p.cmd.Process.Kill() })
	status, b, err := p.exchange(op, number, payload)
	if !stop() {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("worker of PDF: %w", err)
	}
	if status != wire.OK {
		return nil, failure{status, string(b)}
	}
	return b, nil
}

func (p *process) exchange(op byte, number int, payload []byte) (byte, []byte, error) {
	if err := wire.WriteRequest(p.in, op, number, payload); err != nil {
		return 0, nil, err
	}
	return wire.ReadResponse(p.out)
}

// fatal reports whether the process cannot be used after err.
func fatal(err error) bool {
	var f failure
	return err != nil && (!errors.As(err, &f) || f.status == wire.Trapped)
}

// session is a document that is open in a worker.
type session struct {
	r   *Reader
	p   *process
	raw []byte
	doc wire.Doc
	bad bool // the process must be stopped
}

// open opens a document in a worker.
func (r *Reader) open(ctx context.Context, raw []byte) (*session, error) {
	p, err := r.take(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{r: r, p: p, raw: raw}
	if err := s.reopen(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// reopen opens the document, in a new process if the last one failed.
func (s *session) reopen(ctx context.Context) error {
	if s.bad {
		s.p.stop()
		p, err := s.r.startProcess()
		if err != nil {
			return err
		}
		s.p, s.bad = p, false
	}
	limit := s.r.pageTime()
	if s.p.files == 0 {
		limit += startTime
	}
	s.p.files++
	b, err := s.p.ask(ctx, limit, wire.Open, 0, s.raw)
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
	s.bad = s.bad || fatal(err)
	return b, err
}

// close returns the worker to the reader.
func (s *session) close() {
	if s.bad || s.p.files >= s.r.filesPerWorker() {
		s.p.stop()
		s.p = nil
	}
	s.r.give(s.p)
}
