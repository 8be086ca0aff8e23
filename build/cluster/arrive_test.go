package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// slowStore is a folder with a latency for each request and a bandwidth for each connection.
type slowStore struct {
	store.Folder
	latency time.Duration
	rate    float64 // bytes per second
	broken  bool    // connections fail after the first bytes
}

func (s slowStore) Stat(ctx context.Context, name string) (store.Object, error) {
	time.Sleep(s.latency)
	return s.Folder.Stat(ctx, name)
}

func (s slowStore) Open(ctx context.Context, name string, from, n int64) (io.ReadCloser, error) {
	time.Sleep(s.latency)
	in, err := s.Folder.Open(ctx, name, from, n)
	return &slowReader{in, s, from}, err
}

type slowReader struct {
	io.ReadCloser
	s  slowStore
	at int64
}

var errBroken = errors.New("broken")

func (r *slowReader) Read(b []byte) (int, error) {
	if r.s.broken && r.at > 1<<20 {
		return 0, errBroken
	}
	n, err := r.ReadCloser.Read(b[:min(len(b), 32<<10)])
	time.Sleep(time.Duration(float64(n) / r.s.rate * 1e9))
	r.at += int64(n)
	return n, err
}

// sleeper is a stage that sleeps for 4 ms per kilobyte of a page.
type sleeper struct{ slept, pages atomic.Int64 }

func (*sleeper) Name() string { return "sleeper/1" }

func (s *sleeper) Do(_ context.Context, p *page.Page) error {
	d := time.Duration(len(p.Raw)) * 4 * time.Microsecond
	s.slept.Add(int64(d))
	s.pages.Add(1)
	time.Sleep(d)
	return nil
}

type noRecord struct{}

func (noRecord) Append(dst []byte, _ *page.Page) []byte { return dst }

// archive returns a web archive of pages of random words.
func archive(t *testing.T, pages int) []byte {
	var b bytes.Buffer
	w := must.Get(warc.NewWriter(&b, warc.WriterConfig{Packing: warc.Gzip}))(t)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range pages {
		html := []byte("<html><body>")
		for len(html) < 6000+i*7919%8000 {
			html = strconv.AppendUint(append(html, "<p>"...), r.Uint64(), 36)
		}
		must.Succeed(t, must.Err(w.Write(warc.Entry{
			Type: "response", URI: fmt.Sprintf("https://busy.example/%d", i), Date: "2026-01-01T00:00:00Z",
			ContentType: "application/http; msgtype=response", Block: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + string(html)),
		})))
	}
	return b.Bytes()
}

// TestBusy wants at least 14 of 16 workers busy while the shard of a rank is fetched from a slow
// store. The clock of synctest only runs while all goroutines sleep, so the time for reading does not
// count. It wants the error of the store if the fetch fails.
func TestBusy(t *testing.T) {
	if testkit.Race {
		t.Skip("slow under the race detector")
	}
	const pages, workers = 4000, 16
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "pages.warc.gz"), archive(t, pages))
	for _, c := range []struct {
		streams, broken bool
		least, most     float64
	}{{true, false, 14, 16}, {false, false, 0, 13}, {true, true, 0, 16}} {
		t.Run(fmt.Sprintf("streams=%v,broken=%v", c.streams, c.broken), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s sleeper
				slow := slowStore{Folder: store.Folder(dir), latency: 20 * time.Millisecond, rate: 1e6, broken: c.broken}
				work := cluster.Work{
					Name: "busy", Program: "1", Settings: 1, Inputs: []string{"s3://slow/pages.warc.gz"}, ShardBytes: 1 << 40, Out: store.Folder(t.TempDir()), Worker: cluster.Worker{Of: 1},
					Open: func(address string) (store.Store, string, error) {
						return slow, strings.TrimPrefix(address, "s3://slow/"), nil
					},
					Steps: []cluster.Step{{Name: "pages", Streams: c.streams, Do: func(ctx context.Context, task *cluster.Task) error {
						cfg := input.Default
						cfg.Workers = workers
						in, err := input.OpenPieces(task.Pieces, cfg)
						if err != nil {
							return err
						}
						defer in.Close()
						job := pipeline.Default
						job.Workers = workers
						chain := pipeline.Chain{Source: in, Stages: []pipeline.Stage{&s}, Outputs: []pipeline.Output{{Encoder: noRecord{}, Sink: pipeline.NewStream(io.Discard)}}}
						_, err = pipeline.Run(ctx, chain, job)
						return err
					}}},
				}
				start := time.Now()
				_, err := cluster.Run(t.Context(), work)
				if c.broken {
					if !errors.Is(err, errBroken) {
						t.Errorf("error %v", err)
					}
					return
				}
				must.Succeed(t, err)
				busy := float64(s.slept.Load()) / float64(time.Since(start))
				t.Logf("%.1f workers busy", busy)
				if s.pages.Load() != pages || busy < c.least || busy > c.most {
					t.Errorf("%d pages, %.1f workers busy; wanted %d, %v to %v", s.pages.Load(), busy, pages, c.least, c.most)
				}
			})
		})
	}
}
