package crawl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// visit is a connection as a server sees it.
type visit struct {
	begin, end time.Time
	to         netip.AddrPort
	scheme     string
	host       int
	name       string // of the host
	origin     string
	path       string
	agent      string
	cookie     bool
	answered   bool // all of the answer was taken
	owner      string
	answer     rawAnswer
}

// roughJudge judges visits by the rules, by what the servers have said and nothing
// else. It shares no code with the crawler.
type roughJudge struct {
	t        *testing.T
	delay    time.Duration
	web      *roughWeb
	requests int
	kills    int
	faults   int
	robots   int // requests for a robots.txt
	start    time.Time

	open      map[string]int     // requests that run, by host and by address
	conns     map[netip.Addr]int // connections that are open
	again     int                // requests on a connection that had one before
	hosts     map[string]*hostRecord
	addresses map[string]time.Time // not before
	granted   map[string]time.Time // by origin: when its robots.txt was last had
	asked     map[string]int       // robots.txt, by origin; pages, by URL
	done      map[string]time.Time // pages that were answered, and when
	dead      time.Time            // when the crawler was killed
	running   map[string]*visit    // by URL
	rules     map[string]bool      // by origin: rules hold
}

// hostRecord is what counts for the next request to a host.
type hostRecord struct {
	notBefore time.Time
	end       time.Time // of the last request
	why       string
	delays    map[string]time.Duration // by origin
	busies    int
}

func newRoughJudge(t *testing.T, delay time.Duration) *roughJudge {
	return &roughJudge{
		t: t, delay: delay, open: map[string]int{}, conns: map[netip.Addr]int{}, hosts: map[string]*hostRecord{}, addresses: map[string]time.Time{}, granted: map[string]time.Time{},
		asked: map[string]int{}, done: map[string]time.Time{}, running: map[string]*visit{}, rules: map[string]bool{},
	}
}

func (j *roughJudge) fault(format string, args ...any) {
	if j.faults++; j.faults <= 20 {
		j.t.Errorf(format, args...)
	}
}

// connected judges how many connections there are to an address.
func (j *roughJudge) connected(a netip.Addr, n int) {
	if j.conns[a] += n; j.conns[a] > 1 {
		j.fault("%v: %d connections at once", a, j.conns[a])
	}
}

// dial judges a connection before anything is said.
func (j *roughJudge) dial(v *visit) {
	if j.start.IsZero() {
		j.start = v.begin
	}
	j.requests++
	a := v.to.Addr()
	if a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || !a.Is4() || a.As4()[0] != 20 {
		j.fault("%v was dialled", a)
	}
	if p := v.to.Port(); p != 80 && p != 443 && p != 8080 {
		j.fault("port %d was dialled", p)
	}
	if j.open[a.String()]++; j.open[a.String()] > 1 {
		j.fault("%v: %d requests at once", a, j.open[a.String()])
	}
	if at := j.addresses[a.String()]; v.begin.Before(at) {
		j.fault("%v: dialled %v too early", a, at.Sub(v.begin))
	}
}

// answer judges a request and returns what the server says.
func (j *roughJudge) answer(v *visit) rawAnswer {
	v.owner = v.origin
	if !strings.Contains(v.agent, "corpus@example.org") || !strings.HasPrefix(v.agent, "chaffinch/") || v.cookie {
		j.fault("%s%s: asked by %q, cookie %t", v.origin, v.path, v.agent, v.cookie)
	}
	h := j.hosts[v.name]
	if h == nil {
		h = &hostRecord{delays: map[string]time.Duration{}}
		j.hosts[v.name] = h
	}
	if v.begin.Before(h.notBefore) {
		j.fault("%s%s: asked %v too early: %s; at %v", v.origin, v.path, h.notBefore.Sub(v.begin), h.why, v.begin.Sub(j.start))
	}
	if j.open[v.name]++; j.open[v.name] > 1 {
		j.fault("%s: %d requests at once", v.name, j.open[v.name])
	}
	age := v.begin.Sub(j.start)
	far := 0
	if _, query, ok := strings.Cut(v.path, "/robots-of?"); ok {
		owner, hops, _ := strings.Cut(query, "&")
		v.owner = owner
		far, _ = strconv.Atoi(hops)
	} else if v.path != "/robots.txt" {
		return j.page(v)
	}
	j.robots++
	j.asked[v.owner]++
	u, err := url.Parse(v.owner)
	if err != nil {
		j.fault("%s%s: for no origin", v.origin, v.path)
		return rawAnswer{status: 404}
	}
	v.answer = j.web.robots(roughHost(u.Hostname()), v.owner, j.asked[v.owner], far, age)
	return v.answer
}

