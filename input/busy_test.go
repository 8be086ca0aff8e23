package input_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// sleeper is a stage that sleeps for 1 ms per kilobyte of a page and counts the workers that
// sleep at once.
type sleeper struct{ inside, most, slept, pages atomic.Int64 }

func (*sleeper) Name() string { return "sleeper/1" }

func (s *sleeper) Do(_ context.Context, p *page.Page) error {
	n := s.inside.Add(1)
	for most := s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
	}
	d := time.Duration(len(p.Raw)) * time.Microsecond
	s.slept.Add(int64(d))
	s.pages.Add(1)
	time.Sleep(d)
	s.inside.Add(-1)
	return nil
}

type empty struct{}

func (empty) Append(dst []byte, _ *page.Page) []byte { return dst }

// TestBusy wants at least 14 of 16 workers busy for many small files, for one archive, and for
// the pieces of an archive. The clock of synctest only runs while all stages sleep, so the time
// for reading does not count.
func TestBusy(t *testing.T) {
	testkit.Slow(t)
	const pages, workers = 2500, 16
	dir := t.TempDir()
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "files"), 0o777))
	var archive bytes.Buffer
	w, err := warc.NewWriter(&archive, warc.WriterConfig{Packing: warc.Gzip})
	must.Succeed(t, err)
	for i := range pages {
		html := fmt.Sprintf("<html><body><p>Page %d%s</p></body></html>", i, strings.Repeat(" of many words", 300+i*7919%1000))
		must.Write(t, filepath.Join(dir, "files", fmt.Sprintf("%d.html", i)), []byte(html))
		_, err := w.Write(warc.Entry{
			Type: "response", URI: fmt.Sprintf("https://busy.example/%d", i), Date: "2026-01-01T00:00:00Z",
			ContentType: "application/http; msgtype=response", Block: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html),
		})
		must.Succeed(t, err)
	}
	name := filepath.Join(dir, "pages.warc.gz")
	must.Write(t, name, archive.Bytes())
	for source, list := range map[string][]input.Piece{
		"small files": input.List([]string{filepath.Join(dir, "files")}),
		"one archive": input.List([]string{name}),
		"pieces":      cuts(t, input.List([]string{name})[0], int64(archive.Len()/20)),
	} {
		t.Run(source, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := input.Default
				cfg.Workers = workers
				in, err := input.OpenPieces(list, cfg)
				must.Succeed(t, err)
				defer in.Close()
				var s sleeper
				start := time.Now()
				job := pipeline.Default
				job.Workers = workers
				chain := pipeline.Chain{Source: in, Stages: []pipeline.Stage{&s}, Outputs: []pipeline.Output{{Encoder: empty{}, Sink: pipeline.NewStream(io.Discard)}}}
				_, err = pipeline.Run(t.Context(), chain, job)
				must.Succeed(t, err)
				busy := float64(s.slept.Load()) / float64(time.Since(start))
				if s.pages.Load() != pages || s.most.Load() != workers || busy < 14 {
					t.Errorf("%d pages, at most %d workers busy at once, %.1f on average; wanted %d, %d and at least 14", s.pages.Load(), s.most.Load(), busy, pages, workers)
				}
			})
		})
	}
}
