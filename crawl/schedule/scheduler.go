package schedule

import (
	"iter"
	"time"

	"chaffinch/crawl/frontier"
	"chaffinch/crawl/robots"
)

// Scheduler holds the state of a crawl. It is not safe for concurrent use.
type Scheduler struct {
	cfg     Config
	sieve   *frontier.Sieve
	queue   *frontier.Queue
	allowed Allowed
	owns    func(origin string) bool // nil for all
	late    bool

	*tables
	pushing  []*site                // buffer for sites whose trust is passed on
	errands  map[*Host][]errand     // requests for the robots.txt of other origins that were redirected to a host
	crowds   map[*address]*hostHeap // addresses with several ready hosts
	totals   Totals
	excluded map[string]int64

	ready    hostHeap    // hosts without an address, by value
	open     addressHeap // addresses that may be requested, by their best host
	waiting  hostHeap    // by time
	sleeping addressHeap // by time
	low      hostHeap    // by value
	running  int
	active   int   // number of hosts with URLs that are neither paused nor given up
	queued   int64 // number of queued URLs of all hosts

	item  []byte // buffer for an item
	page  []byte // buffer of taken
	key   []byte // buffer for the key of a URL: the origin's number and the path
	fresh []*Host
	// unserved indicates that a host without queued URLs may get some by a flush.
	unserved bool
	err      error

	events int // since the last release of memory
}

func newScheduler(cfg Config, t *tables, sieve *frontier.Sieve, queue *frontier.Queue, allowed Allowed) *Scheduler {
	return &Scheduler{
		cfg: cfg, tables: t, sieve: sieve, queue: queue, allowed: allowed, totals: Totals{Langs: make([]int64, len(cfg.Shares)), shares: cfg.Shares},
		excluded: map[string]int64{}, errands: map[*Host][]errand{}, crowds: map[*address]*hostHeap{},
		open: addressHeap{before: byHost}, sleeping: addressHeap{before: byNext},
		ready: hostHeap{before: byValue}, waiting: hostHeap{before: byTime}, low: hostHeap{before: byValue},
	}
}

// Totals returns the counts of the crawl so far.
func (s *Scheduler) Totals() Totals { return s.totals }

// Hosts yields all hosts by number. The caller must not change them, nor use them after Close.
func (s *Scheduler) Hosts() iter.Seq2[int, *Host] {
	return func(yield func(int, *Host) bool) {
		for i := range s.hosts.Len() {
			if !yield(i, s.hosts.At(i)) {
				return
			}
			if i%releaseRecords == releaseRecords-1 {
				s.release()
			}
		}
	}
}

// HostCount returns the number of hosts.
func (s *Scheduler) HostCount() int { return s.hosts.Len() }

// Host returns a host by number. The caller must not change it, nor use it after Close.
func (s *Scheduler) Host(number uint32) *Host { return s.hosts.At(int(number)) }

// Queued returns the number of queued URLs.
func (s *Scheduler) Queued() int64 { return s.queued + int64(s.sieve.Pending()) }

// AllFailed reports whether no page was fetched and all requests to all hosts failed, regardless of
// scheme and port.
func (s *Scheduler) AllFailed() bool {
	if s.totals.Pages > 0 || s.running > 0 {
		return false
	}
	for _, h := range s.Hosts() {
		for o := range h.Origins() {
			if h.Failures == 0 && o.Failures == 0 {
				return false
			}
		}
	}
	return true
}

// Running returns the number of tasks that were taken and are not done.
func (s *Scheduler) Running() int { return s.running }

// Take returns a task that may start now. If there is none, it returns the time to call it again,
// or a negative time if nothing is waiting: then the crawl has ended, unless tasks are running.
func (s *Scheduler) Take(now time.Duration) (t Task, ok bool, again time.Duration, err error) {
	s.countEvent()
	if s.err == nil {
		t, ok = s.take(now)
	}
	if s.err != nil || ok {
		return t, ok, 0, s.err
	}
	again = -1
	if s.waiting.Len() > 0 {
		again = s.waiting.top().Next
	}
	if s.sleeping.Len() > 0 && (again < 0 || s.sleeping.list[0].next < again) {
		again = s.sleeping.list[0].next
	}
	return t, false, again, nil
}

