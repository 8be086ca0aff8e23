package dedup_test

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaffinch/dedup"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestPackedOutput wants a packed output, in each order, to hold what one that is not holds.
func TestPackedOutput(t *testing.T) {
	in := write(t, corpus(600, 2))
	for _, order := range dedup.Orders {
		cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{in}}, Method: method(t, "paragraph"), Order: order}
		want, _ := do(t, cfg)
		cfg.Out = filepath.Join(scratch(t), "out.jsonl.gz")
		packed, _ := do(t, cfg)
		r := must.Get(gzip.NewReader(strings.NewReader(packed)))(t)
		got := must.Get(io.ReadAll(r))(t)
		if string(got) != want {
			t.Errorf("%s: %d bytes packed, %d not", order, len(got), len(want))
		}
	}
}

// TestInputChanges wants an error, and no output, if the input changes between the readings.
func TestInputChanges(t *testing.T) {
	in := write(t, corpus(200, 4))
	cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: filepath.Join(scratch(t), "out.jsonl")}, Method: method(t, "page")}
	cfg.OnProgress = func(pipeline.Status) {
		must.Succeed(t, os.Chtimes(in, time.Time{}, time.Unix(1, 0)))
	}
	_, err := dedup.Run(t.Context(), cfg)
	if must.Is(t, err, dedup.ErrStartOver); errors.As(err, new(*panics.Panic)) {
		t.Errorf("the second reading went on: %v", err)
	}
	if _, err := os.Stat(cfg.Out); err == nil {
		t.Error("there is an output")
	}
}
