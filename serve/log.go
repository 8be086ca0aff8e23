package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/panics"
	"chaffinch/serve/problem"
)

// requestID is the key of a request's id in its context.
type requestID struct{}

// logHandler adds the id of the request to log records in its context.
type logHandler struct{ slog.Handler }

// Handle adds the id.
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if id, ok := ctx.Value(requestID{}).(string); ok {
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs and WithGroup keep the wrapping.
func (h logHandler) WithAttrs(a []slog.Attr) slog.Handler { return logHandler{h.Handler.WithAttrs(a)} }

// WithGroup keeps the wrapping.
func (h logHandler) WithGroup(name string) slog.Handler { return logHandler{h.Handler.WithGroup(name)} }

// idOf matches a valid id of a client or proxy, traceParent the header of W3C Trace
// Context.
var (
	idOf        = lazyregexp.New(`^[A-Za-z0-9._-]{1,64}$`)
	traceParent = lazyregexp.New(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)
)

// answer records the response to a request, and sets a deadline for each write.
type answer struct {
	http.ResponseWriter
	rc    *http.ResponseController
	idle  time.Duration
	code  int
	bytes int64
}

// WriteHeader remembers the status.
func (a *answer) WriteHeader(code int) {
	if a.code == 0 {
		a.code = code
	}
	a.ResponseWriter.WriteHeader(code)
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// watched returns a handler that assigns an id to each request, counts it and logs it. The
// log omits query and token, which may hold private data.
func (s *Server) watched(mux *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		id := r.Header.Get("X-Request-Id")
		if !idOf().MatchString(id) {
			id = rand.Text()
		}
		w.Header().Set("X-Request-Id", id)
		ctx := context.WithValue(r.Context(), requestID{}, id)
		a := &answer{ResponseWriter: w, rc: http.NewResponseController(w), idle: s.cfg.Limits.Idle}
		_, route := mux.Handler(r)
		if _, path, ok := strings.Cut(route, " "); ok {
			route = path // its method is another one for HEAD
		}
		r = r.WithContext(ctx)
		s.timedBody(r, a.rc)
		defer func() {
			took := time.Since(start)
			if a.code == 0 {
				a.code = http.StatusOK
			}
			s.metrics.request(route, a.code, took)
			attrs := []slog.Attr{slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", a.code),
				slog.Int64("bytes", a.bytes), slog.Duration("took", took.Round(time.Microsecond)), slog.String("client", r.RemoteAddr)}
			if t := r.Header.Get("Traceparent"); traceParent().MatchString(t) {
				attrs = append(attrs, slog.String("traceparent", t))
			}
			if err := context.Cause(r.Context()); err != nil {
				attrs = append(attrs, slog.Bool("left", true)) // the client went before the end
			}
			s.log.LogAttrs(ctx, slog.LevelInfo, "request", attrs...)
		}()
		err := panics.Catch(func() error { next.ServeHTTP(a, r); return nil })
		if err == nil {
			return
		}
		if !errors.Is(err, http.ErrAbortHandler) {
			s.log.ErrorContext(ctx, "fault", "error", panics.Detail(err))
			if a.code == 0 {
				problem.Of(err).Write(a)
				return
			}
		}
		panic(http.ErrAbortHandler) // the client must not take the answer for whole
	})
}
