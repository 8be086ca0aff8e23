package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestDamagedState changes each value of the checkpoint of an interrupted run: the change is
// found. With a checksum that matches no run panics, and none succeeds with an empty output.
func TestDamagedState(t *testing.T) {
	cfg := Config{Job: pipeline.Job{Inputs: []string{corpus(t, 200)}, Workers: 1, Checkpoint: 1}, Set: rules(t, "c4")}
	cfg.Out = filepath.Join(t.TempDir(), "out.jsonl")
	cfg.Dropped = cfg.Out + ".dropped"
	want := must.Get(Run(t.Context(), cfg))(t)
	whole := read(t, cfg.Out)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reads := 0
	cfg.OnProgress = func(pipeline.Status) {
		if reads++; reads == 3 {
			stop()
		}
	}
	cfg.Force = true
	if _, err := Run(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	cfg.OnProgress, cfg.Force, cfg.Resume = nil, false, true
	left := map[string]string{}
	for _, name := range []string{pipeline.StateFile(cfg.Out), files.Part(cfg.Out), files.Part(cfg.Dropped)} {
		left[name] = read(t, name)
	}
	resume := func(state []byte) (rep *Result, text string, err error) {
		os.Remove(cfg.Out)
		for name, b := range left {
			if name == pipeline.StateFile(cfg.Out) {
				b = string(state)
			}
			must.Write(t, name, b)
		}
		err = panics.Catch(func() error { rep, err = Run(t.Context(), cfg); return err })
		if errors.As(err, new(*panics.Panic)) {
			t.Fatal(panics.Detail(err))
		}
		if err == nil {
			text = read(t, cfg.Out)
		}
		return rep, text, err
	}
	state := left[pipeline.StateFile(cfg.Out)]
	if rep, text, err := resume([]byte(state)); err != nil || text != whole || rep.In != want.In {
		t.Fatalf("%d bytes, wanted %d; %v", len(text), len(whole), err)
	}
	tried := 0
	for d := range testkit.DamagedSealed(t, []byte(state), files.Seal) {
		if tried++; !testkit.Part(tried, 11) {
			continue
		}
		if _, _, err := resume(d.Stale); err == nil || !strings.Contains(err.Error(), pipeline.StateFile(cfg.Out)) {
			t.Errorf("%s: %v", d.What, err)
		}
		if _, text, err := resume(d.Sealed); err == nil && text == "" {
			t.Errorf("%s: an empty output", d.What)
		}
	}
	if tried < 200 {
		t.Errorf("%d changes were tried", tried)
	}
}
