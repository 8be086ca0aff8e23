package onion

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// faulty is a method that panics over documents with an id that ends in 7.
type faulty struct{ *method }

type faultySketcher struct{ *sketcher }

func (m faulty) Sketcher() dedup.Sketcher {
	return faultySketcher{m.method.Sketcher().(*sketcher)}
}

func (s faultySketcher) Hold(d *records.Doc, num int64) int64 {
	if strings.HasSuffix(d.ID, "7") {
		panic("ouch")
	}
	return s.sketcher.Hold(d, num)
}

func (s faultySketcher) Sketch(d *records.Doc, num int64, emit func(int) []byte) {
	if strings.HasSuffix(d.ID, "7") {
		panic("ouch")
	}
	s.sketcher.Sketch(d, num, emit)
}

// TestHeld compares runs that hold all sketches with runs that hold none or stop at checkpoints or
// faults.
func TestHeld(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.jsonl")
	must.Write(t, in, strings.Join(lines(150, 5), "\n")+"\n")
	workers := 2
	do := func(change func(*method) dedup.Method, checkpoint time.Duration) (string, int64) {
		m := must.Get(New(Default))(t)
		out := filepath.Join(t.TempDir(), "out.jsonl")
		rep := must.Get(dedup.Run(t.Context(), dedup.Config{
			Job:   pipeline.Job{Inputs: []string{in}, Out: out, Workers: workers, Checkpoint: checkpoint},
			Input: records.Config{Format: records.JSONL}, Method: change(m.(*method)), Annotate: true,
		}))(t)
		return string(must.Read(t, out)), rep.Counts["onion: repeated n-grams"]
	}
	plain := func(m *method) dedup.Method { return m }
	inTables := func(m *method) dedup.Method { return unheld{m} }
	withFaults := func(m *method) dedup.Method { return faulty{m} }
	faultsInTables := func(m *method) dedup.Method { return unheld{faulty{m}} }
	want, repeated := do(inTables, 0)
	for workers = range 5 {
		if got, n := do(plain, 0); got != want || n != repeated {
			t.Errorf("held by %d workers: %d repeated n-grams, want %d; output\n%s\nwant\n%s", workers, n, repeated, got, want)
		}
	}
	if got, n := do(plain, time.Nanosecond); got != want || n != repeated {
		t.Errorf("released at a checkpoint: %d repeated n-grams, want %d; output\n%s\nwant\n%s", n, repeated, got, want)
	}
	want, repeated = do(faultsInTables, 0)
	if got, n := do(withFaults, 0); got != want || n != repeated {
		t.Errorf("with faults: %d repeated n-grams, want %d; output\n%s\nwant\n%s", n, repeated, got, want)
	}
}

// TestHeldResumed interrupts a run that holds its sketches, and resumes it.
func TestHeldResumed(t *testing.T) {
	dir := t.TempDir()
	cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{filepath.Join(dir, "in.jsonl")}, Out: filepath.Join(dir, "out.jsonl"), Workers: 2}, Input: records.Config{Format: records.JSONL}, Rank: dedup.ByInput}
	in := lines(150, 6)
	must.Write(t, cfg.Inputs[0], strings.Join(in, "\n")+"\n")
	for _, step := range []string{"onion: repeated n-grams", "onion: judge", "onion: where seen first", "onion: mark"} {
		m := must.Get(New(Default))(t)
		cfg.Method = m
		ctx, cancel := context.WithCancel(t.Context())
		cfg.Resume, cfg.Force = false, true
		cfg.OnProgress = func(s pipeline.Status) {
			if s.Step == step {
				cancel()
			}
		}
		if _, err := dedup.Run(ctx, cfg); err == nil {
			t.Fatalf("%s: the run was not interrupted", step)
		}
		cfg.Resume, cfg.Force, cfg.OnProgress = true, false, nil
		must.Succeed(t, must.Err(dedup.Run(t.Context(), cfg)))
		if got, want := string(must.Read(t, cfg.Out)), run(t, in, "", false); got != want {
			t.Errorf("%s: output\n%s\nwant\n%s", step, got, want)
		}
	}
}

// TestNumbers numbers hashes with long runs of taken slots.
func TestNumbers(t *testing.T) {
	var x numbers
	want := map[uint64]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		h := uint64(r.IntN(40))<<61 | uint64(r.IntN(100))
		n, known := want[h]
		if !known {
			n = len(want)
			want[h] = n
		}
		if got := x.of(h); got != n {
			t.Fatalf("%x: number %d, want %d", h, got, n)
		}
	}
}
