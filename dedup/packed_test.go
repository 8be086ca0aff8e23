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
)

// TestPackedOutput wants a packed output, in each order, to hold what one that is not holds.
func TestPackedOutput(t *testing.T) {
	in := write(t, corpus(600, 2))
	for _, order := range dedup.Orders {
		job := dedup.Job{Inputs: []string{in}, Method: method(t, "paragraph"), Order: order}
		want, _ := do(t, job)
		job.Out = filepath.Join(scratch(t), "out.jsonl.gz")
		packed, _ := do(t, job)
		r, err := gzip.NewReader(strings.NewReader(packed))
		must.Succeed(t, err)
		got, err := io.ReadAll(r)
		must.Succeed(t, err)
		if string(got) != want {
			t.Errorf("%s: %d bytes packed, %d not", order, len(got), len(want))
		}
	}
}

// TestInputChanges wants an error, and no output, if the input changes between the readings.
func TestInputChanges(t *testing.T) {
	in := write(t, corpus(200, 4))
	job := dedup.Job{Inputs: []string{in}, Method: method(t, "page"), Out: filepath.Join(scratch(t), "out.jsonl")}
	job.Progress = func(string, int64, int64) {
		must.Succeed(t, os.Chtimes(in, time.Time{}, time.Unix(1, 0)))
	}
	_, err := dedup.Run(t.Context(), job)
	if must.Is(t, err, dedup.ErrStartOver); errors.As(err, new(*panics.Panic)) {
		t.Errorf("the second reading went on: %v", err)
	}
	if _, err := os.Stat(job.Out); err == nil {
		t.Error("there is an output")
	}
}
