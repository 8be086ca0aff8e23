package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"chaffinch/internal/panics"
	"chaffinch/serve/frame"
	"chaffinch/serve/problem"
)

// Pipe serves requests of the HTTP API in frames (package frame) from in, one at a time,
// until in or ctx ends. There is no access control, since only the parent process can send
// requests. The response to a bad frame is a problem. Two requests are read ahead, so that a
// client can send three requests before it reads a response.
func (s *Server) Pipe(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next := make(chan incoming, 1) // while one request is answered the next waits here, and the one after it is read
	go func() {
		r := frame.NewReader(in, s.cfg.Limits.Body)
		for {
			var i incoming
			i.err = panics.Catch(func() (err error) { i.Frame, err = r.Next(); return err })
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
			if i.err != nil && !errors.As(i.err, new(*frame.BadFrame)) {
				return
			}
		}
	}()
	w := &pipeAnswer{header: http.Header{}}
	var buf []byte
	for {
		var i incoming
		select {
		case i = <-next:
		case <-ctx.Done():
			return ctx.Err()
		}
		w.reset()
		id := i.ID
		var bad *frame.BadFrame
		switch {
		case errors.Is(i.err, io.EOF):
			return nil
		case errors.As(i.err, &bad):
			id = bad.ID
			status := http.StatusBadRequest
			if bad.TooLong {
				status = http.StatusRequestEntityTooLarge
			}
			problem.New(status, "%v", bad).Write(w)
		case i.err != nil:
			return i.err
		default:
			s.answerFrame(ctx, w, i.Frame)
		}
		var err error
		if buf, err = frame.Append(buf[:0], w.frame(id)); err != nil {
			w.reset()
			problem.New(http.StatusInternalServerError, "answer: %v", err).Write(w)
			if buf, err = frame.Append(buf[:0], w.frame(id)); err != nil {
				return err
			}
		}
		if _, err := out.Write(buf); err != nil {
			return err
		}
		if cap(buf) > maxKept {
			buf = nil
		}
		if cap(w.body) > maxKept {
			w.body = nil
		}
	}
}

// maxKept bounds the buffers that one request leaves to the next, in bytes.
const maxKept = 1 << 20

// incoming is a request, or why there is none.
type incoming struct {
	frame.Frame
	err error
}

// answerFrame answers one request. A fault is an answer too: the next request may be
// without one.
func (s *Server) answerFrame(ctx context.Context, w *pipeAnswer, f frame.Frame) {
	err := panics.Catch(func() error {
		r, err := request(ctx, f)
		if err != nil {
			problem.New(http.StatusBadRequest, "%v", err).Write(w)
			return nil
		}
		s.direct.ServeHTTP(w, r)
		return nil
	})
	if err != nil {
		w.reset()
		problem.Of(err).Write(w)
	}
}

// request returns the request of a frame.
func request(ctx context.Context, f frame.Frame) (*http.Request, error) {
	if f.Code != frame.Version {
		return nil, errors.New("protocol version: wanted 1 (client and program are from different releases)")
	}
	line, rest, _ := strings.Cut(f.Head, "\n")
	method, target, ok := strings.Cut(line, " ")
	if !ok || method != http.MethodGet && method != http.MethodPost || !strings.HasPrefix(target, "/") {
		return nil, errors.New("head: wanted GET or POST, a space and a path such as /v1/clean")
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, errors.New("head: invalid path")
	}
	r := &http.Request{Method: method, URL: u, Header: http.Header{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Host: "localhost",
		RequestURI: target, Body: io.NopCloser(bytes.NewReader(f.Body)), ContentLength: int64(len(f.Body))}
	for line := range strings.Lines(rest) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok {
			return nil, errors.New("head: wanted headers as Name: value, one per line")
		}
		r.Header.Add(name, value)
	}
	return r.WithContext(ctx), nil
}

// pipeAnswer collects the response to a request.
type pipeAnswer struct {
	header http.Header
	code   int
	body   []byte
}

func (a *pipeAnswer) reset() {
	clear(a.header)
	a.code, a.body = 0, a.body[:0]
}

// Header returns the headers.
func (a *pipeAnswer) Header() http.Header { return a.header }

// WriteHeader keeps the first status.
func (a *pipeAnswer) WriteHeader(code int) {
	if a.code == 0 {
		a.code = code
	}
}

// Write keeps b.
func (a *pipeAnswer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, b...)
	return len(b), nil
}

// Flush does nothing: an answer is sent whole.
func (a *pipeAnswer) Flush() {}

// oneLine makes blanks of what ends a header.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

// frame returns the answer as a frame.
func (a *pipeAnswer) frame(id uint32) frame.Frame {
	a.WriteHeader(http.StatusOK)
	var head strings.Builder
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		for _, v := range a.header[name] {
			head.WriteString(name + ": " + oneLine.Replace(v) + "\n")
		}
	}
	return frame.Frame{ID: id, Code: uint16(a.code), Head: head.String(), Body: a.body}
}
