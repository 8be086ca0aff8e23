package schedule

import (
	"container/heap"
	"encoding/binary"
	"math"
	"strings"
	"time"

	"chaffinch/crawl/frontier"
	"chaffinch/page/weburl/registered"

	"github.com/zeebo/xxh3"
)

// Scheduler is the state of a crawl. It is not safe for use by several goroutines.
type Scheduler struct {
	cfg     Config
	sieve   *frontier.Sieve
	queue   *frontier.Queue
	allowed Allowed

	hosts     []*Host
	names     nameTable        // of hosts
	sites     map[uint64]int32 // hosts, by a hash of their registered domain
	origins   []*Origin
	errands   map[*Host][]errand // requests for the robots.txt of an origin that were redirected to a host
	addresses []*address         // [0] is none
	byAddress map[string]uint32
	totals    Totals

	ready    hostHeap    // those without an address yet, by value
	open     addressHeap // those that may be asked, by their best host
	waiting  hostHeap    // by time
	sleeping addressHeap // by time
	low      hostHeap    // by value
	running  int
	active   int   // hosts that have URLs, and are neither left nor given up
	queued   int64 // URLs of all hosts that wait

	item  []byte // room for an item
	key   []byte // room for what is hashed: a number as seed meets those of short paths
	fresh []*Host
	err   error
}

// Allowed says whether the robots.txt of a number, once it was fetched, allows a path.
type Allowed func(rules uint32, path []byte) bool

func newScheduler(cfg Config, sieve *frontier.Sieve, queue *frontier.Queue, allowed Allowed) *Scheduler {
	return &Scheduler{
		cfg: cfg, sieve: sieve, queue: queue, allowed: allowed, totals: Totals{Langs: make([]int64, len(cfg.Shares)), shares: cfg.Shares},
		sites: map[uint64]int32{}, errands: map[*Host][]errand{}, byAddress: map[string]uint32{}, addresses: []*address{nil},
		open: addressHeap{before: byHost}, sleeping: addressHeap{before: byNext},
		ready: hostHeap{before: byValue}, waiting: hostHeap{before: byTime}, low: hostHeap{before: byValue},
	}
}

// Totals returns what the crawl has had so far.
func (s *Scheduler) Totals() Totals { return s.totals }

// Hosts returns all hosts by number. They must not be changed.
func (s *Scheduler) Hosts() []*Host { return s.hosts }

// Queued returns the number of URLs that wait.
func (s *Scheduler) Queued() int64 { return s.queued + int64(s.sieve.Pending()) }

