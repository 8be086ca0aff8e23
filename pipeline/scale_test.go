package pipeline_test

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"chaffinch/page"
	"chaffinch/pipeline"
)

// endless yields pages of the same size until n have been read.
type endless struct{ left int }

func (e *endless) Next() (*page.Page, error) {
	if e.left == 0 {
		return nil, io.EOF
	}
	e.left--
	return &page.Page{ID: "p", Raw: make([]byte, 4<<10)}, nil
}

// sleeping is a stage that waits, as one does that asks another server.
type sleeping time.Duration

func (sleeping) Name() string { return "sleeping/1" }

func (s sleeping) Do(context.Context, *page.Page) error {
	time.Sleep(time.Duration(s))
	return nil
}

type nothing struct{}

func (nothing) Append(dst []byte, _ *page.Page) []byte { return dst }

// BenchmarkWorkers runs a stage that sleeps for 2 ms with several numbers of workers. Its
// pages per second grow with the workers, regardless of the processors, as long as order,
// budget and batches do not hold workers back. busy is the share of the workers that sleep
// at a time, in percent.
func BenchmarkWorkers(b *testing.B) {
	const wait = 2 * time.Millisecond
	for _, workers := range []int{1, 2, 16, 64} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			cfg := pipeline.Default
			cfg.Workers = workers
			pages := 64 * workers
			for b.Loop() {
				job := pipeline.Chain{Source: &endless{pages}, Stages: []pipeline.Stage{sleeping(wait)}, Outputs: []pipeline.Output{{Encoder: nothing{}, Sink: pipeline.NewStream(io.Discard)}}}
				if _, err := pipeline.Run(b.Context(), job, cfg); err != nil {
					b.Fatal(err)
				}
			}
			rate := float64(b.N*pages) / b.Elapsed().Seconds()
			b.ReportMetric(rate, "pages/s")
			b.ReportMetric(100*rate*wait.Seconds()/float64(workers), "%busy")
		})
	}
}
