package schedule

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"chaffinch/crawl/frontier"
	"chaffinch/internal/disk"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// world is a small web whose hosts fail, ask for time and share addresses; what
// it answers follows from a seed.
type world struct {
	rng     *rand.Rand
	hosts   int
	running []result
}

// result is the result of a request.
type result struct {
	begin, end time.Duration
	task       Task
	outcome    Outcome
}

func worldLink(rng *rand.Rand, hosts int) Link {
	form := []string{"https://h%d.example", "http://h%d.example", "https://h%d.example:8443"}[rng.IntN(3)]
	return Link{Origin: fmt.Sprintf(form, rng.IntN(hosts)), Path: fmt.Sprintf("/%d", rng.IntN(150)), Promise: rng.Float32()}
}

// answer makes the result of a task that begins now. Some hosts always do the same.
func (w *world) answer(now time.Duration, t Task) result {
	o := Outcome{Host: t.Host, Took: time.Duration(w.rng.IntN(4000)) * time.Millisecond}
	habit := t.Host % 40
	if habit == 29 {
		o.Took = 55 * time.Second
	}
	switch n := w.rng.IntN(10); {
	case habit == 30, habit == 31 && t.Kind == Resolve:
		o.Failure = true
	case habit == 32 && t.Kind == Robots:
		o.Unavailable = true
	case habit == 33 && t.Kind == Page && n < 3:
		o.Busy, o.RetryAfter = true, 1<<30*time.Second
	case habit == 34 && t.Kind == Robots:
		o.CrawlDelay = 2 * time.Hour
	case habit == 35 && t.Kind == Robots:
		o.CrawlDelay = 10 * time.Minute
	case n == 0 || n == 1 && t.Kind == Resolve:
		o.Failure = true
	case n == 1:
		o.Busy, o.RetryAfter = true, time.Duration(w.rng.IntN(3))*50*time.Second
	default:
		switch t.Kind {
		case Resolve:
			o.Address = fmt.Sprintf("10.0.0.%d", t.Host%7)
		case Robots:
			if to := worldLink(w.rng, w.hosts); t.Hops < 5 && w.rng.IntN(4) == 0 {
				to.Path = fmt.Sprintf("/robots-%d.txt", t.Rules)
				o.Redirect = to
				break
			}
			o.CrawlDelay = time.Duration(t.Rules%5) * 4 * time.Second
		case Page:
			o.Bytes, o.Clean = 50_000, int64(t.Host%6)*1000
			for range w.rng.IntN(6) {
				o.Links = append(o.Links, worldLink(w.rng, w.hosts))
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
		must.Succeed(t, err)
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
			must.Succeed(t, s.Done(now, done.outcome))
			log = append(log, event{at: now, outcome: &done.outcome})
		}
	}
	return log, now
}

func openWorld(t *testing.T, cfg Config, hosts int) (*Scheduler, Frontier) {
	t.Helper()
	f := Frontier{Dir: t.TempDir(), Sieve: frontier.SieveConfig{Pending: 300, Recent: 64}, Queue: frontier.QueueConfig{Batch: 2000, Segments: 5}}
	s := must.Get(Open(cfg, f, allowed))(t)
	rng := rand.New(rand.NewPCG(9, 9))
	var seeds []Link
	for range hosts / 4 {
		seeds = append(seeds, worldLink(rng, hosts))
	}
	must.Succeed(t, s.Add(0, seeds))
	return s, f
}

// allowed forbids a tenth of the paths.
func allowed(host uint32, path []byte) bool { return path[len(path)-1] != '7' }

// judge reads the log of requests by the rules, knowing nothing of the scheduler. A
// host is a name, whatever the scheme and the port; robots.txt is that of an origin.
type judge struct {
	t         *testing.T
	hosts     map[string]time.Duration // by name: not before
	addresses map[string]time.Duration
	address   map[string]string                   // by name
	delays    map[string]map[string]time.Duration // by name and origin: Crawl-delay
	robots    map[string]time.Duration            // by origin: when it was had
	hops      map[string]string                   // URL that a robots.txt was redirected to: by origin
	pages     map[string]int
	requests  int
}

func newJudge(t *testing.T) *judge {
	return &judge{
		t: t, hosts: map[string]time.Duration{}, addresses: map[string]time.Duration{}, address: map[string]string{},
		delays: map[string]map[string]time.Duration{}, robots: map[string]time.Duration{}, hops: map[string]string{}, pages: map[string]int{},
	}
}

// see judges a request. Requests to one host do not overlap, so they end in the order in which
// they began.
func (j *judge) see(r result) {
	u, err := url.Parse(r.task.Origin)
	if err != nil {
		j.t.Fatal(err)
	}
	host, o := u.Hostname(), r.outcome
	name := r.task.Origin + r.task.Path
	if r.task.Kind == Resolve {
		if !o.Failure {
			j.address[host] = o.Address
		}
		return
	}
	j.requests++
	if r.begin < j.hosts[host] {
		j.t.Errorf("%s: asked at %v, not before %v", name, r.begin, j.hosts[host])
	}
	if r.begin < j.addresses[j.address[host]] {
		j.t.Errorf("%s: asked at %v, its address not before %v", name, r.begin, j.addresses[j.address[host]])
	}
	answered := !o.Failure && !o.Busy && !o.Unavailable
	owner := r.task.Origin
	if r.task.Kind == Robots {
		if r.task.Path != "/robots.txt" || r.task.Hops > 0 {
			if owner = j.hops[name]; owner == "" {
				j.t.Errorf("%s: nobody has sent the crawl there", name)
			}
		}
		switch {
		case !answered:
		case o.Redirect.Origin != "":
			j.hops[o.Redirect.Origin+o.Redirect.Path] = owner
		default:
			v, err := url.Parse(owner)
			if err != nil {
				j.t.Fatal(err)
			}
			j.robots[owner] = r.end
			if j.delays[v.Hostname()] == nil {
				j.delays[v.Hostname()] = map[string]time.Duration{}
			}
			j.delays[v.Hostname()][owner] = o.CrawlDelay
		}
	} else {
		if at, ok := j.robots[owner]; !ok || r.begin-at > 31*24*time.Hour {
			j.t.Errorf("%s: asked for without robots.txt", name)
		}
		if !allowed(r.task.Rules, []byte(r.task.Path)) {
			j.t.Errorf("%s: robots.txt forbids it", name)
		}
		for _, d := range j.delays[host] {
			if d > time.Hour {
				j.t.Errorf("%s: asked for, with a Crawl-delay of %v", name, d)
			}
		}
		if answered {
			if j.pages[name]++; j.pages[name] > 1 {
				j.t.Errorf("%s: fetched twice", name)
			}
		}
	}
	gap := Default.Delay
	for _, d := range j.delays[host] {
		gap = max(gap, d)
	}
	if answered {
		gap = max(gap, min(5*o.Took, Default.MaxDelay))
	}
	if o.Busy {
		gap = max(gap, min(o.RetryAfter, 24*time.Hour))
	}
	j.hosts[host] = r.end + gap
	j.addresses[j.address[host]] = r.end + Default.AddressDelay
}

// TestManners has a log of requests judged by a second reading of the rules.
func TestManners(t *testing.T) {
	cfg := Default
	cfg.Reservations = true
	s, _ := openWorld(t, cfg, 40)
	defer s.Close()
	w := &world{rng: rand.New(rand.NewPCG(1, 1)), hosts: 40}
	j := newJudge(t)
	tried := map[string]int{} // tdmrep.json, by origin
	w.crawl(t, s, 0, 40_000, func(r result) {
		switch o := r.task.Origin; {
		case r.task.Kind == Reservations:
			tried[o]++
		case r.task.Kind == Page && tried[o] == 0:
			t.Errorf("%s%s: asked for before tdmrep.json", o, r.task.Path)
		}
		j.see(r)
	})
	for o, n := range tried {
		if n > MaxReservationTries {
			t.Errorf("%s: tdmrep.json was asked for %d times", o, n)
		}
	}
	if j.requests < 5000 {
		t.Errorf("%d requests, want the whole world", j.requests)
	}
	var queued int64
	redirected := 0
	for _, h := range s.Hosts() {
		queued += int64(h.Queued)
		if h.Queued > 0 && h.Gone == NotGone && h.State != low {
			t.Errorf("%s: %d URLs wait at the end", h.Name, h.Queued)
		}
		for o := range h.Origins() {
			if o.Pending {
				t.Errorf("%s: its robots.txt is to come at the end", s.originName(o))
			}
		}
		if len(slices.Collect(h.Origins())) == 3 {
			redirected++
		}
	}
	if queued != s.Queued() {
		t.Errorf("%d URLs wait, %d those of the hosts", s.Queued(), queued)
	}
	if len(j.hops) == 0 || redirected == 0 {
		t.Errorf("%d redirects of robots.txt, %d hosts with all schemes: the world is too tame", len(j.hops), redirected)
	}
}

// TestSiteHosts fails if a registered domain gets more hosts than it may have.
func TestSiteHosts(t *testing.T) {
	cfg := Default
	cfg.MaxSiteHosts = 3
	s, _ := openWorld(t, cfg, 4)
	defer s.Close()
	before := s.HostCount()
	for i := range 9 {
		for _, site := range []string{"farm.co.uk", "wide.example"} {
			must.Succeed(t, s.Add(0, []Link{{Origin: fmt.Sprintf("http://w%d.%s", i, site), Path: "/"}}))
		}
	}
	if n := s.HostCount() - before; n != 6 {
		t.Errorf("%d hosts of two domains, want 3 of each", n)
	}
}

// TestManyRequests judges a longer log, of a crawl that is killed now and then and resumes
// from a checkpoint and its log. CHAFFINCH_REQUESTS sets another number of requests, to ten
// thousand hosts.
func TestManyRequests(t *testing.T) {
	testkit.Slow(t)
	disk.Lazy()
	requests, hosts := 10_000, 300
	if s := os.Getenv("CHAFFINCH_REQUESTS"); s != "" {
		var err error
		if requests, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
		hosts = 10_000
	}
	cfg := Default
	cfg.Reservations = true
	cfg.RobotsAge = 20 * time.Minute // so that all is asked for again in a short crawl
	s, f := openWorld(t, cfg, hosts)
	defer func() { s.Close() }()
	w := &world{rng: rand.New(rand.NewPCG(7, 7)), hosts: hosts}
	j := newJudge(t)
	now := time.Duration(0)
	kills := 0
	for j.requests < requests && !t.Failed() {
		_, now = w.crawl(t, s, now, requests/4, j.see)
		var checkpoint bytes.Buffer
		must.Succeed(t, s.Save(now, &checkpoint))
		var log []event
		if log, now = w.crawl(t, s, now, requests/20, j.see); len(log) == 0 {
			break
		}
		for _, r := range w.running { // the kill ends them
			r.end, r.outcome = now, Outcome{Host: r.task.Host, Failure: true}
			j.see(r)
		}
		w.running = nil
		kills++
		must.Succeed(t, s.Close())
		var err error
		if s, err = Load(cfg, f, allowed, &checkpoint); err != nil {
			t.Fatal(err)
		}
		for i, e := range log {
			if e.outcome != nil {
				err = s.Done(e.at, *e.outcome)
			} else if task, ok, _, e2 := s.Take(e.at); e2 != nil || !ok || task != e.task {
				err = fmt.Errorf("%+v again, not %+v: %v", task, e.task, e2)
			}
			if err != nil {
				t.Fatalf("event %d: %v", i, err)
			}
		}
		must.Succeed(t, s.Lost(now))
		must.Succeed(t, s.Prune())
	}
	t.Logf("%d requests to %d hosts in %v, %d kills, %d redirects of robots.txt", j.requests, len(j.hosts), now.Round(time.Second), kills, len(j.hops))
	if j.requests < requests {
		t.Errorf("%d requests, want %d", j.requests, requests)
	}
}

// TestReplay fails if a scheduler that was loaded from a checkpoint does not do the
// same as the one that wrote it when it hears the same.
func TestReplay(t *testing.T) {
	s, f := openWorld(t, Default, 40)
	w := &world{rng: rand.New(rand.NewPCG(2, 2)), hosts: 40}
	_, now := w.crawl(t, s, 0, 1500, func(result) {})
	var checkpoint bytes.Buffer
	must.Succeed(t, s.Save(now, &checkpoint))
	copied := f
	copied.Dir = t.TempDir()
	must.Succeed(t, os.CopyFS(copied.Dir, os.DirFS(f.Dir)))
	log, _ := w.crawl(t, s, now, 3001, func(result) {})
	defer s.Close()

	again := must.Get(Load(Default, copied, allowed, bytes.NewReader(checkpoint.Bytes())))(t)
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
	must.Succeed(t, again.Lost(log[len(log)-1].at))
	if again.Running() != 0 || running == 0 {
		t.Errorf("%d tasks run after Lost, %d before", again.Running(), running)
	}
}

// TestDamagedState changes bytes of a checkpoint: it is refused, or the loaded state continues
// without a fault.
func TestDamagedState(t *testing.T) {
	testkit.Slow(t)
	s, f := openWorld(t, Default, 6)
	w := &world{rng: rand.New(rand.NewPCG(3, 3)), hosts: 6}
	_, now := w.crawl(t, s, 0, 200, func(result) {})
	var checkpoint bytes.Buffer
	must.Succeed(t, errors.Join(s.Save(now, &checkpoint), s.Close()))
	rng := rand.New(rand.NewPCG(4, 4))
	loaded := 0
	for i := range 3000 {
		b := bytes.Clone(checkpoint.Bytes())
		at := rng.IntN(len(b))
		b[at] = byte(rng.Uint32())
		if err := panics.Catch(func() error {
			s, err := Load(Default, f, allowed, bytes.NewReader(b))
			if err != nil {
				return nil
			}
			defer s.Close()
			loaded++
			if s.Lost(now) != nil {
				return nil
			}
			for range 20 {
				if _, _, _, err := s.Take(now); err != nil {
					return nil
				}
			}
			return nil
		}); err != nil {
			t.Fatalf("change %d, at byte %d: %s", i, at, panics.Detail(err))
		}
	}
	if loaded < 100 {
		t.Errorf("only %d were loaded", loaded)
	}
}
