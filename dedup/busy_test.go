package dedup_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/testkit"
	"chaffinch/pipeline"
)

// sleepy is a method whose sketches take 1 ms per 100 bytes. It records the time from the first sketch to
// the last.
type sleepy struct {
	dedup.Method
	busy        testkit.Busy
	first, last atomic.Pointer[time.Time]
}

type sleepySketcher struct {
	dedup.Sketcher
	*sleepy
}

func (s *sleepy) Sketcher() dedup.Sketcher { return sleepySketcher{s.Method.Sketcher(), s} }

func (s sleepySketcher) Sketch(d *records.Doc, num int64, emit func(int) []byte) {
	now := time.Now()
	s.first.CompareAndSwap(nil, &now)
	s.busy.Sleep(time.Duration(len(d.Raw)) * 10 * time.Microsecond)
	now = time.Now()
	s.last.Store(&now)
	s.Sketcher.Sketch(d, num, emit)
}

// TestBusy wants at least 14 of 16 workers busy with sketches. The clock of synctest only runs
// while all workers sleep, so the time for reading does not count.
func TestBusy(t *testing.T) {
	const docs, workers = 20_000, 16
	in := write(t, corpus(docs, 1))
	out := filepath.Join(scratch(t), "out.jsonl")
	synctest.Test(t, func(t *testing.T) {
		s := &sleepy{Method: method(t, "page")}
		if _, err := dedup.Run(t.Context(), dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: out, Workers: workers}, Method: s}); err != nil {
			t.Fatal(err)
		}
		if mean := s.busy.Mean(s.last.Load().Sub(*s.first.Load())); s.busy.Calls() != docs || s.busy.Most() != workers || mean < 14 {
			t.Errorf("%d documents, at most %d workers busy at once, %.1f on average; wanted %d, %d and at least 14", s.busy.Calls(), s.busy.Most(), mean, docs, workers)
		}
	})
}
