package remote_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"

	"chaffinch/build/store"
	"chaffinch/build/store/remote"
	"chaffinch/internal/testkit"
	_ "chaffinch/internal/testkit" // which lets syncs pass
	"chaffinch/internal/testkit/must"
)

// faulty passes requests on, and lets some of them fail.
type faulty struct {
	next http.Handler
	rate float64
	idle time.Duration // of the client; a slow answer takes twice as long

	mu   sync.Mutex
	rng  *rand.Rand
	seen map[string]int
}

func newFaulty(next http.Handler, rate float64, seed uint64) *faulty {
	return &faulty{next: next, rate: rate, idle: idle, rng: rand.New(rand.NewPCG(seed, 1)), seen: map[string]int{}}
}

// draw returns how a request fails, "" for not at all, and where.
func (f *faulty) draw() (fault string, at float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rng.Float64() < f.rate {
		fault = []string{"busy", "refused", "lost", "cut", "short", "slow"}[f.rng.IntN(6)]
		f.seen[fault]++
	}
	return fault, f.rng.Float64()
}

// ServeHTTP answers.
func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault, at := f.draw()
	switch fault {
	case "busy":
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>")
		return
	case "refused":
		panic(http.ErrAbortHandler)
	case "":
		f.next.ServeHTTP(w, r)
		return
	}
	rec := httptest.NewRecorder()
	f.next.ServeHTTP(rec, r)
	b := rec.Body.Bytes()
	switch fault {
	case "lost": // it was done, and nobody hears of it
		panic(http.ErrAbortHandler)
	case "slow":
		select {
		case <-r.Context().Done():
		case <-time.After(2 * f.idle):
		}
	case "short": // less than was asked for, and that said rightly
		if r.Method == http.MethodGet && r.Header.Get("Range") != "" && len(b) > 1 {
			b = b[:1+int(at*float64(len(b)-1))]
			rec.Header().Set("Content-Length", strconv.Itoa(len(b)))
		}
	}
	maps.Copy(w.Header(), rec.Header())
	if fault == "cut" && r.Method != http.MethodHead {
		w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	}
	w.WriteHeader(rec.Code)
	if fault == "cut" && len(b) > 0 {
		w.Write(b[:int(at*float64(len(b)))])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	w.Write(b)
}

// idle is after which time a connection of the tests counts as broken: longer than a busy
// machine takes for some megabytes.
const idle = 400 * time.Millisecond

// The library waits for up to this time after a request that failed, although it tries
// each only once here.
func init() { minio.DefaultRetryUnit = time.Millisecond }