// page judges a request for a page.
func (j *roughJudge) page(v *visit) rawAnswer {
	key := v.origin + v.path
	at, ok := j.granted[v.origin]
	if !ok || v.begin.Sub(at) > 31*24*time.Hour {
		j.fault("%s: asked for without a robots.txt", key)
	}
	switch kind := robotsKind(v.host); {
	case kind == robotsAll, kind >= robots500, kind == robotsTwoHours:
		j.fault("%s: asked for, the host forbids all", key)
	case j.rules[v.origin] && forbids(v.path):
		j.fault("%s: asked for against robots.txt", key)
	}
	if strings.HasPrefix(v.path, "/unfollowed/") {
		j.fault("%s: asked for, all links to it say nofollow", key)
	}
	j.asked[key]++
	if !j.done[key].IsZero() {
		j.fault("%s: asked for again", key)
	}
	j.running[key] = v
	v.answer = j.web.page(v.host, v.path, j.asked[key])
	return v.answer
}

// ended notes what counts from the end of a visit on.
func (j *roughJudge) ended(v *visit) {
	a := v.to.Addr().String()
	j.open[a]--
	j.addresses[a] = v.end.Add(time.Second)
	h := j.hosts[v.name]
	if h == nil {
		return // it never said for which host it came
	}
	j.open[v.name]--
	s := &v.answer
	if v.answered && !s.busy && !s.fails && !strings.HasPrefix(v.path, "/robots") && j.running[v.origin+v.path] == v {
		j.done[v.origin+v.path] = v.end
	}
	if v.path == "/robots.txt" || strings.HasPrefix(v.path, "/robots-of?") {
		if v.answered && s.grants {
			j.granted[v.owner] = v.end
			j.rules[v.owner] = bytes.Contains(s.body, []byte("Disallow")) || bytes.HasPrefix(s.body, []byte{0xff, 0xfe})
		}
		owner, _ := url.Parse(v.owner)
		if i := bytes.Index(s.body, []byte("Crawl-delay: ")); i > 0 && v.answered {
			seconds, _ := strconv.ParseFloat(string(bytes.TrimSpace(s.body[i+len("Crawl-delay: "):])), 64)
			if r := j.hosts[owner.Hostname()]; r != nil {
				r.delays[v.owner] = time.Duration(seconds * float64(time.Second))
			}
		}
	}
	gap, why := j.delay, "delay"
	wait := func(d time.Duration, reason string) {
		if d > gap {
			gap, why = d, reason
		}
	}
	for _, d := range h.delays {
		wait(d, "Crawl-delay")
	}
	switch {
	case !j.dead.IsZero(): // the crawler cannot know what came of it
	case !v.answered && s.fails:
		wait(time.Minute, "after a failure")
	case !v.answered:
	case s.busy && s.retry > 0:
		h.busies++
		wait(s.retry, "Retry-After")
	case s.busy:
		wait(time.Minute<<h.busies, "busy")
		h.busies++
	case s.fails:
		wait(time.Minute, "after a failure")
	default:
		h.busies = 0
		wait(min(5*v.end.Sub(v.begin), time.Minute), "5 times what the answer took")
	}
	h.end = v.end
	h.notBefore, h.why = v.end.Add(gap), why
}

// killed removes the requests in flight and the last results: the crawler cannot know them.
func (j *roughJudge) killed() {
	j.kills++
	clear(j.running)
	for _, h := range j.hosts {
		if !h.end.Before(j.dead) {
			h.notBefore, h.busies = h.end.Add(j.delay), max(h.busies-1, 0)
		}
	}
	maps.DeleteFunc(j.done, func(_ string, at time.Time) bool { return !at.Before(j.dead) })
}

// checkTexts fails if a text was kept against what page, server or site say.
func (j *roughJudge) checkTexts(dir string) (records int) {
	b, err := os.ReadFile(filepath.Join(dir, "text.jsonl"))
	if err != nil {
		j.t.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		var r struct{ URL string }
		if err := json.Unmarshal(line, &r); err != nil {
			j.t.Fatal(err)
		}
		records++
		u, err := url.Parse(r.URL)
		if err != nil {
			j.t.Fatal(err)
		}
		host := roughHost(u.Hostname())
		switch kind := pageKind(host); {
		case kind == pageNoindex, kind == pageHeader, kind == pageTDM, robotsKind(host) == robotsUsage:
			j.fault("%s: its text was kept, against what it says", r.URL)
		}
	}
	return records
}

// forget removes the judge's data on URLs: it will judge no more.
func (j *roughJudge) forget() {
	j.web.mu.Lock()
	defer j.web.mu.Unlock()
	j.asked, j.done, j.running = map[string]int{}, map[string]time.Time{}, map[string]*visit{}
}

// inUse returns the MB of memory in use, and how much of it the crawler holds: not the
// servers, the judge and the pipes between them. The second is as exact as the memory
// profile, whose rate -memprofilerate sets.
func inUse() (all, own int64) {
	runtime.GC()
	runtime.GC() // the profile is that of the collection before
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	records := make([]runtime.MemProfileRecord, 1<<14)
	n, ok := runtime.MemProfile(records, false)
	for !ok {
		records = make([]runtime.MemProfileRecord, 2*n)
		n, ok = runtime.MemProfile(records, false)
	}
	for i := range records[:n] {
		r := &records[i]
		theirs := false
		for frames := runtime.CallersFrames(r.Stack()); ; {
			f, more := frames.Next()
			theirs = theirs || strings.Contains(f.Function, ".(*rough") || strings.HasPrefix(f.Function, "net.Pipe")
			if !more {
				break
			}
		}
		if n := r.InUseObjects(); theirs && n > 0 { // of which the profile has a sample
			size := float64(r.InUseBytes()) / float64(n)
			own -= int64(float64(r.InUseBytes()) / -math.Expm1(-size/float64(runtime.MemProfileRate)))
		}
	}
	return int64(m.HeapAlloc >> 20), (int64(m.HeapAlloc) + own) >> 20
}

