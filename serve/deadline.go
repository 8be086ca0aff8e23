package serve

import (
	"io"
	"net/http"
	"time"
)

// timedBody is the body of a request. It bounds the time for each read, and for all of them.
type timedBody struct {
	io.ReadCloser
	rc    *http.ResponseController
	idle  time.Duration
	until time.Time // zero: no limit
	err   error     // of the last read
}

// extend sets the deadline of the next read.
func (b *timedBody) extend() {
	at := time.Now().Add(b.idle)
	if !b.until.IsZero() && b.until.Before(at) {
		at = b.until
	}
	b.rc.SetReadDeadline(at) // not every connection has one
}

// Read reads with a deadline. There is none after the end of the body: net/http then waits for the
// next request or the end of the connection, and cancels the request at a deadline.
func (b *timedBody) Read(p []byte) (n int, err error) {
	if b.err != nil {
		return 0, b.err
	}
	b.extend()
	n, b.err = b.ReadCloser.Read(p)
	return n, b.err
}

// timedBody replaces the body of a request, if it has one. The rest of a body that the handler leaves
// is read by net/http, until the last deadline.
func (s *Server) timedBody(r *http.Request, rc *http.ResponseController) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	b := &timedBody{ReadCloser: r.Body, rc: rc, idle: s.cfg.Limits.Idle}
	if r.URL.Path != batchPath {
		b.until = time.Now().Add(s.cfg.Limits.RequestTime)
	}
	b.extend()
	r.Body = b
}

// maxWrite is the maximum number of bytes that are written with one deadline.
const maxWrite = 64 << 10

// Write counts the bytes. A client that takes none of them for too long is left.
func (a *answer) Write(b []byte) (written int, err error) {
	if a.code == 0 {
		a.code = http.StatusOK
	}
	for first := true; err == nil && (first || len(b) > 0); first = false {
		a.rc.SetWriteDeadline(time.Now().Add(a.idle)) // not every writer has one
		var n int
		n, err = a.ResponseWriter.Write(b[:min(len(b), maxWrite)])
		b, written = b[n:], written+n
	}
	a.bytes += int64(written)
	return written, err
}

// SetReadDeadline does nothing: the body sets its deadlines.
func (a *answer) SetReadDeadline(time.Time) error { return nil }