func (s *Scheduler) take(now time.Duration) (Task, bool) {
	s.wake(now)
	var h *Host
	if s.ready.Len() > 0 {
		h = s.ready.top()
	}
	if s.open.Len() > 0 {
		if other := s.open.list[0].best; h == nil || byValue(other, h) {
			h = other
		}
	}
	if h == nil {
		return Task{}, false
	}
	s.detach(now, h)
	return s.begin(now, h), true
}

// refill is called after each event that may change the queue: it adds new URLs if few hosts have
// any, and resumes paused hosts. Take does neither, so that a Take without a task changes nothing.
//
// A flush reads all known keys, so it must be worth the cost.
func (s *Scheduler) refill(now time.Duration) error {
	if again := s.cfg.Policy.Resume; again != nil {
		for s.low.Len() > 0 && again(s.low.top(), &s.totals) {
			h := s.low.pop()
			h.Tried = s.totals.Pages
			if err := s.reschedule(now, h); err != nil {
				return err
			}
		}
	}
	pending := int64(s.sieve.Pending())
	if pending > 0 && (s.active == 0 || s.active < s.cfg.Front && pending*16 >= s.sieve.Known()) {
		return s.flush(now)
	}
	return nil
}

// Stalled reports whether hosts without URLs wait for a flush although no task is available until
// next, a time of Take, and whether that time is worth a flush, which reads the returned number of keys.
func (s *Scheduler) Stalled(now, next time.Duration) (keys int64, ok bool) {
	keys = s.sieve.Known()
	return keys, s.unserved && s.sieve.Pending() > 0 && (next < 0 || next-now >= time.Second+time.Duration(keys)*flushKey)
}

// flushKey is ten times the time that a flush takes for a key, about.
const flushKey = 5 * time.Microsecond

// Flush adds all new URLs to the queue.
func (s *Scheduler) Flush(now time.Duration) error {
	if s.err == nil {
		s.err = s.flush(now)
	}
	return s.err
}

func (s *Scheduler) flush(now time.Duration) error {
	s.fresh = s.fresh[:0]
	items := 0
	err := s.sieve.Flush(func(b []byte) error {
		it, err := frontier.ParseItem(b)
		if err != nil {
			return err
		}
		if it.Depth == Fetched {
			return nil
		}
		if items++; items%releaseHosts == 0 {
			s.release()
		}
		o := s.origins.At(int(it.Host))
		h := o.host
		if why := s.limit(h, o, int(it.Depth)); why != "" {
			s.exclude(h, 1, why)
			return nil
		}
		if h.State == idle && !h.fresh {
			h.fresh = true
			s.fresh = append(s.fresh, h)
		}
		s.addQueued(h, 1)
		return s.queue.Add(it)
	})
	if err != nil {
		return err
	}
	if err := s.queue.Commit(); err != nil {
		return err
	}
	s.unserved = false
	for i, h := range s.fresh {
		if i%releaseHosts == releaseHosts-1 {
			s.release()
		}
		h.fresh = false
		if err := s.reschedule(now, h); err != nil {
			return err
		}
	}
	return nil
}

// reschedule moves a host without a running request to the heap for its state.
func (s *Scheduler) reschedule(now time.Duration, h *Host) error {
	wanted, err := s.chooseNext(h)
	if err != nil {
		return err
	}
	h.Value = s.cfg.Policy.Value(h, &s.totals)
	switch {
	case !wanted && len(s.errands[h]) == 0:
		s.move(h, idle)
		s.unserved = s.unserved || s.sieve.Pending() > 0
	case h.Next > now:
		s.move(h, waiting)
		s.waiting.push(h)
	default:
		s.makeReady(now, h)
	}
	return nil
}

// chooseNext chooses the next request of a host: the origin with the fewest failures, then the one with
// the best page. If the robots.txt of that origin is known, its next page is taken from the queue,
// so that Take always finds one.
func (s *Scheduler) chooseNext(h *Host) (found bool, err error) {
	for {
		var best *Origin
		for o := range h.Origins() {
			if o.hasPages(s.queue) && (best == nil || o.Failures < best.Failures || o.Failures == best.Failures && s.nextScore(o) > s.nextScore(best)) {
				best = o
			}
		}
		if best == nil {
			return false, nil
		}
		h.From = best.Number
		if best.HasRobots && best.taken == nil {
			if err := s.takeNext(best); err != nil {
				return false, err
			}
			if best.taken == nil {
				continue
			}
		}
		h.Head = s.nextScore(best)
		return true, nil
	}
}

