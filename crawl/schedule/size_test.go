package schedule

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"chaffinch/crawl/frontier"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// BenchmarkFrontier shows what URLs that wait cost in memory, and how long a
// scheduler with so many takes from a checkpoint to its first task.
func BenchmarkFrontier(b *testing.B) {
	disk.Lazy()
	for _, size := range []struct{ hosts, each int }{{100_000, 1}, {10_000, 100}, {10_000, 1000}, {100_000, 100}} {
		b.Run(fmt.Sprintf("hosts=%d/URLs=%d", size.hosts, size.hosts*size.each), func(b *testing.B) {
			f := Frontier{Dir: b.TempDir(), Sieve: frontier.SieveConfig{Pending: 1 << 20, Recent: 1 << 16}, Queue: frontier.DefaultQueue}
			all := func(uint32, []byte) bool { return true }
			s, err := Open(Default, f, all)
			must.Succeed(b, err)
			links := make([]Link, 0, size.hosts)
			for page := range size.each {
				links = links[:0]
				for host := range size.hosts {
					links = append(links, Link{Origin: fmt.Sprintf("https://www.host-%06d.example", host), Path: fmt.Sprintf("/2026/11/story-number-%d.html", page), Promise: .5})
				}
				must.Succeed(b, s.Add(time.Duration(page), links))
			}
			checkpoint := filepath.Join(f.Dir, "checkpoint")
			save(b, s, checkpoint)
			s, links = nil, nil
			for b.Loop() {
				before := inUse()
				in, err := os.Open(checkpoint)
				must.Succeed(b, err)
				start := time.Now()
				s, err := Load(Default, f, all, in)
				must.Succeed(b, err)
				if _, ok, _, err := s.Take(time.Hour); !ok || err != nil {
					b.Fatal(ok, err)
				}
				b.ReportMetric(time.Since(start).Seconds(), "s-to-first-task")
				if s.Queued() < int64(size.hosts*size.each)-1 {
					b.Fatal(s.Queued())
				}
				b.ReportMetric(float64(inUse()-before)/float64(size.hosts), "B/host")
				in.Close()
				s.Close()
				runtime.KeepAlive(s)
			}
		})
	}
}

func save(b *testing.B, s *Scheduler, name string) {
	f, err := os.Create(name)
	must.Succeed(b, err)
	must.Succeed(b, s.Save(time.Minute, f))
	must.Succeed(b, f.Close())
	must.Succeed(b, s.Close())
}

// inUse returns the bytes in use.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