// fromEnv reads a setting of the environment, which is usual if it is not set.
func fromEnv[T any](t *testing.T, name string, read func(string) (T, error), usual T) T {
	s := os.Getenv(name)
	if s == "" {
		return usual
	}
	v, err := read(s)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// TestMannersOnTheWire crawls a web half of which misbehaves with the client and all
// of the crawler, over pipes and in virtual time, kills it now and then, and has the
// log of the servers judged. CHAFFINCH_REQUESTS sets another number of requests than
// the few thousand of a quick run, to ten thousand hosts; CHAFFINCH_HOSTS another number
// of these, so that all are known early; CHAFFINCH_DELAY another delay, so that a crawl
// of the same number takes longer.
func TestMannersOnTheWire(t *testing.T) {
	testkit.Slow(t)
	disk.Lazy()
	requests := fromEnv(t, "CHAFFINCH_REQUESTS", strconv.Atoi, 1200)
	large := requests != 1200
	hosts := 200
	if large {
		hosts = 10_000
	}
	hosts = fromEnv(t, "CHAFFINCH_HOSTS", strconv.Atoi, hosts)
	delay := fromEnv(t, "CHAFFINCH_DELAY", time.ParseDuration, Default.Schedule.Delay)
	j := newRoughJudge(t, delay)
	j.web = newRoughWeb(hosts, j)
	dir := t.TempDir()
	const episodes = 4
	var hours []string // MB in use after each virtual hour, of the crawler and of all; last what is left without the judge's notes on URLs
	hour := func() {
		all, own := inUse()
		hours = append(hours, fmt.Sprintf("%d of %d", own, all))
	}
	var clock time.Time
	for episode := 1; episode <= episodes; episode++ {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(clock))
			net := fetch.Default
			net.UserAgent = "chaffinch/0 (+corpus@example.org)"
			net.Resolver, net.Dial = j.web, j.web.Dial
			client := must.Get(fetch.New(net))(t)
			cfg := testConfig(dir, client)
			cfg.Connections, cfg.Seeds = 100, nil
			for i := range 40 {
				cfg.Seeds = append(cfg.Seeds, fmt.Sprintf("http://h%d.example/", i))
			}
			cfg.Schedule.Delay, cfg.Schedule.MaxDelay = delay, max(cfg.Schedule.MaxDelay, delay)
			cfg.Workers = runtime.GOMAXPROCS(0)
			cfg.CheckpointEvents = max(requests/10, 500)
			j.dead = time.Time{}
			end := requests * episode / episodes
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			reached := func() bool {
				j.web.mu.Lock()
				defer j.web.mu.Unlock()
				return j.requests >= end
			}
			if episode < episodes {
				defer disk.Watch(func(disk.Op, string) error {
					j.web.mu.Lock()
					defer j.web.mu.Unlock()
					if j.requests < end {
						return nil
					}
					if j.dead.IsZero() {
						j.dead = time.Now()
					}
					return disk.ErrDead
				})()
			}
			cfg.OnSnapshot = func(Snapshot) {
				if large && int(time.Since(j.start).Hours()) > len(hours) {
					hour()
				}
				if episode == episodes && reached() && ctx.Err() == nil {
					if len(hours) > 0 {
						j.forget()
						hour()
					}
					cancel()
				}
			}
			report, err := Run(ctx, cfg)
			client.Close()
			if episode < episodes != errors.Is(err, disk.ErrDead) {
				t.Fatalf("episode %d: %+v, %v", episode, report, err)
			}
			clock = time.Now()
			time.Sleep(2 * time.Minute) // for servers that wait
		})
		if episode < episodes {
			j.killed()
		}
	}
	records := j.checkTexts(dir)
	if j.again < requests/100 && delay < fetch.Default.KeepAlive {
		t.Errorf("%d requests on a connection that had one before", j.again)
	}
	if len(j.hosts) < hosts/4 || records < requests/20 {
		t.Errorf("%d hosts, %d records: too few to judge", len(j.hosts), records)
	}
	if len(hours) > 0 {
		t.Logf("MB in use by the crawler, of all, after each virtual hour: %s", strings.Join(hours, ", "))
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("%d requests to %d hosts in %v, %d of them for robots.txt; %d records, %d kills, %d faults, %d requests on connections that had one before; %d MB of the system", j.requests, len(j.hosts), clock.Sub(j.start).Round(time.Second), j.robots, records, j.kills, j.faults, j.again, memory.Sys>>20)
}
