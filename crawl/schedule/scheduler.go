package schedule

import (
	"container/heap"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"chaffinch/crawl/frontier"

	"github.com/zeebo/xxh3"
)

// Scheduler is the state of a crawl. It is not safe for use by several goroutines.
type Scheduler struct {
	cfg     Config
	sieve   *frontier.Sieve
	queue   *frontier.Queue
	allowed Allowed

	hosts     []*Host
	byOrigin  map[string]uint32
	addresses []*address // [0] is none
	byAddress map[string]uint32
	totals    Totals

	ready    hostHeap // by value
	waiting  hostHeap // by time
	low      hostHeap // by value
	sleeping addressHeap
	running  int
	active   int // hosts that have URLs, and are neither left nor given up

	item  []byte // room for an item
	key   []byte // room for what is hashed: a number as seed meets those of short paths
	fresh []*Host
	err   error
}

// Allowed says whether the robots.txt of a host, once it was fetched, allows a path.
type Allowed func(host uint32, path []byte) bool

func newScheduler(cfg Config, sieve *frontier.Sieve, queue *frontier.Queue, allowed Allowed) *Scheduler {
	return &Scheduler{
		cfg: cfg, sieve: sieve, queue: queue, allowed: allowed,
		byOrigin: map[string]uint32{}, byAddress: map[string]uint32{}, addresses: []*address{nil},
		ready: hostHeap{before: byValue}, waiting: hostHeap{before: byTime}, low: hostHeap{before: byValue},
	}
}

// Totals returns what the crawl has had so far.
func (s *Scheduler) Totals() Totals { return s.totals }

// Hosts returns all hosts by number. They must not be changed.
func (s *Scheduler) Hosts() []*Host { return s.hosts }

// Queued returns the number of URLs that wait.
func (s *Scheduler) Queued() int64 { return s.queue.Len() + int64(s.sieve.Pending()) }

// Silent reports whether no page was ever had and every host has failed to answer.
func (s *Scheduler) Silent() bool {
	if s.totals.Pages > 0 || s.running > 0 {
		return false
	}
	for _, h := range s.hosts {
		if h.Failures == 0 {
			return false
		}
	}
	return true
}

// Running returns the number of tasks that were taken and are not done.
func (s *Scheduler) Running() int { return s.running }

// Add takes seeds in.
func (s *Scheduler) Add(now time.Duration, seeds []Link) error {
	if s.err == nil {
		if s.err = s.addAll(now, nil, 0, seeds); s.err == nil {
			s.err = s.settle(now)
		}
	}
	return s.err
}