// service starts an S3 server in this process, and returns how to reach it.
func service(t *testing.T, rate float64, seed uint64) (remote.Config, *faulty) {
	t.Helper()
	backend := s3mem.New()
	must.Succeed(t, backend.CreateBucket("corpora"))
	f := newFaulty(gofakes3.New(backend).Server(), rate, seed)
	srv := httptest.NewUnstartedServer(f)
	srv.Config.ErrorLog = nil
	srv.Start()
	t.Cleanup(srv.Close)
	env := map[string]string{"AWS_ENDPOINT_URL": srv.URL, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
	return remote.Config{Env: func(name string) string { return env[name] }, Tries: 40, Wait: time.Millisecond, Idle: idle, PartBytes: 5 << 20}, f
}

func file(t *testing.T, b []byte) string {
	t.Helper()
	name := must.File(t, "object", b)
	return name
}

func random(seed uint64, n int) []byte {
	b := make([]byte, n)
	rng := rand.New(rand.NewPCG(seed, 2))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// TestS3: objects come back as they went, whatever fails in between, with and without
// digests, in one part and in several.
func TestS3(t *testing.T) {
	testkit.Slow(t)
	for _, c := range []struct {
		rate      float64
		noDigests bool
	}{{0, false}, {0, true}, {.3, false}, {.3, true}} {
		t.Run(fmt.Sprintf("faults %g, without digests %v", c.rate, c.noDigests), func(t *testing.T) {
			cfg, f := service(t, c.rate, 7)
			cfg.NoDigests = c.noDigests
			s, prefix, err := remote.Open(cfg)("s3://corpora/a/b/")
			must.Succeed(t, err)
			if prefix != "a/b/" || s.String() != "s3://corpora" {
				t.Fatalf("%s, %s", s, prefix)
			}
			s = store.Under(s, prefix)
			sizes := []int{0, 1, 100_000, 5 << 20, 11<<20 + 3}
			if c.rate > 0 {
				sizes = []int{0, 1, 70_000, 300_000, 11<<20 + 3}
			}
			ctx := t.Context()
			for i, n := range sizes {
				name, want := fmt.Sprintf("x/%d", i), random(uint64(i), n)
				must.Succeed(t, s.Put(ctx, name, file(t, want), false))
				if err := s.Put(ctx, name, file(t, []byte("another one")), false); !errors.Is(err, fs.ErrExist) {
					t.Errorf("a second one of %d bytes: %v", n, err)
				}
				got, err := store.Read(ctx, s, name, 1<<30)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%d bytes: %d come back, %v", n, len(got), err)
				}
				if n < 3 {
					continue
				}
				r := must.Get(s.Open(ctx, name, int64(n/3), int64(n/3)))(t)
				got, err = io.ReadAll(r)
				r.Close()
				if err != nil || !bytes.Equal(got, want[n/3:n/3*2]) {
					t.Errorf("a part of %d bytes: %d come back, %v", n, len(got), err)
				}
				if _, err := s.Open(ctx, name, int64(n), 1); err == nil {
					t.Error("bytes behind the end are read")
				}
			}
			must.Succeed(t, s.Put(ctx, "x/1", file(t, []byte("replaced")), true))
			if b, err := store.Read(ctx, s, "x/1", 100); string(b) != "replaced" || err != nil {
				t.Errorf("%q, %v", b, err)
			}
			var names []string
			for o, err := range s.List(ctx, "x/") {
				must.Succeed(t, err)
				names = append(names, o.Name)
			}
			if !slices.Equal(names, []string{"x/0", "x/1", "x/2", "x/3", "x/4"}) {
				t.Errorf("%v", names)
			}
			if err := errors.Join(s.Remove(ctx, "x/0"), s.Remove(ctx, "x/0")); err != nil {
				t.Error(err)
			}
			must.Is(t, must.Err(s.Stat(ctx, "x/0")), fs.ErrNotExist)
			if c.rate > 0 {
				for _, fault := range []string{"busy", "refused", "lost", "cut", "slow"} {
					if f.seen[fault] == 0 {
						t.Errorf("no fault %s among %v", fault, f.seen)
					}
				}
			}
		})
	}
}

// TestChanges: an object that becomes another one while it is read is no mixture.
func TestChanges(t *testing.T) {
	cfg, _ := service(t, 0, 1)
	s, _, err := remote.Open(cfg)("s3://corpora/")
	must.Succeed(t, err)
	ctx := t.Context()
	must.Succeed(t, s.Put(ctx, "x", file(t, random(1, 3<<20)), false))
	o := must.Get(s.Stat(ctx, "x"))(t)
	must.Succeed(t, s.Put(ctx, "x", file(t, random(2, 3<<20)), true))
	if p, err := s.Stat(ctx, "x"); err != nil || p.Tag == o.Tag {
		t.Errorf("the tag of another object is the same: %v, %v", p, err)
	}
}

// TestSays: what a service refuses comes with its words and with what to set.
func TestSays(t *testing.T) {
	for code, c := range map[string]struct {
		status int
		want   string
	}{
		"InvalidAccessKeyId":           {403, "set AWS_ACCESS_KEY_ID"},
		"SignatureDoesNotMatch":        {403, "set AWS_ACCESS_KEY_ID"},
		"AccessDenied":                 {403, "set AWS_ACCESS_KEY_ID"},
		"NoSuchBucket":                 {404, "name a bucket that is there; AWS_ENDPOINT_URL names another service"},
		"AuthorizationHeaderMalformed": {400, "set AWS_REGION to the region of the bucket, eu-west-7"},
		"PermanentRedirect":            {301, "set AWS_REGION"},
		"SlowDown":                     {503, "tried 3 times"},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(c.status)
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>Words of the service.</Message><Region>eu-west-7</Region></Error>", code)
		}))
		env := map[string]string{"AWS_ENDPOINT_URL": srv.URL, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
		s, _, err := remote.Open(remote.Config{Env: func(n string) string { return env[n] }, Tries: 3, Wait: time.Millisecond})("s3://corpora/x")
		must.Succeed(t, err)
		err = s.Put(t.Context(), "x", file(t, []byte("x")), false)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "Words of the service.") {
			t.Errorf("%s: %v, wanted %s", code, err, c.want)
		}
		want := c.want // an answer to HEAD has no words
		switch c.status {
		case 400:
			want = "set AWS_REGION"
		case 404:
			want = fs.ErrNotExist.Error()
		}
		if _, err := s.Stat(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, asked without an answer in words: %v, wanted %s", code, err, want)
		}
		srv.Close()
	}
	short, _, err := remote.Open(remote.Config{})("s3://b/x")
	must.Succeed(t, err)
	must.Fail(t, must.Err(short.Stat(t.Context(), "x")), "name a bucket")
	if _, _, err := remote.Open(remote.Config{})("ftp://host/x"); err == nil || !strings.Contains(err.Error(), "there are s3, gs, https and http") {
		t.Errorf("%v", err)
	}
}

