package schedule

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"chaffinch/crawl/frontier"
)

// world is a small web whose hosts fail, ask for time and share addresses; what
// it answers follows from a seed.
type world struct {
	rng     *rand.Rand
	running []result
}

// result is what will come of a request.
type result struct {
	begin, end time.Duration
	task       Task
	outcome    Outcome
}

const worldHosts = 30

func worldLink(rng *rand.Rand) Link {
	return Link{Origin: fmt.Sprintf("https://h%d.example", rng.IntN(worldHosts)), Path: fmt.Sprintf("/%d", rng.IntN(400)), Promise: rng.Float32()}
}

// answer makes the result of a task that begins now.
func (w *world) answer(now time.Duration, t Task) result {
	o := Outcome{Host: t.Host, Took: time.Duration(w.rng.IntN(4000)) * time.Millisecond}
	switch w.rng.IntN(10) {
	case 0:
		o.Failure = true
	case 1:
		o.Busy, o.RetryAfter = true, time.Duration(w.rng.IntN(3))*50*time.Second
	default:
		switch t.Kind {
		case Resolve:
			o.Address = fmt.Sprintf("10.0.0.%d", t.Host%7)
		case Robots:
			o.CrawlDelay = time.Duration(t.Host%5) * 4 * time.Second
		case Page:
			o.Bytes, o.Clean = 50_000, int64(t.Host%6)*1000
			for range w.rng.IntN(6) {
				o.Links = append(o.Links, worldLink(w.rng))
			}
		}
	}
	return result{now, now + o.Took, t, o}
}

// next returns the result that comes first.
func (w *world) next() *result {
	if len(w.running) == 0 {
		return nil
	}
	slices.SortFunc(w.running, func(a, b result) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.task.Host, b.task.Host))
	})
	return &w.running[0]
}

// event is an event of a scheduler: an outcome, or the taking of a task.
type event struct {
	at      time.Duration
	outcome *Outcome
	task    Task
}

// crawl crawls the world until there were so many events, or nothing is left; see
// is called with each result before the scheduler hears of it.
func (w *world) crawl(t *testing.T, s *Scheduler, now time.Duration, events int, see func(result)) (log []event, end time.Duration) {
	t.Helper()
	for len(log) < events {
		task, ok, again, err := s.Take(now)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			log = append(log, event{at: now, task: task})
			w.running = append(w.running, w.answer(now, task))
			now += 10 * time.Millisecond
			continue
		}
		r := w.next()
		switch {
		case r == nil && again < 0:
			return log, now
		case r == nil || again >= 0 && again < r.end:
			now = max(now, again)
		default:
			now = max(now, r.end)
			done := *r
			w.running = w.running[1:]
			see(done)
			if err := s.Done(now, done.outcome); err != nil {
				t.Fatal(err)
			}
			log = append(log, event{at: now, outcome: &done.outcome})
		}
	}
	return log, now
}

func openWorld(t *testing.T, cfg Config) (*Scheduler, Frontier) {
	t.Helper()
	f := Frontier{Dir: t.TempDir(), Sieve: frontier.SieveConfig{Pending: 300, Recent: 64}, Queue: frontier.QueueConfig{Batch: 2000, Segments: 5}}
	s, err := Open(cfg, f, allowed)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(9, 9))
	var seeds []Link
	for range 8 {
		seeds = append(seeds, worldLink(rng))
	}
	if err := s.Add(0, seeds); err != nil {
		t.Fatal(err)
	}
	return s, f
}

// allowed forbids a tenth of the paths.
func allowed(host uint32, path []byte) bool { return path[len(path)-1] != '7' }

