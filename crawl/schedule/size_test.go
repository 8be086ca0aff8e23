package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"chaffinch/crawl/frontier"
	"chaffinch/internal/cputime"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// BenchmarkFrontier measures the memory of queued URLs, the processor time to add them, and the time from
// a checkpoint to the first task. MB-peak is the most resident memory of the process so far.
func BenchmarkFrontier(b *testing.B) {
	disk.Lazy()
	for _, size := range []struct {
		hosts, each int
		memory      int64 // for hosts
	}{{100_000, 1, 0}, {10_000, 100, 0}, {10_000, 1000, 0}, {100_000, 100, 0}, {1_000_000, 10, 0}, {1_000_000, 10, 64 << 20}} {
		b.Run(fmt.Sprintf("hosts=%d/URLs=%d/MiB=%d", size.hosts, size.hosts*size.each, size.memory>>20), func(b *testing.B) {
			f := Frontier{Dir: b.TempDir(), Sieve: frontier.DefaultSieve, Queue: frontier.DefaultQueue, Memory: size.memory * 3 / 4}
			f.Queue.Memory = size.memory / 4
			all := func(uint32, []byte) bool { return true }
			before := cputime.Used()
			s := must.Get(Open(Default, f, all))(b)
			var links []Link
			for page := range size.each {
				for host := range size.hosts {
					links = append(links, Link{Origin: fmt.Sprintf("https://www.host-%06d.example", host), Path: fmt.Sprintf("/2026/11/story-number-%d.html", page), Promise: .5})
					if len(links) == 1000 || host == size.hosts-1 {
						must.Succeed(b, s.Add(time.Duration(page), links))
						links = links[:0]
					}
				}
			}
			must.Succeed(b, s.Flush(0))
			cost := float64(cputime.Used()-before) / float64(size.hosts*size.each)
			checkpoint := filepath.Join(f.Dir, "checkpoint")
			save(b, s, checkpoint)
			s = nil
			for b.Loop() {
				before := inUse()
				in := must.Get(os.Open(checkpoint))(b)
				start := time.Now()
				s := must.Get(Load(Default, f, all, in))(b)
				if _, ok, _, err := s.Take(time.Hour); !ok || err != nil {
					b.Fatal(ok, err)
				}
				b.ReportMetric(time.Since(start).Seconds(), "s-to-first-task")
				if s.Queued() < int64(size.hosts*size.each)-1 {
					b.Fatal(s.Queued())
				}
				b.ReportMetric(float64(hostBytes(s)-before-int64(8*f.Sieve.Recent))/float64(size.hosts), "B/host")
				in.Close()
				s.Close()
				runtime.KeepAlive(s)
			}
			b.ReportMetric(cost, "cpu-ns/URL")
			_, peak := testkit.ResidentMemory(os.Getpid())
			b.ReportMetric(float64(peak)/1e6, "MB-peak")
		})
	}
}

func save(b *testing.B, s *Scheduler, name string) {
	f := must.Get(os.Create(name))(b)
	must.Succeed(b, s.Save(time.Minute, f))
	must.Succeed(b, f.Close())
	must.Succeed(b, s.Close())
}

// BenchmarkVisited measures the memory of hosts that were visited: their addresses, pages to retry and links to other
// sites are known, and each has queued URLs in several files. Three hosts share an address.
func BenchmarkVisited(b *testing.B) {
	disk.Lazy()
	const hosts, pages = 20_000, 3
	for b.Loop() {
		f := Frontier{Dir: b.TempDir(), Sieve: frontier.SieveConfig{Pending: 1 << 18, Recent: 1 << 16}, Queue: frontier.DefaultQueue}
		all := func(uint32, []byte) bool { return true }
		s := must.Get(Open(Default, f, all))(b)
		link := func(host, path int) Link {
			return Link{Origin: fmt.Sprintf("https://www.host-%06d.example", host), Path: fmt.Sprintf("/2026/11/story-number-%d.html", path), Promise: .5}
		}
		for host := range hosts {
			must.Succeed(b, s.Add(0, []Link{link(host, 0)}))
		}
		rng := rand.New(rand.NewPCG(1, 2))
		now := time.Duration(0)
		fetched := make([]int, hosts)
		for left := hosts * pages; left > 0; {
			task, ok, again, err := s.Take(now)
			must.Succeed(b, err)
			if !ok {
				now = again
				continue
			}
			o := Outcome{Host: task.Host}
			switch task.Kind {
			case Resolve:
				o.Address = fmt.Sprintf("10.%d.%d.%d", task.Host%hosts/3>>16, task.Host/3>>8&255, task.Host/3&255)
			case Page:
				if fetched[task.Host]++; fetched[task.Host] <= pages {
					left--
				}
				o.Bytes, o.Clean = 50_000, int64(rng.IntN(5000))
				for i := range 20 {
					o.Links = append(o.Links, link(int(task.Host), 20*fetched[task.Host]+i))
				}
				for range 5 {
					o.Links = append(o.Links, link(rng.IntN(hosts), rng.IntN(10)))
				}
			}
			must.Succeed(b, s.Done(now, o))
		}
		checkpoint := filepath.Join(f.Dir, "checkpoint")
		save(b, s, checkpoint)
		s = nil
		before := inUse()
		in := must.Get(os.Open(checkpoint))(b)
		s = must.Get(Load(Default, f, all, in))(b)
		b.ReportMetric(float64(hostBytes(s)-before-int64(8*f.Sieve.Recent))/hosts, "B/host")
		must.Succeed(b, errors.Join(in.Close(), s.Close()))
	}
}

// hostBytes returns the bytes in use of the Go heap and of the tables of a scheduler.
func hostBytes(s *Scheduler) int64 { return inUse() + s.memory.Used() + s.queue.HostBytes() }

// inUse returns the bytes in use of the Go heap.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestHostsOnDisk fails if the tasks of a crawl depend on the memory for hosts.
func TestHostsOnDisk(t *testing.T) {
	testkit.Slow(t)
	var want []event
	for i, memory := range []int64{0, 1} {
		s, f := openWorld(t, Default, 400)
		must.Succeed(t, s.Close())
		f.Memory, f.Queue.Memory = memory, memory
		must.Succeed(t, os.RemoveAll(f.Dir))
		must.Succeed(t, os.Mkdir(f.Dir, 0o777))
		s = must.Get(Open(Default, f, allowed))(t)
		rng := rand.New(rand.NewPCG(9, 9))
		for range 100 {
			must.Succeed(t, s.Add(0, []Link{worldLink(rng, 400)}))
		}
		w := &world{rng: rand.New(rand.NewPCG(6, 6)), hosts: 400}
		log, now := w.crawl(t, s, 0, 3000, func(result) {})
		var checkpoint bytes.Buffer
		must.Succeed(t, s.Save(now, &checkpoint))
		must.Succeed(t, s.Close())
		s = must.Get(Load(Default, f, allowed, &checkpoint))(t)
		more, _ := w.crawl(t, s, now, 3000, func(result) {})
		if spilled := s.memory.Spilled(); spilled != (memory > 0) && runtime.GOOS == "linux" {
			t.Errorf("memory %d: hosts on disk: %v", memory, spilled)
		}
		must.Succeed(t, s.Close())
		log = append(log, more...)
		if i == 0 {
			want = log
			continue
		}
		if !slices.EqualFunc(log, want, func(a, b event) bool { return a.at == b.at && a.task == b.task }) {
			t.Errorf("the %d tasks differ from the %d tasks with all hosts in memory", len(log), len(want))
		}
	}
}
