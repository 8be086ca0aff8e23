package remote_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chaffinch/build/store"
	"chaffinch/build/store/remote"
	"chaffinch/internal/testkit/must"
)

// scripted starts a server in this process, and returns its address and how to reach it as a store.
func scripted(t *testing.T, answer http.HandlerFunc) (address string, cfg remote.Config) {
	t.Helper()
	srv := httptest.NewServer(answer)
	t.Cleanup(srv.Close)
	env := map[string]string{"AWS_ENDPOINT_URL": srv.URL, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
	return srv.URL, remote.Config{Env: func(name string) string { return env[name] }, Tries: 2, Wait: time.Millisecond, Idle: 100 * time.Millisecond, PartBytes: 64 << 20}
}

func bucket(t *testing.T, cfg remote.Config) store.Store {
	t.Helper()
	s, _, err := remote.Open(cfg)("s3://corpora/")
	must.Succeed(t, err)
	return s
}

// TestStall: a server that falls silent within a response, or while it gets a request, is asked again,
// and then reported.
func TestStall(t *testing.T) {
	release := make(chan struct{})
	address, cfg := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "<?xml version")
			w.(http.Flusher).Flush()
		}
		<-release
	})
	defer close(release)
	s := bucket(t, cfg)
	large := file(t, make([]byte, 48<<20)) // more than the sockets hold
	for name, do := range map[string]func() error{
		"download": func() error {
			_, err := remote.Download(t.Context(), cfg, address+"/page.html", filepath.Join(t.TempDir(), "page"))
			return err
		},
		"list": func() error {
			for _, err := range s.List(t.Context(), "x/") {
				return err
			}
			return nil
		},
		"put": func() error { return s.Put(t.Context(), "x", large, true) },
	} {
		t.Run(name, func(t *testing.T) {
			failed := make(chan error, 1)
			go func() { failed <- do() }()
			select {
			case err := <-failed:
				if err == nil || !strings.Contains(err.Error(), "tried 2 times") {
					t.Errorf("%v", err)
				}
			case <-time.After(20 * time.Second):
				t.Error("it waits for ever")
			}
		})
	}
}

// TestBreaks: connections that break again and again without a byte are made again with pauses that
// double.
func TestBreaks(t *testing.T) {
	var asked atomic.Int32
	address, cfg := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		if r.Method == http.MethodHead {
			return
		}
		asked.Add(1)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	cfg.Tries, cfg.Wait, cfg.Idle = 5, 20*time.Millisecond, time.Minute
	s, name, err := remote.Open(cfg)(address + "/x")
	must.Succeed(t, err)
	start := time.Now()
	must.Fail(t, must.Err(store.Read(t.Context(), s, name, 1000)), "the connection breaks at byte 0: unexpected EOF (tried 5 times)")
	if d := time.Since(start); asked.Load() != 5 || d < 140*time.Millisecond { // 20, 40 and 80 ms
		t.Errorf("%d requests in %v", asked.Load(), d)
	}
}

// TestListStops: a cancelled list does not wait for the response.
func TestListStops(t *testing.T) {
	asked, release := make(chan struct{}, 4), make(chan struct{})
	_, cfg := scripted(t, func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-release
	})
	defer close(release)
	cfg.Idle = time.Minute
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	start := time.Now()
	for _, err := range bucket(t, cfg).List(ctx, "x/") {
		must.Is(t, err, context.Canceled)
	}
	if time.Since(start) > 30*time.Second {
		t.Error("it waited for the response")
	}
}

// TestConflict: a write that collides with another one is tried again. Only an existing object makes
// it fail.
func TestConflict(t *testing.T) {
	for _, exists := range []bool{false, true} {
		for _, code := range []string{"ConditionalRequestConflict", "OperationAborted"} {
			var puts atomic.Int32
			_, cfg := scripted(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.Method != http.MethodPut:
					w.Header().Set("Content-Length", "4")
					w.Header().Set("ETag", `"1"`)
					w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
					if r.Method == http.MethodGet {
						io.WriteString(w, "else")
					}
				case puts.Add(1) == 1:
					w.WriteHeader(http.StatusConflict)
					io.WriteString(w, "<Error><Code>"+code+"</Code><Message>Please try again.</Message></Error>")
				case exists:
					w.WriteHeader(http.StatusPreconditionFailed)
					io.WriteString(w, "<Error><Code>PreconditionFailed</Code><Message>It exists.</Message></Error>")
				}
			})
			err := bucket(t, cfg).Put(t.Context(), "x", file(t, []byte("this")), false)
			if puts.Load() != 2 || errors.Is(err, fs.ErrExist) != exists || err == nil == exists {
				t.Errorf("%s, and then an existing object: %v: %d requests, %v", code, exists, puts.Load(), err)
			}
		}
	}
}

// TestNames: objects may have any name.
func TestNames(t *testing.T) {
	cfg, _ := service(t, 0, 1)
	for _, name := range []string{"100%.html", "a%zz/b", "q?x=1&y", "a#b", "a b", "a+b", "ä/ö.txt", "%2F", "a\x7f"} {
		s, got, err := remote.Open(cfg)("s3://corpora/" + name)
		if err != nil || got != name {
			t.Errorf("%q: the name %q, %v", name, got, err)
			continue
		}
		must.Succeed(t, s.Put(t.Context(), name, file(t, []byte(name)), false))
		if b, err := store.Read(t.Context(), s, name, 100); string(b) != name || err != nil {
			t.Errorf("%q: %q, %v", name, b, err)
		}
	}
}

// TestRemovedMeanwhile: a written object that another process removes immediately was written.
func TestRemovedMeanwhile(t *testing.T) {
	_, cfg := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			w.WriteHeader(http.StatusNotFound)
		}
	})
	must.Succeed(t, bucket(t, cfg).Put(t.Context(), "leases/pages/00004", file(t, []byte("host, process 7")), false))
}

// TestPermanent: an error that another request would not change is reported at once, by its cause.
func TestPermanent(t *testing.T) {
	for _, c := range []struct {
		name, want string
		answer     func(w http.ResponseWriter)
	}{
		{"no ranges", "the server does not support ranges", func(w http.ResponseWriter) { io.WriteString(w, "0123456789") }},
		{"forbidden", "403 Forbidden", func(w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) }},
		{"gone", "file does not exist", func(w http.ResponseWriter) { w.WriteHeader(http.StatusGone) }},
		{"another file", "has changed", func(w http.ResponseWriter) { w.Header().Set("ETag", `"b"`) }},
	} {
		var asked atomic.Int64
		address, cfg := scripted(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead {
				w.Header().Set("Content-Length", "10")
				return
			}
			asked.Add(1)
			c.answer(w)
		})
		cfg.Idle = time.Minute
		s, name, err := remote.Open(cfg)(address + "/a.warc")
		must.Succeed(t, err)
		if _, err := s.Open(t.Context(), name, 5, 3); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "tried") {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("%s: %d requests, want 1", c.name, n)
		}
	}
}