// TestManners has a log of requests judged by a second reading of the rules.
func TestManners(t *testing.T) {
	s, _ := openWorld(t, Default)
	defer s.Close()
	w := &world{rng: rand.New(rand.NewPCG(1, 1))}
	type asked struct {
		end       time.Duration
		notBefore time.Duration
	}
	hosts, addresses := map[uint32]asked{}, map[string]asked{}
	address, delay, robots := map[uint32]string{}, map[uint32]time.Duration{}, map[uint32]time.Duration{}
	pages := map[string]int{}
	requests := 0
	// Requests of one host do not overlap, so that the order of their ends is that of
	// their beginnings.
	w.crawl(t, s, 0, 20_000, func(r result) {
		host := r.task.Host
		if r.task.Kind == Resolve {
			if !r.outcome.Failure && !r.outcome.Busy {
				address[host] = r.outcome.Address
			}
			return
		}
		requests++
		before := hosts[host]
		if r.begin < before.notBefore {
			t.Errorf("%s %s: asked at %v, not before %v", r.task.Origin, r.task.Kind, r.begin, before.notBefore)
		}
		a := addresses[address[host]]
		if r.begin < a.end+Default.AddressDelay && a.end > 0 {
			t.Errorf("%s: asked at %v, its address answered until %v", r.task.Origin, r.begin, a.end)
		}
		gap := max(Default.Delay, delay[host])
		if !r.outcome.Failure && !r.outcome.Busy {
			gap = max(gap, min(5*r.outcome.Took, Default.MaxDelay))
		}
		if r.outcome.Busy {
			gap = max(gap, r.outcome.RetryAfter)
		}
		hosts[host] = asked{r.end, r.end + gap}
		addresses[address[host]] = asked{end: r.end}
		switch {
		case r.task.Kind == Robots && !r.outcome.Failure && !r.outcome.Busy:
			delay[host], robots[host] = r.outcome.CrawlDelay, r.end
			hosts[host] = asked{r.end, r.end + max(gap, delay[host])}
		case r.task.Kind == Page:
			if at, ok := robots[host]; !ok || r.begin-at > 31*24*time.Hour {
				t.Errorf("%s%s: asked for without robots.txt", r.task.Origin, r.task.Path)
			}
			if !allowed(host, []byte(r.task.Path)) {
				t.Errorf("%s%s: robots.txt forbids it", r.task.Origin, r.task.Path)
			}
			if !r.outcome.Failure && !r.outcome.Busy {
				url := r.task.Origin + r.task.Path
				if pages[url]++; pages[url] > 1 {
					t.Errorf("%s: fetched twice", url)
				}
			}
		}
	})
	if requests < 4000 {
		t.Errorf("%d requests, want the whole world", requests)
	}
	for _, h := range s.Hosts() {
		if h.Queued > 0 && h.Gone == NotGone && h.State != low {
			t.Errorf("%s: %d URLs wait at the end", h.Origin, h.Queued)
		}
	}
}

// TestReplay fails if a scheduler that was loaded from a checkpoint does not do the
// same as the one that wrote it when it hears the same.
func TestReplay(t *testing.T) {
	s, f := openWorld(t, Default)
	w := &world{rng: rand.New(rand.NewPCG(2, 2))}
	_, now := w.crawl(t, s, 0, 1500, func(result) {})
	var checkpoint bytes.Buffer
	if err := s.Save(now, &checkpoint); err != nil {
		t.Fatal(err)
	}
	copied := f
	copied.Dir = t.TempDir()
	if err := os.CopyFS(copied.Dir, os.DirFS(f.Dir)); err != nil {
		t.Fatal(err)
	}
	log, _ := w.crawl(t, s, now, 3000, func(result) {})
	defer s.Close()

	again, err := Load(Default, copied, allowed, bytes.NewReader(checkpoint.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for i, e := range log {
		if e.outcome != nil {
			if err := again.Done(e.at, *e.outcome); err != nil {
				t.Fatalf("event %d: %v", i, err)
			}
			continue
		}
		task, ok, _, err := again.Take(e.at)
		if err != nil || !ok || task != e.task {
			t.Fatalf("event %d at %v: the loaded scheduler takes %+v (%v, %v), the first one took %+v", i, e.at, task, ok, err, e.task)
		}
	}
	running := again.Running()
	if err := again.Lost(log[len(log)-1].at); err != nil {
		t.Fatal(err)
	}
	if again.Running() != 0 || running == 0 {
		t.Errorf("%d tasks run after Lost, %d before", again.Running(), running)
	}
}