// TestUnreached: of a service that was never reached that is told at once, of one that is
// gone after all tries.
func TestUnreached(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader("text"))
	}))
	env := map[string]string{"AWS_ENDPOINT_URL": srv.URL, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
	open := func(address string) store.Store {
		s, _, err := remote.Open(remote.Config{Env: func(n string) string { return env[n] }, Tries: 6, Wait: time.Millisecond})(address)
		must.Succeed(t, err)
		return s
	}
	addresses := []string{"s3://corpora/x", srv.URL + "/corpora/x"}
	var known []store.Store
	for _, address := range addresses {
		s := open(address)
		if _, err := s.Stat(t.Context(), "x"); err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		known = append(known, s)
	}
	srv.Close()
	for i, address := range addresses {
		if _, err := known[i].Stat(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "(tried 6 times)") {
			t.Errorf("%s, which is gone: %v", address, err)
		}
		s := open(address)
		_, err := s.Stat(t.Context(), "x")
		if want := []string{"nothing answers there: set AWS_ENDPOINT_URL", "nothing answers there"}[i]; err == nil || !strings.HasPrefix(err.Error(), s.String()+"/x: ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "tried") {
			t.Errorf("%s, which was never reached: %v", address, err)
		}
	}
}

// TestWeb: files of the web, whatever fails in between.
func TestWeb(t *testing.T) {
	want := random(3, 700_000)
	f := newFaulty(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/crawl/x.warc.gz" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(want))
	}), .4, 3)
	srv := httptest.NewUnstartedServer(f)
	srv.Start()
	defer srv.Close()
	cfg := remote.Config{Tries: 40, Wait: time.Millisecond, Idle: idle}
	s, name, err := remote.Open(cfg)(srv.URL + "/crawl/x.warc.gz")
	if err != nil || name != "crawl/x.warc.gz" {
		t.Fatalf("%q, %v", name, err)
	}
	for range 10 {
		got, err := store.Read(t.Context(), s, name, 1<<20)
		if err != nil || sha256.Sum256(got) != sha256.Sum256(want) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		r := must.Get(s.Open(t.Context(), name, 1000, 500_000))(t)
		got, err = io.ReadAll(r)
		r.Close()
		if err != nil || !bytes.Equal(got, want[1000:501_000]) {
			t.Fatalf("%d bytes of a part, %v", len(got), err)
		}
	}
	must.Is(t, must.Err(s.Stat(t.Context(), "crawl/y")), fs.ErrNotExist)
	must.Fail(t, s.Put(t.Context(), "x", "x", true), "only read")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	must.Is(t, must.Err(s.Stat(ctx, name)), context.Canceled)
}

// TestNoHead: files of servers that refuse HEAD requests are read, too.
func TestNoHead(t *testing.T) {
	want := random(4, 100_000)
	for _, status := range []int{http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusNotImplemented} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead || r.URL.Path != "/x" {
				w.WriteHeader(status)
				return
			}
			w.Header().Set("ETag", `"v1"`)
			http.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(want))
		}))
		s, name, err := remote.Open(remote.Config{Tries: 2, Wait: time.Millisecond})(srv.URL + "/x")
		must.Succeed(t, err)
		if o, err := s.Stat(t.Context(), name); err != nil || o.Size != int64(len(want)) || o.Tag != "v1" {
			t.Errorf("status %d: %+v, %v", status, o, err)
		}
		if got, err := store.Read(t.Context(), s, name, 1<<20); err != nil || !bytes.Equal(got, want) {
			t.Errorf("status %d: %d bytes, %v", status, len(got), err)
		}
		must.Fail(t, must.Err(s.Stat(t.Context(), "y")), http.StatusText(status))
		srv.Close()
	}
}
