package crawl

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
)

// TestNearDuplicates crawls a web in which each host has a page like one of the
// others, with and without an end by force on the way.
func TestNearDuplicates(t *testing.T) {
	testkit.Slow(t)
	disk.Lazy()
	for _, c := range []struct {
		name, keep string
		killed     bool
	}{{"dropped", Drop, false}, {"kept", Keep, false}, {"killed", Drop, true}} {
		t.Run(c.name, func(t *testing.T) {
			cfg := testConfig(t.TempDir(), newSmallNet())
			cfg.NearDuplicates, cfg.CheckpointEvents = c.keep, 60
			net := cfg.Fetcher.(*smallNet)
			net.alike = true
			var report *Result
			for left := 40; report == nil; left += 40 {
				synctest.Test(t, func(t *testing.T) {
					var n atomic.Int64
					n.Store(int64(left))
					if c.killed {
						defer disk.Watch(func(disk.Op, string) error {
							if n.Add(-1) < 0 {
								return disk.ErrDead
							}
							return nil
						})()
					}
					report, _ = Run(t.Context(), cfg)
					if !c.killed && report == nil {
						t.Fatal("the crawl failed")
					}
					if report != nil && report.Reason != Exhausted {
						report = nil
					}
				})
			}
			near := 0
			copies := map[string]int{}
			for n := 1; ; n++ {
				if _, err := os.Stat(journalName(cfg.Dir, n)); err != nil {
					break
				}
				if _, err := readJournal(journalName(cfg.Dir, n), func(e event) error {
					if e.Page != nil && e.Page.CopyOf != "" && e.Page.Reason != duplicate {
						if near++; e.Done.Clean != 0 {
							t.Errorf("%s gives %d bytes of new text", e.Page.URL, e.Done.Clean)
						}
						copies[e.Page.CopyOf]++
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			records := 0
			b, _ := os.ReadFile(filepath.Join(cfg.Dir, "text.jsonl"))
			for line := range bytes.Lines(b) {
				var r struct{ URL string }
				if json.Unmarshal(line, &r) != nil {
					t.Fatalf("%s", line)
				}
				if bytes.HasSuffix([]byte(r.URL), []byte("/alone")) {
					records++
				}
			}
			want := 1
			if c.keep == Keep {
				want = netHosts
			}
			if near != netHosts-1 || len(copies) != 1 || records != want {
				t.Errorf("%d near-duplicates of %v, %d records of them; want %d and %d", near, copies, records, netHosts-1, want)
			}
		})
	}
}