// nextScore returns the score of the next page of an origin.
func (s *Scheduler) nextScore(o *Origin) uint8 {
	if o.taken != nil {
		if it, err := frontier.ParseItem(s.taken(o)); err == nil {
			return it.Score
		}
	}
	return s.queue.Head(o.Number)
}

// takeNext takes the next page of an origin that its robots.txt allows from the queue. While the host
// is busy new pages precede retries, so that a page that is always busy does not block the rest.
func (s *Scheduler) takeNext(o *Origin) error {
	for {
		if o.again != nil && (o.host.Busies == 0 || s.queue.Head(o.Number) == 0) {
			list := s.again(o)
			it, err := frontier.ParseItem(list[0])
			if err != nil {
				return err
			}
			it.Score = 0
			s.setTaken(o, it.AppendTo(nil))
			s.setAgain(o, list[1:])
		} else {
			it, ok, err := s.queue.Take(o.Number)
			if err != nil || !ok {
				return err
			}
			it.Host = 0
			s.setTaken(o, it.AppendTo(nil))
		}
		if s.mayFetch(o) {
			return nil
		}
		s.dropDisallowed(o)
	}
}

// mayFetch reports whether the robots.txt of an origin allows its next page.
func (s *Scheduler) mayFetch(o *Origin) bool {
	it, err := frontier.ParseItem(s.taken(o))
	return err == nil && s.allowed(o.Number, it.Path)
}

// dropDisallowed drops the next page of an origin.
func (s *Scheduler) dropDisallowed(o *Origin) {
	s.setTaken(o, nil)
	s.exclude(o.host, 1, Disallowed)
	s.addQueued(o.host, -1)
}

// addQueued adds n to the number of queued URLs of a host.
func (s *Scheduler) addQueued(h *Host, n int64) {
	h.Queued += int32(n)
	s.queued += n
}

// move sets the state of a host and counts the active hosts.
func (s *Scheduler) move(h *Host, to state) {
	if h.State.active() {
		s.active--
	}
	if to.active() {
		s.active++
	}
	h.State = to
}

// detach removes a host from its heap.
func (s *Scheduler) detach(now time.Duration, h *Host) {
	switch {
	case h.State == ready && h.Address == 0:
		s.ready.remove(h)
	case h.State == ready:
		a := s.address(h.Address)
		s.removeFromHeap(a)
		s.removeHost(a, h)
		s.placeAddress(now, a)
	case h.State == waiting:
		s.waiting.remove(h)
	case h.State == low:
		s.low.remove(h)
	}
	s.move(h, idle)
}

// begin returns the next task of a host.
func (s *Scheduler) begin(now time.Duration, h *Host) Task {
	t := Task{Kind: Page, Host: h.number}
	errands := s.errands[h]
	var o *Origin
	if len(errands) > 0 {
		e := errands[0]
		t.Kind, t.Rules, t.Origin, t.Path, t.Hops = Robots, e.For, e.Origin, e.Path, e.Hops
	} else {
		o = s.origins.At(int(h.From))
		t.Rules, t.Origin = o.Number, s.originName(o)
		if !o.HasRobots || now-o.RobotsAt > s.cfg.RobotsAge {
			t.Kind, t.Path = Robots, "/robots.txt"
		} else if s.cfg.Reservations && !o.HasReservations && s.allowed(o.Number, []byte(robots.ReservationsPath)) {
			t.Kind, t.Path = Reservations, robots.ReservationsPath
		}
	}
	if h.Address == 0 || now-h.AddressAt > s.cfg.RobotsAge {
		t = Task{Kind: Resolve, Host: h.number, Origin: t.Origin}
	}
	switch t.Kind {
	case Page:
		it, _ := frontier.ParseItem(s.taken(o)) // chooseNext has parsed it
		t.Path, t.Depth, t.Hops, t.Via, t.Words = string(it.Path), int(it.Depth), int(it.Hops), it.Via, it.Words
		s.addQueued(h, -1)
	case Robots:
		h.OnErrand = len(errands) > 0
	}
	h.Asked = t.Kind
	s.move(h, busy)
	if t.Kind != Resolve {
		a := s.address(h.Address)
		s.removeFromHeap(a)
		a.busy = true
		t.Address = a.name
	}
	s.running++
	return t
}
