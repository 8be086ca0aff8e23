package input_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
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

// sleeper is a stage that sleeps for 1 ms per kilobyte of a page.
type sleeper struct{ testkit.Busy }

func (*sleeper) Name() string { return "sleeper/1" }

func (s *sleeper) Do(_ context.Context, p *page.Page) error {
	s.Sleep(time.Duration(len(p.Raw)) * time.Microsecond)
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
	w := must.Get(warc.NewWriter(&archive, warc.WriterConfig{Packing: warc.Gzip}))(t)
	for i := range pages {
		html := fmt.Sprintf("<html><body><p>Page %d%s</p></body></html>", i, strings.Repeat(" of many words", 300+i*7919%1000))
		must.Write(t, filepath.Join(dir, "files", fmt.Sprintf("%d.html", i)), []byte(html))
		must.Succeed(t, must.Err(w.Write(warc.Entry{
			Type: "response", URI: fmt.Sprintf("https://busy.example/%d", i), Date: "2026-01-01T00:00:00Z",
			ContentType: "application/http; msgtype=response", Block: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html),
		})))
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
				in := must.Get(input.OpenPieces(list, cfg))(t)
				defer in.Close()
				var s sleeper
				start := time.Now()
				job := pipeline.Default
				job.Workers = workers
				chain := pipeline.Chain{Source: in, Stages: []pipeline.Stage{&s}, Outputs: []pipeline.Output{{Encoder: empty{}, Sink: pipeline.NewStream(io.Discard)}}}
				must.Succeed(t, must.Err(pipeline.Run(t.Context(), chain, job)))
				if mean := s.Mean(time.Since(start)); s.Calls() != pages || s.Most() != workers || mean < 14 {
					t.Errorf("%d pages, at most %d workers busy at once, %.1f on average; wanted %d, %d and at least 14", s.Calls(), s.Most(), mean, pages, workers)
				}
			})
		})
	}
}
