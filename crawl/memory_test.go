package crawl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/cputime"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// BenchmarkMemory measures the memory of a crawl with ten million queued URLs of many hosts and two million texts,
// besides the memory at its start, including checkpoints. Run one size at a time: MB-peak is the most resident memory
// of the process so far.
func BenchmarkMemory(b *testing.B) {
	disk.Lazy()
	const urls, textCount = 10_000_000, 2_000_000
	for _, hosts := range []int{100_000, 1_000_000} {
		for _, memory := range []int64{MinMemory, 256 << 20, 1 << 30} {
			b.Run(fmt.Sprintf("hosts=%d/MiB=%d", hosts, memory>>20), func(b *testing.B) {
				debug.SetGCPercent(200) // as the command does
				debug.SetMemoryLimit(250<<20 + memory/2)
				cfg := Default
				cfg.Dir, cfg.Contact, cfg.Memory = b.TempDir(), "test@example.org", memory
				cfg.Seeds = []string{"https://www.host-0000000.example/"}
				for b.Loop() {
					c := must.Get(newCrawl(cfg))(b)
					lock := must.Get(lockFolder(cfg.Dir))(b)
					must.Succeed(b, c.open(context.Background()))
					debug.FreeOSMemory()
					start, _ := testkit.ResidentMemory(os.Getpid())
					before := cputime.Used()
					var links []schedule.Link
					rng := rand.New(rand.NewPCG(1, 2))
					for i := range urls {
						links = append(links, schedule.Link{Origin: fmt.Sprintf("https://www.host-%07d.example", i%hosts), Path: fmt.Sprintf("/2026/11/story-number-%d.html", i/hosts), Promise: .5})
						if len(links) == 1000 {
							must.Succeed(b, c.sched.Add(c.now(), links))
							links = links[:0]
							for range 1000 * textCount / urls {
								must.Succeed(b, c.texts.AddText(rng.Uint64()))
								must.Succeed(b, c.texts.AddNear(rng.Uint64(), 1))
							}
						}
						if i%(urls/5) == urls/5-1 {
							must.Succeed(b, c.checkpoint())
						}
					}
					b.ReportMetric(float64(cputime.Used()-before)/urls, "cpu-ns/URL")
					b.ReportMetric(float64(start)/1e6, "MB-start")
					_, peak := testkit.ResidentMemory(os.Getpid())
					b.ReportMetric(float64(peak-start)/1e6, "MB-peak")
					must.Succeed(b, c.close())
					must.Succeed(b, lock.Close())
				}
			})
		}
	}
}