// addAll takes the links of a page in.
func (s *Scheduler) addAll(now time.Duration, from *Host, depth int, links []Link) error {
	for i := range links {
		if err := s.add(now, from, depth, &links[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scheduler) add(now time.Duration, from *Host, depth int, l *Link) error {
	h := s.host(l.Origin)
	if from != h {
		s.link(from, h, l)
	}
	s.item = frontier.Item{Host: h.number, Score: s.cfg.Policy.Score(*l, depth), Depth: uint8(min(depth, 255))}.AppendTo(s.item[:0])
	s.item = append(s.item, l.Path...)
	if s.sieve.Full() {
		if err := s.flush(now); err != nil {
			return err
		}
	}
	s.key = append(binary.LittleEndian.AppendUint32(s.key[:0], h.number), l.Path...)
	return s.sieve.Add(xxh3.Hash(s.key), s.item)
}

// maxLinks is the number of links to a host that are counted: more tell no more.
const maxLinks = 32

// link notes that a host, nil for a seed list, links to another one.
func (s *Scheduler) link(from, to *Host, l *Link) {
	yield := max(2*s.totals.Recent(), startYield) // a person chose the seeds
	if from != nil {
		yield = expected(from, &s.totals)
		if to.Depth > from.Depth+1 {
			to.Depth = from.Depth + 1
		}
	} else {
		to.Depth = 0
	}
	if to.Linked.N >= maxLinks || to.Pages > 0 {
		return
	}
	to.Linked.N++
	to.Linked.Yield += yield
	to.Linked.Promise += float64(l.Promise)
	to.Value = s.cfg.Policy.Value(to, &s.totals)
	switch to.State {
	case ready:
		s.ready.fix(to)
	case parked:
		s.addresses[to.Address].parked.fix(to)
	}
}

// host returns the host of an origin, a new one if it is not known.
func (s *Scheduler) host(origin string) *Host {
	if n, ok := s.byOrigin[origin]; ok {
		return s.hosts[n]
	}
	h := &Host{Origin: origin, number: uint32(len(s.hosts)), Depth: math.MaxInt32}
	s.hosts = append(s.hosts, h)
	s.byOrigin[origin] = h.number
	return h
}

// Take returns a task that may begin now. Without one it returns when to ask again;
// that is never (a negative time) if nothing waits for a time: then the crawl has
// ended, unless tasks still run.
func (s *Scheduler) Take(now time.Duration) (t Task, ok bool, again time.Duration, err error) {
	if s.err == nil {
		t, ok, s.err = s.take(now)
	}
	if s.err != nil || ok {
		return t, ok, 0, s.err
	}
	again = -1
	if s.waiting.Len() > 0 {
		again = s.waiting.top().Next
	}
	if len(s.sleeping) > 0 && (again < 0 || s.sleeping[0].next < again) {
		again = s.sleeping[0].next
	}
	return t, false, again, nil
}

func (s *Scheduler) take(now time.Duration) (Task, bool, error) {
	s.wake(now)
	for s.ready.Len() > 0 {
		h := s.ready.pop()
		a := s.addresses[h.Address]
		if a != nil && (a.busy || a.next > now) {
			s.park(h, a)
			continue
		}
		t, ok, err := s.begin(now, h)
		if ok || err != nil {
			return t, ok, err
		}
		if a != nil {
			s.free(a)
		}
		s.wake(now)
	}
	return Task{}, false, nil
}

// settle follows each event that may have changed what waits: it lets new URLs in
// when few hosts have some, and hosts again that were left. Take does neither, so
// that a Take without a task changes nothing.
//
// A flush reads all keys that are known, so that it has to be worth it.
func (s *Scheduler) settle(now time.Duration) error {
	if again := s.cfg.Policy.Again; again != nil {
		for s.low.Len() > 0 && again(s.low.top(), &s.totals) {
			h := s.low.pop()
			h.Tried = s.totals.Pages
			s.rest(now, h)
		}
	}
	pending := int64(s.sieve.Pending())
	if pending > 0 && (s.active == 0 || s.active < s.cfg.Front && pending*16 >= s.sieve.Known()) {
		return s.flush(now)
	}
	return nil
}

// Flush lets all new URLs in.
func (s *Scheduler) Flush(now time.Duration) error {
	if s.err == nil {
		s.err = s.flush(now)
	}
	return s.err
}

func (s *Scheduler) flush(now time.Duration) error {
	s.fresh = s.fresh[:0]
	err := s.sieve.Flush(func(b []byte) error {
		it, err := frontier.ParseItem(b)
		if err != nil {
			return err
		}
		h := s.hosts[it.Host]
		if h.State == gone || h.Queued >= int64(s.cfg.MaxHostQueue) || int(it.Depth) > s.cfg.MaxDepth {
			h.Refused++
			return nil
		}
		if h.State == idle && h.Queued == 0 {
			s.fresh = append(s.fresh, h)
		}
		h.Queued++
		return s.queue.Add(it)
	})
	if err != nil {
		return err
	}
	if err := s.queue.Commit(); err != nil {
		return err
	}
	for _, h := range s.fresh {
		s.rest(now, h)
	}
	return nil
}

// wake makes hosts ready whose time has come.
func (s *Scheduler) wake(now time.Duration) {
	for s.waiting.Len() > 0 && s.waiting.top().Next <= now {
		s.makeReady(s.waiting.pop())
	}
	for len(s.sleeping) > 0 && s.sleeping[0].next <= now {
		a := heap.Pop(&s.sleeping).(*address)
		a.asleep = false
		if a.parked.Len() > 0 {
			s.makeReady(a.parked.pop())
		}
	}
}

func (s *Scheduler) makeReady(h *Host) {
	h.State = ready
	s.ready.push(h)
}

// park lets a host wait until its address is free.
func (s *Scheduler) park(h *Host, a *address) {
	h.State = parked
	a.parked.push(h)
	if !a.busy {
		s.free(a)
	}
}

// free wakes an address at its time if a host waits for it.
func (s *Scheduler) free(a *address) {
	if !a.asleep && a.parked.Len() > 0 {
		a.asleep = true
		heap.Push(&s.sleeping, a)
	}
}

// rest puts a host that no request runs for where it belongs.
func (s *Scheduler) rest(now time.Duration, h *Host) {
	was := h.State
	h.Head = s.queue.Head(h.number)
	h.Value = s.cfg.Policy.Value(h, &s.totals)
	switch {
	case h.Queued == 0 && len(h.Again) == 0:
		h.State = idle
	case h.Next > now:
		h.State = waiting
		s.waiting.push(h)
	default:
		s.makeReady(h)
	}
	s.count(was, h.State)
}

// count follows the number of active hosts.
func (s *Scheduler) count(from, to state) {
	if from.active() {
		s.active--
	}
	if to.active() {
		s.active++
	}
}

// begin begins the next request of a host; it has none if robots.txt forbids all
// that waits.
func (s *Scheduler) begin(now time.Duration, h *Host) (t Task, ok bool, err error) {
	t = Task{Host: h.number, Origin: h.Origin}
	if h.Need == Page && now-h.RobotsAt > s.cfg.RobotsAge {
		h.Need = Resolve
	}
	if t.Kind = h.Need; t.Kind == Page {
		it, ok, err := s.next(h)
		if !ok || err != nil {
			h.State = idle
			s.count(ready, idle)
			return t, false, err
		}
		t.Path, t.Depth = string(it.Path), int(it.Depth)
		h.Taken = it.AppendTo(h.Taken[:0])
	}
	h.State = busy
	if t.Kind != Resolve {
		s.addresses[h.Address].busy = true
	}
	s.running++
	return t, true, nil
}

// next returns the next URL of a host that its robots.txt allows.
func (s *Scheduler) next(h *Host) (it frontier.Item, ok bool, err error) {
	if len(h.Again) > 0 {
		it, err := frontier.ParseItem(h.Again[0])
		it.Score = 0
		h.Again = h.Again[1:]
		return it, true, err
	}
	for h.Queued > 0 {
		it, ok, err := s.queue.Take(h.number)
		if err != nil {
			return it, false, err
		}
		if !ok {
			return it, false, fmt.Errorf("schedule: %s: %d URLs should wait, none does", h.Origin, h.Queued)
		}
		h.Queued--
		if s.allowed(h.number, it.Path) {
			return it, true, nil
		}
		h.Denied++
	}
	return it, false, nil
}