// Silent reports whether no page was ever had and every host has failed to answer,
// whatever the scheme and the port.
func (s *Scheduler) Silent() bool {
	if s.totals.Pages > 0 || s.running > 0 {
		return false
	}
	for _, h := range s.hosts {
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

// Add takes seeds in.
func (s *Scheduler) Add(now time.Duration, seeds []Link) error {
	if s.err == nil {
		if s.err = s.addAll(now, nil, 0, 0, seeds); s.err == nil {
			s.err = s.settle(now)
		}
	}
	return s.err
}

// addAll takes the links of a page in.
func (s *Scheduler) addAll(now time.Duration, from *Host, depth int, via uint64, links []Link) error {
	for i := range links {
		if err := s.add(now, from, depth, via, &links[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scheduler) add(now time.Duration, from *Host, depth int, via uint64, l *Link) error {
	h := s.host(HostName(l.Origin))
	if h == nil {
		return nil
	}
	if from != h {
		s.link(from, h, l)
	}
	o := s.origin(h, l.Origin)
	if o == nil {
		h.Refused++
		return nil
	}
	s.item = frontier.Item{Host: o.Number, Score: s.cfg.Policy.Score(*l, depth), Depth: uint8(min(depth, 255)), Via: via}.AppendTo(s.item[:0])
	s.item = append(s.item, l.Path...)
	if s.sieve.Full() {
		if err := s.flush(now); err != nil {
			return err
		}
	}
	s.key = append(binary.LittleEndian.AppendUint32(s.key[:0], o.Number), l.Path...)
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
	if from != nil && to.Lang == 0 {
		to.Lang = from.Lang // until it is known
	}
	to.Linked.N++
	to.Linked.Yield += yield
	to.Linked.Promise += float64(l.Promise)
	to.Value = s.cfg.Policy.Value(to, &s.totals)
	if to.State == ready {
		s.changed(to)
	}
}

// host returns the host of a name, a new one if it is not known, nil if its
// registered domain has too many: whoever has a name server can make names.
func (s *Scheduler) host(name string) *Host {
	if h := s.names.find(s.hosts, name); h != nil {
		return h
	}
	site := siteKey(name)
	if int(s.sites[site]) >= s.cfg.MaxSiteHosts {
		return nil
	}
	s.sites[site]++
	h := &Host{Name: strings.Clone(name), number: uint32(len(s.hosts)), Depth: math.MaxInt32} // the name is part of an origin
	s.hosts = append(s.hosts, h)
	s.names.add(s.hosts)
	return h
}

// siteKey returns the hash that stands for the registered domain of a host.
func siteKey(name string) uint64 { return xxh3.HashString(registered.Domain(name)) }

// origin returns an origin of a host, a new one if it is not known, nil if the host
// has too many. A new one gives a host a chance whose others did not answer.
func (s *Scheduler) origin(h *Host, name string) *Origin {
	n := 0
	for o := range h.Origins() {
		if o.Name == name {
			return o
		}
		n++
	}
	if n == maxOrigins {
		return nil
	}
	o := &Origin{Name: strings.Clone(name), Number: uint32(len(s.origins))}
	s.origins = append(s.origins, o)
	h.has(o)
	if h.State == gone && h.Gone == Failing && h.Address != 0 {
		h.Gone = NotGone
		s.move(h, idle)
	}
	return o
}

// Take returns a task that may begin now. Without one it returns when to ask again;
// that is never (a negative time) if nothing waits for a time: then the crawl has
// ended, unless tasks still run.
func (s *Scheduler) Take(now time.Duration) (t Task, ok bool, again time.Duration, err error) {
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
		if other := s.open.list[0].hosts.top(); h == nil || byValue(other, h) {
			h = other
		}
	}
	if h == nil {
		return Task{}, false
	}
	s.detach(now, h)
	return s.begin(now, h), true
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
			if err := s.rest(now, h); err != nil {
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
		o := s.origins[it.Host]
		h := o.host
		if h.Gone != NotGone || o.Gone != NotGone || int(h.Queued) >= s.cfg.MaxHostQueue || int(it.Depth) > s.cfg.MaxDepth {
			h.Refused++
			return nil
		}
		if h.State == idle && !h.fresh {
			h.fresh = true
			s.fresh = append(s.fresh, h)
		}
		s.tally(h, 1)
		return s.queue.Add(it)
	})
	if err != nil {
		return err
	}
	if err := s.queue.Commit(); err != nil {
		return err
	}
	for _, h := range s.fresh {
		h.fresh = false
		if err := s.rest(now, h); err != nil {
			return err
		}
	}
	return nil
}

// wake makes hosts ready, and opens addresses, whose time has come.
func (s *Scheduler) wake(now time.Duration) {
	for s.waiting.Len() > 0 && s.waiting.top().Next <= now {
		s.makeReady(now, s.waiting.pop())
	}
	for s.sleeping.Len() > 0 && s.sleeping.list[0].next <= now {
		s.put(now, s.sleeping.list[0])
	}
}

func (s *Scheduler) makeReady(now time.Duration, h *Host) {
	s.move(h, ready)
	if h.Address == 0 {
		s.ready.push(h)
		return
	}
	a := s.addresses[h.Address]
	s.lift(a)
	a.hosts.push(h)
	s.put(now, a)
}

// put puts an address where it belongs.
func (s *Scheduler) put(now time.Duration, a *address) {
	s.lift(a)
	switch {
	case a.busy || a.hosts.Len() == 0:
	case a.next > now:
		a.in = sleeping
		heap.Push(&s.sleeping, a)
	default:
		a.in = open
		heap.Push(&s.open, a)
	}
}

// lift takes an address out of its heap.
func (s *Scheduler) lift(a *address) {
	switch a.in {
	case sleeping:
		heap.Remove(&s.sleeping, a.at)
	case open:
		heap.Remove(&s.open, a.at)
	}
	a.in = nowhere
}

// changed follows a change of the value of a ready host.
func (s *Scheduler) changed(h *Host) {
	if h.Address == 0 {
		s.ready.fix(h)
		return
	}
	a := s.addresses[h.Address]
	was := a.in
	s.lift(a)
	a.hosts.fix(h)
	if a.in = was; was == sleeping {
		heap.Push(&s.sleeping, a)
	} else if was == open {
		heap.Push(&s.open, a)
	}
}

// rest puts a host that no request runs for where it belongs.
func (s *Scheduler) rest(now time.Duration, h *Host) error {
	wanted, err := s.choose(h)
	if err != nil {
		return err
	}
	h.Value = s.cfg.Policy.Value(h, &s.totals)
	switch {
	case !wanted && len(s.errands[h]) == 0:
		s.move(h, idle)
	case h.Next > now:
		s.move(h, waiting)
		s.waiting.push(h)
	default:
		s.makeReady(now, h)
	}
	return nil
}

// choose finds what a host is asked for next: of its origins the one with the fewest
// failures, then the one with the best page. If the robots.txt of that one is there,
// its next page is taken out of the queue, so that Take always finds one.
func (s *Scheduler) choose(h *Host) (found bool, err error) {
	for {
		var best *Origin
		for o := range h.Origins() {
			if o.waits(s.queue) && (best == nil || o.Failures < best.Failures || o.Failures == best.Failures && s.head(o) > s.head(best)) {
				best = o
			}
		}
		if best == nil {
			return false, nil
		}
		h.From = best.Number
		if best.HasRobots && best.Taken == nil {
			if err := s.fill(best); err != nil {
				return false, err
			}
			if best.Taken == nil {
				continue
			}
		}
		h.Head = s.head(best)
		return true, nil
	}
}

// head returns the score of the page of an origin that comes next.
func (s *Scheduler) head(o *Origin) uint8 {
	if o.Taken != nil {
		if it, err := frontier.ParseItem(o.Taken); err == nil {
			return it.Score
		}
	}
	return s.queue.Head(o.Number)
}

// fill takes the next page of an origin that its robots.txt allows out of the queue.
// While the host is busy another page comes before those that are asked for again: one
// that is always busy must not hold up the rest.
func (s *Scheduler) fill(o *Origin) error {
	for {
		if len(o.Again) > 0 && (o.host.Busies == 0 || s.queue.Head(o.Number) == 0) {
			it, err := frontier.ParseItem(o.Again[0])
			if err != nil {
				return err
			}
			it.Score = 0
			o.Taken, o.Again = it.AppendTo(nil), o.Again[1:]
		} else {
			it, ok, err := s.queue.Take(o.Number)
			if err != nil || !ok {
				return err
			}
			it.Host = 0
			o.Taken = it.AppendTo(nil)
		}
		if s.mayFetch(o) {
			return nil
		}
		s.deny(o)
	}
}

// mayFetch reports whether the robots.txt of an origin allows the page that it has
// next.
func (s *Scheduler) mayFetch(o *Origin) bool {
	it, err := frontier.ParseItem(o.Taken)
	return err == nil && s.allowed(o.Number, it.Path)
}

// deny drops the page that an origin has next.
func (s *Scheduler) deny(o *Origin) {
	o.Taken = nil
	o.host.Denied++
	s.tally(o.host, -1)
}

// tally follows the number of URLs of a host that wait.
func (s *Scheduler) tally(h *Host, n int64) {
	h.Queued += int32(n)
	s.queued += n
}

// move sets the state of a host, and follows the number of active ones.
func (s *Scheduler) move(h *Host, to state) {
	if h.State.active() {
		s.active--
	}
	if to.active() {
		s.active++
	}
	h.State = to
}

// detach takes a host out of the heap that it is in.
func (s *Scheduler) detach(now time.Duration, h *Host) {
	switch {
	case h.State == ready && h.Address == 0:
		s.ready.remove(h)
	case h.State == ready:
		a := s.addresses[h.Address]
		s.lift(a)
		a.hosts.remove(h)
		s.put(now, a)
	case h.State == waiting:
		s.waiting.remove(h)
	case h.State == low:
		s.low.remove(h)
	}
	s.move(h, idle)
}

// begin begins the next request of a host.
func (s *Scheduler) begin(now time.Duration, h *Host) Task {
	t := Task{Kind: Page, Host: h.number}
	errands := s.errands[h]
	var o *Origin
	if len(errands) > 0 {
		e := errands[0]
		t.Kind, t.Rules, t.Origin, t.Path, t.Hops = Robots, e.For, e.Origin, e.Path, e.Hops
	} else {
		o = s.origins[h.From]
		t.Rules, t.Origin = o.Number, o.Name
		if !o.HasRobots || now-o.RobotsAt > s.cfg.RobotsAge {
			t.Kind, t.Path = Robots, "/robots.txt"
		}
	}
	if h.Address == 0 || now-h.AddressAt > s.cfg.RobotsAge {
		t = Task{Kind: Resolve, Host: h.number, Origin: t.Origin}
	}
	switch t.Kind {
	case Page:
		it, _ := frontier.ParseItem(o.Taken) // choose has read it
		t.Path, t.Depth, t.Via = string(it.Path), int(it.Depth), it.Via
		s.tally(h, -1)
	case Robots:
		h.OnErrand = len(errands) > 0
	}
	h.Asked = t.Kind
	s.move(h, busy)
	if t.Kind != Resolve {
		a := s.addresses[h.Address]
		s.lift(a)
		a.busy = true
		t.Address = a.name
	}
	s.running++
	return t
}
