package records_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/input/records"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestAheadBusy wants at least 14 of 16 workers of Ahead busy, which filter uses: with one file and
// with many small files. The clock of synctest only runs while all workers sleep, so the time for
// reading does not count.
func TestAheadBusy(t *testing.T) {
	testkit.Slow(t)
	const docs, workers = 20_000, 16
	for _, files := range []int{1, 500} {
		var paths []string
		dir := t.TempDir()
		for i := range files {
			var b strings.Builder
			for j := range docs / files {
				fmt.Fprintf(&b, "{\"id\":\"%d-%d\",\"text\":%q}\n", i, j, strings.Repeat("some words ", 1+(i*7+j)*7919%200))
			}
			paths = append(paths, filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)))
			must.Write(t, paths[i], []byte(b.String()))
		}
		synctest.Test(t, func(t *testing.T) {
			r := must.Get(records.Open(paths, records.Config{}))(t)
			defer r.Close()
			var busy testkit.Busy
			start, used := time.Now(), 0
			must.Succeed(t, records.Ahead(t.Context(), r, records.AheadConfig{Workers: workers, Memory: 64 << 20}, func(_ int, d *records.Doc) bool {
				busy.Sleep(time.Duration(len(d.Raw)) * 10 * time.Microsecond)
				return true
			}, func(p *records.Piece[bool]) error {
				if p.Doc != nil {
					used++
				}
				return nil
			}))
			if mean := busy.Mean(time.Since(start)); used != docs || busy.Most() != workers || mean < 14 {
				t.Errorf("%d files: %d documents, at most %d workers busy at once, %.1f on average; wanted %d, %d and at least 14", files, used, busy.Most(), mean, docs, workers)
			}
		})
	}
}
