package dedup_test

import (
	"compress/gzip"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/dedup"
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
